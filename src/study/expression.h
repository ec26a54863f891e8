#pragma once
// The small language in which studies say what they measure (docs/studies.md).
//
//     geomean(ipc@wg-w / ipc@gmc) - 1            the gain of one variant over another, over all workloads
//     mean(row_hit_rate@wg over irregular)       over a named set of workloads
//     ipc@wg-w[bfs]                              in one workload
//     all(ws@weis >= ws@fr-fcfs)                 true if it holds in each
//
// A figure METRIC@VARIANT belongs to a workload; inside an aggregate the workload is the one that the aggregate goes
// through. Aggregates: geomean mean min max sum count share all any correlation; `max` and `min` of several arguments
// and abs work on single values. Operators: + - * / < <= > >= == and or not, parentheses; `10 %` is 0.1.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/types.h"

namespace heddle::study {

/// What an expression may refer to. Each throws InputError if there is no such thing.
struct ExpressionNames {
    std::function<std::size_t(const std::string&)> metric;    ///< number of a metric
    std::function<std::size_t(const std::string&)> variant;   ///< number of a variant
    std::function<std::size_t(const std::string&)> workload;  ///< number of a workload
    std::function<std::vector<std::size_t>(const std::string&)> set;
    std::size_t workloads = 0;
};

/// A number, or why there is none.
struct Measured {
    Measured(double v) : value(v) {}
    Measured(std::optional<double> v, std::string reason = {}) : value(v), why(std::move(reason)) {}

    std::optional<double> value;
    std::string why;
};

/// A figure.
using FigureOf = std::function<Measured(std::size_t metric, std::size_t variant, std::size_t workload)>;

class Expression {
  public:
    /// Throws InputError "'TEXT': what is wrong" (a wrong word, a figure without a workload).
    Expression(std::string_view text, const ExpressionNames& names);
    ~Expression();
    Expression(Expression&&) noexcept;
    Expression& operator=(Expression&&) noexcept;

    /// Truth values are 1 and 0. It has none if a figure that it needs does not exist, if something is divided by 0, for the
    /// geometric mean of what is not above 0, the correlation of a constant, and what exceeds a number. `workloads`: their
    /// names, for the reason.
    Measured value(const FigureOf& figures, const std::vector<std::string>& workloads = {}) const;
    bool is_truth() const;
    /// Numbers of those that it looks at, ascending.
    std::set<std::size_t> workloads() const;

    struct Term;

  private:
    std::unique_ptr<Term> root_;
};

}  // namespace heddle::study
