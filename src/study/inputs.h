#pragma once
// The streams that a study holds on to: whether they are still the same, and how they get into its file.

#include <string>
#include <utility>
#include <vector>

#include "study/study.h"

namespace heddle::study {

/// A workload's name and the hash of its stream (stream_hash.h).
using Streams = std::vector<std::pair<std::string, std::string>>;

/// The hashes that the file has for the study's form; none: nothing is held on to.
const Hashes& frozen(const Study& study);

/// InputError with the place if a name is no workload's, a hash is not 64 hexadecimal digits, or a form has hashes, but not
/// of every workload.
void check_inputs(const Study& study);

/// InputError with the place, the workload and both hashes for the first stream that is not the file's. A workload of which
/// the file has none passes.
void compare_inputs(const Study& study, const Streams& streams);

/// The text of a study's file with these hashes. The rest stays byte for byte: hashes are replaced where they stand, and
/// lines are added or taken away only for workloads that are new or gone. A form that is empty here is left as it is.
/// InputError if the file has `inputs` in a form that can't be edited so.
std::string with_inputs(const std::string& text, const std::string& file, const Streams& full,
                        const Streams& small);

/// Puts them into the file: whole, or not at all; the same text is not written again. True if it was.
bool freeze(const std::string& file, const Streams& full, const Streams& small);

}  // namespace heddle::study
