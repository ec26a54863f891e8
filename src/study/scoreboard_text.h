#pragma once
// What boards, their JSON and their page say of a claim in the same words.

#include <string>

#include "study/study.h"

namespace heddle::study {

/// In the paper's unit, several joined by " / ".
std::string paper_text(const Claim& claim);
std::string ours_text(const ScoredClaim& scored);
/// "27 workloads" with `each`.
std::string paper_text(const RegimeClaim& claim);
/// "22 of 27 near" with `each`.
std::string ours_text(const ScoredRegime& scored);

}  // namespace heddle::study
