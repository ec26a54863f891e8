#pragma once
// An experiment as a file: machines, workloads, variants, metrics, and a paper's claims about them. The format is
// described for users in docs/studies.md.

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "config/node.h"
#include "study/claim.h"
#include "study/matrix.h"
#include "study/split_search.h"

namespace heddle::study {

/// A workload as the file has it.
struct StudyWorkload {
    std::string name;
    std::vector<std::vector<std::string>> apps;  ///< the words of each, as for `heddle run`
    SmDivision division = {};
    config::Origin origin = {}, sms_origin = {};
};

/// Where the file has a variant's machine and settings.
struct VariantPlaces {
    config::Origin machine;
    std::vector<config::Origin> sets = {};  ///< as many as settings
};

struct Claim {
    std::string id, kind, statement, note;
    std::vector<std::string> measures;  ///< expressions
    std::vector<Stated> stated;         ///< as many
    std::vector<config::Origin> origins;
};

struct Study {
    std::string name, about, source;
    std::vector<StudyWorkload> workloads;
    std::map<std::string, std::vector<std::size_t>> sets;
    std::vector<Variant> variants;
    std::vector<VariantPlaces> places;  ///< of each variant
    std::size_t baseline = 0;
    AloneOn alone_on = AloneOn::baseline;
    std::vector<std::string> metrics;  ///< to show
    std::vector<config::Origin> metric_origins;
    std::vector<u64> seeds;            ///< none, or several
    std::vector<std::string> options;  ///< of `heddle run`
    config::Origin options_origin;
    std::vector<Claim> claims;
};

/// Throws InputError "FILE:LINE:COLUMN: what is wrong, the nearest right thing".
Study read_study(const std::string& path);

/// The metrics that the file shows and those that its claims use. Claims are checked against names, variants,
/// workloads and sets; errors name the claim's place.
std::vector<std::string> metrics_of(const Study& study);

/// Where the file first names each of those.
std::map<std::string, config::Origin> metric_places(const Study& study);

/// Tries every variant's machine and settings, and every division of its SMs. Policies must be loaded. InputError with the
/// place in the study's file.
void check_machines(const Study& study);

struct ScoredClaim {
    const Claim* claim = nullptr;
    std::vector<std::optional<double>> measured;  ///< with several seeds the mean of what each gives
    std::vector<std::optional<double>> margins;   ///< of a number over seeds
    std::vector<std::string> reasons;             ///< why there is no value, where there is none
    Verdict verdict = Verdict::unknown;           ///< the worst of its numbers
};

struct Scoreboard {
    std::vector<ScoredClaim> claims;
    std::array<std::size_t, 5> totals{};  ///< by verdict
};

Scoreboard score(const Study& study, const Matrix& matrix);

/// "FILE:LINE:COLUMN: claim ID can't be measured: why", for each measure without a value.
std::vector<std::string> not_measured(const Scoreboard& board);

std::string scoreboard_text(const Study& study, const Scoreboard& board);

/// study, about, source, claims [{id, kind, statement, paper, measured, verdict, note, values [{measure, paper, band,
/// ours, value or reason, margin}]}], totals {VERDICT: n}, comparison (comparison_tree). `paper` and `measured` are texts in the paper's unit,
/// several joined by " / "; value is the number.
nlohmann::ordered_json study_tree(const Study& study, const Scoreboard& board, const Matrix& matrix);

struct ShippedStudy {
    std::string name, path, about;
};
/// By name (shipped_folder).
std::vector<ShippedStudy> shipped_studies();
/// A line for each.
std::string shipped_studies_text();
/// A shipped study's path, or `name` itself if it has a '/' or ends in .yaml. Throws InputError.
std::string locate_study(const std::string& name);

}  // namespace heddle::study
