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
#include "study/regime.h"
#include "study/split_search.h"

namespace heddle::study {

/// Where the file has a variant's machine and settings.
struct VariantPlaces {
    config::Origin machine;
    std::vector<config::Origin> sets = {};  ///< as many as settings
};

/// A workload as the file has it.
struct StudyWorkload {
    std::string name;
    std::vector<std::vector<std::string>> apps;        ///< the words of each, as for `heddle run`
    std::vector<std::vector<std::string>> small = {};  ///< the same of the study's small form
    SmDivision division = {};
    config::Origin origin = {}, sms_origin = {};
};

/// A machine on which the whole study runs, beside others.
struct Board {
    std::string name, machine;
    std::vector<std::string> sets;
    VariantPlaces places;
};

/// The streams that the file holds on to, by workload in the order of the file; empty: none. Names and hashes are not yet
/// looked at (check_inputs).
using Hashes = std::vector<std::pair<std::string, config::Located>>;
struct Inputs {
    Hashes full, small;
};

struct Claim {
    std::string id, kind, statement, note;
    std::vector<std::string> measures;  ///< expressions
    std::vector<Stated> stated;         ///< as many
    std::vector<config::Origin> origins;
};

struct Study {
    std::string name, about, source;
    std::string file;
    bool is_small = false;      ///< the small form
    std::vector<Board> boards;  ///< none: one machine, that of the variants
    std::vector<StudyWorkload> workloads;
    std::map<std::string, std::vector<std::size_t>> sets;
    std::vector<Variant> variants;
    std::vector<VariantPlaces> places;  ///< of each variant
    std::vector<bool> own_machine;      ///< which variants name a machine, and so have it on every board
    std::size_t baseline = 0;
    std::vector<std::size_t>
        references;  ///< variants that regime may use beside the baseline: none is a mechanism
    AloneOn alone_on = AloneOn::baseline;
    std::vector<std::string> metrics;  ///< to show
    std::vector<config::Origin> metric_origins;
    std::vector<u64> seeds;            ///< none, or several
    std::vector<std::string> options;  ///< of `heddle run`
    config::Origin options_origin;
    std::vector<RegimeClaim> regime;
    std::vector<Claim> claims;
    Inputs inputs;
};

/// What the file has. Throws InputError.
std::string read_study_text(const std::string& path);
/// Throws InputError "FILE:LINE:COLUMN: what is wrong, the nearest right thing".
Study read_study(const std::string& path);

// -- Forms of a study

/// What the name of a small form ends in.
inline constexpr const char* kSmallEnd = "-small";
/// Smaller inputs, named NAME-small.
Study small_form(Study study);
/// On one of its boards alone.
Study on_board(const Study& study, std::size_t board);
/// Only what characterises the workloads: the baseline and the references, and the workloads that this needs. InputError
/// if it has nothing of the kind.
Study regime_form(const Study& study);

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

struct ScoredRow {
    std::optional<double> measured, margin;
    std::string reason;  ///< why there is no value
    std::string ours;    ///< in the paper's unit, with the class
    Verdict verdict = Verdict::unknown;
};

struct ScoredRegime {
    const RegimeClaim* claim = nullptr;
    std::vector<ScoredRow> rows;
    std::size_t near = 0;                ///< of the rows
    Verdict verdict = Verdict::unknown;  ///< regime_word says it
};

struct Scoreboard {
    std::vector<ScoredRegime> regime;
    std::vector<ScoredClaim> claims;
    std::array<std::size_t, 5> totals{};  ///< by verdict
};

/// `study` must outlive it.
Scoreboard score(const Study& study, const Matrix& matrix);

/// A study with its results on one board, or on its one machine.
struct BoardResult {
    std::string name;  ///< empty: its one machine
    const Study* study = nullptr;
    const Matrix* matrix = nullptr;
    Scoreboard score;
};

/// "FILE:LINE:COLUMN: claim ID can't be measured: why", for each measure without a value.
std::vector<std::string> not_measured(const BoardResult& board);

/// The regime, then the claims, with what each board says side by side.
std::string scoreboard_text(const std::vector<BoardResult>& boards);

/// study, about, source, regime [{id, statement, paper, measured, verdict, near, of, note, values [{workload, measure, paper,
/// ours, value or reason, margin, verdict, note}]}], claims [{id, kind, statement, paper, measured, verdict, note, values
/// [{measure, paper, band, ours, value or reason, margin}]}], totals {VERDICT: n}, comparison (comparison_tree). `paper` and
/// `measured` are texts in the paper's unit, several joined by " / "; value is the number.
///
/// With boards, what differs between them, which is measured, verdict, near and values, is in boards {NAME: {...}} of a claim;
/// totals and comparison are in boards [{name, machine, totals, comparison}] of the study.
nlohmann::ordered_json study_tree(const std::vector<BoardResult>& boards);

struct ShippedStudy {
    std::string name, path, about;
};
/// By name (shipped_folder).
std::vector<ShippedStudy> shipped_studies();
/// A line for each.
std::string shipped_studies_text();
struct StudyPlace {
    std::string file;
    bool small = false;  ///< the name is that of its small form
};
/// A shipped study's path, or `name` itself if it has a '/' or ends in .yaml. NAME-small is the small form of the shipped
/// study NAME. Throws InputError.
StudyPlace locate_study(const std::string& name);

}  // namespace heddle::study
