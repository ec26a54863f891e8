#pragma once
// Which division of the SMs suits applications that share a GPU best: the oracle of studies that assume one. Divisions
// are tried in sixths of the GPU under the baseline, and the one with the largest weighted speed-up is used for every
// variant. The runs are ordinary runs, so the store keeps them.

#include <string>
#include <vector>

#include "study/matrix.h"

namespace heddle::study {

/// What a user writes for the SMs of applications that share a GPU.
struct SmDivision {
    std::vector<u32> sms;  ///< of each; empty: equal parts
    bool search = false;   ///< whichever suits best
};
/// "10,20", "search", or nothing. Throws InputError.
SmDivision parse_division(const std::string& text);

/// Divisions of `sms` SMs among `apps` applications: equal parts, then the others in sixths of the GPU (in single SMs if
/// there are fewer than six), each application at least one. Of six applications and more it is equal parts, or nearly
/// so. Throws InputError if there are too few SMs.
std::vector<std::vector<u32>> divisions(u32 sms, u32 apps);

/// Whether a workload's SMs are to be searched.
bool wants_search(const MatrixSpec& spec);
/// Every division of every workload that wants a search, on the baseline. Throws InputError if a variant has another
/// number of SMs.
MatrixSpec search_of(const MatrixSpec& spec, Keys& keys);
/// Gives those workloads the best division that `search`, which has run, has found, equal parts before others of the same
/// worth and equal parts if none has run. A line of text for each.
std::vector<std::string> choose_divisions(MatrixSpec& spec, Keys& keys, const Matrix& search);

}  // namespace heddle::study
