#pragma once
// The headers of the runtime, parsed once by clang and kept for the user.
//
// Every .cu file starts with cuda_runtime.h. Parsing it takes a second for each half, and loading what clang keeps of it
// (a precompiled header, 8 MB) a tenth of that. The two give the same code.
//
// One is kept for each set of options that changes what the headers mean. A macro of the command line is one of those if
// the headers contain its name; a folder of the command line forbids its use if it holds a header of the same name as one
// of theirs.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// The command of a CUDA compilation, without source and output, with the parsed headers in place of `-include
/// cuda_runtime.h`; they are made if there are none yet. The command as it is if these headers would mean something else
/// there, or can't be made. `include` is Heddle's folder of headers. They are kept in user_cache()/heddle/precompiled: the
/// twelve used last, and what has been used in the last ten minutes.
std::vector<std::string> with_precompiled_runtime(const std::vector<std::string>& command,
                                                  const std::string& include);

/// Whether clang's errors are about parsed headers: they have gone meanwhile, are damaged, or of another clang.
bool blames_precompiled(std::string_view said);

}  // namespace heddle::cuda
