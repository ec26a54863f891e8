#pragma once
// The result of a matrix of runs: for each metric a table of values and of their ratios to the baseline, as text, CSV
// and JSON.
//
// With several seeds each is a repetition of the whole: ratios and geometric means are taken within a seed, and what is
// shown is the mean over seeds with the margin of its confidence interval (study/statistics.h).

#include <optional>
#include <string>
#include <vector>

#include "study/matrix.h"
#include "study/statistics.h"

namespace heddle::study {

/// A figure, and with several seeds how far it may be off.
struct Figure {
    double value = 0;
    std::optional<Estimate> over_seeds = {};
};
using FigureRow = std::vector<std::optional<Figure>>;  // by variant

struct MetricTable {
    Metric metric;
    std::vector<FigureRow> values;  ///< [workload][variant]
    std::vector<FigureRow> ratios;  ///< to the baseline's value; nothing if that is 0
    FigureRow geomean;              ///< of the ratios; nothing unless all rows have one
    /// What `values` are means of, in the order of the seeds; empty without several, and where there is no value.
    std::vector<std::vector<std::vector<double>>> samples;
    /// Variants with the row's best value, where one value is better than another; none if all are the same.
    std::vector<std::vector<bool>> best;
    std::vector<bool> best_geomean;
};

struct Comparison {
    std::vector<std::string> workloads, variants;
    std::size_t baseline = 0;
    std::vector<u64> seeds;  ///< none, or several
    bool failures = false;   ///< of any run
    std::vector<MetricTable> tables;
};

Comparison compare(const Matrix& matrix);

/// Tables for a terminal, the best of each row marked, and a bar for each variant of the first. `values`: also what is behind the
/// ratios. `unicode`: bars of block characters, else of '#'.
std::string comparison_text(const Comparison& comparison, bool values, bool unicode);

/// workload,variant,metric,unit,value,ratio: a line for each figure that exists. With several seeds also seeds (their
/// number), value_margin, ratio_margin.
std::string comparison_csv(const Comparison& comparison);

/// baseline, variants [{name, machine, settings}], workloads [{name, applications, sms}], metrics [{name, unit, better,
/// values {WORKLOAD: {VARIANT: number}}, ratios {...}, geometric_mean {VARIANT: number}}], runs [{workload, variant,
/// alone, seed, key, from_store, seconds, error}]
///
/// With several seeds also seeds [...] and confidence (0.95), and of each metric value_margins and ratio_margins, shaped
/// like values, geometric_mean_margins, and samples {WORKLOAD: {VARIANT: [value with each seed]}}.
nlohmann::ordered_json comparison_tree(const Comparison& comparison, const Matrix& matrix);
/// Such a tree as it is printed.
std::string json_text(const nlohmann::ordered_json& tree);

/// A line for each workload that is the same with every seed.
std::vector<std::string> untouched_by_seeds(const Comparison& comparison);

/// A text as a cell of CSV: UTF-8, in quotes where it needs them.
std::string csv_cell(const std::string& text);

/// A figure for readers: thousands separators, about four digits.
std::string figure_text(double value);
/// The margin of an interval for people: two digits, all before the point of what is above 10.
std::string margin_text(double margin);

}  // namespace heddle::study
