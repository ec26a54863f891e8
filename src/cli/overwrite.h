#pragma once
// Results must not replace what a run reads.

#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {

/// InputError if `output`, which `option` names, is the same file as one of the inputs, under whatever name. Inputs that
/// are not there are skipped.
void refuse_overwriting(std::string_view option, const std::string& output,
                        const std::vector<std::string>& inputs);

}  // namespace heddle::cli
