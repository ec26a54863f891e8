#pragma once
// What a matrix of runs says: for each metric a table of values and of their ratios to the baseline, as text, CSV and
// JSON.

#include <optional>
#include <string>
#include <vector>

#include "study/matrix.h"

namespace heddle::study {

using Figures = std::vector<std::vector<std::optional<double>>>;  // [workload][variant]

struct MetricTable {
    Metric metric;
    Figures values;
    Figures ratios;  ///< to the baseline's value; nothing if that is 0
    std::vector<std::optional<double>>
        geomean;  ///< of the ratios, by variant; nothing unless all rows have one
    /// Variants with the row's best value, where one value is better than another; none if all are the same.
    std::vector<std::vector<bool>> best;
};

struct Comparison {
    std::vector<std::string> workloads, variants;
    std::size_t baseline = 0;
    std::vector<MetricTable> tables;
};

Comparison compare(const Matrix& matrix);

/// Tables for a terminal, the best of each row marked, and a bar for each variant of the first. `values`: also what is behind the
/// ratios. `unicode`: bars of block characters, else of '#'.
std::string comparison_text(const Comparison& comparison, bool values, bool unicode);

/// workload,variant,metric,unit,value,ratio: a line for each figure that exists.
std::string comparison_csv(const Comparison& comparison);

/// baseline, variants [{name, machine, settings}], workloads [{name, applications, sms}], metrics [{name, unit, better,
/// values {WORKLOAD: {VARIANT: number}}, ratios {...}, geometric_mean {VARIANT: number}}], runs [{workload, variant,
/// alone, key, from_store, seconds, error}]
std::string comparison_json(const Comparison& comparison, const Matrix& matrix);

/// A text as a cell of CSV: UTF-8, in quotes where it needs them.
std::string csv_cell(const std::string& text);

/// A figure for people: thousands separators, about four digits.
std::string figure_text(double value);

}  // namespace heddle::study
