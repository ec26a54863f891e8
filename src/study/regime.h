#pragma once
// What a paper says of its workloads under the baseline, and how near ours come: the table to look at before any mechanism
// (docs/studies.md, "The regime first").

#include <string>
#include <vector>

#include "config/schema.h"
#include "study/claim.h"

namespace heddle::study {

struct Study;
struct RegimeText;
struct ExpressionNames;

/// A row: a measure of all workloads, or of one.
struct RegimeRow {
    std::string measure, paper;
    Stated stated;             ///< near; of a class: its bound
    std::size_t workload = 0;  ///< with each
    std::string note = {};
    config::Origin origin = {};
};

struct RegimeClaim {
    std::string id, statement, note;
    bool each = false;                 ///< a row for each of several workloads
    std::vector<std::string> classes;  ///< names; none: numbers
    std::vector<Stated> bounds;        ///< of each class
    std::vector<RegimeRow> rows;
};

/// Near if classes are the paper's for this share of the workloads.
inline constexpr double kNearShare = 0.8;

/// `study` has its workloads and variants. Throws InputError with the place.
RegimeClaim regime_of(const RegimeText& text, const Study& study);

/// The names for a row's measure: figures under the baseline and the references, and with `each` of the row's workload.
ExpressionNames names_of_row(const Study& study, const RegimeClaim& claim, const RegimeRow& row,
                             const ExpressionNames& names);
/// What is evaluated: with `each` an aggregate over the row's workload.
std::string expression_of(const RegimeClaim& claim, const RegimeRow& row);

/// "near", "far" or "unknown".
std::string_view regime_word(Verdict verdict);

}  // namespace heddle::study
