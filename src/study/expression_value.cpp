// The value of a measure, or why it has none.

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "study/comparison.h"
#include "study/expression_term.h"
#include "study/metrics.h"

namespace heddle::study {
namespace {

using Term = Expression::Term;

Measured none(std::string why) {
    return {std::nullopt, std::move(why)};
}

class Evaluator {
  public:
    Evaluator(const FigureOf& figures, const std::vector<std::string>& workloads)
        : figures_(figures), workloads_(workloads) {}

    Measured evaluate(const Term& term, std::size_t workload) const {
        if (term.op == Op::number) return term.number;
        if (term.op == Op::figure) return figure(term, workload);
        Measured result = term.op >= Op::geomean ? aggregate(term) : combine(term, workload);
        if (result.value && !std::isfinite(*result.value))
            return none(fmt::format("the result is too large for a number{}", in(workload)));
        return result;
    }

  private:
    std::string name(std::size_t workload) const {
        return workload < workloads_.size() ? workloads_[workload] : fmt::format("workload {}", workload + 1);
    }
    /// Where it happened, if that is in a workload.
    std::string in(std::size_t workload) const {
        return workload == kNoWorkload ? std::string{} : " in " + name(workload);
    }

    Measured figure(const Term& term, std::size_t workload) const {
        const std::size_t of = term.workload == kNoWorkload ? workload : term.workload;
        Measured m = figures_(term.metric, term.variant, of);
        if (m.value) return m;
        return none(
            fmt::format("{} has no value in {}{}", term.text, name(of), m.why.empty() ? "" : ": " + m.why));
    }

    Measured combine(const Term& term, std::size_t workload) const {
        std::vector<double> v;
        for (const Term& c : term.children) {
            Measured one = evaluate(c, workload);
            if (!one.value) return one;
            v.push_back(*one.value);
        }
        switch (term.op) {
            case Op::negate:
                return -v[0];
            case Op::invert:
                return v[0] == 0 ? 1 : 0;
            case Op::add:
                return v[0] + v[1];
            case Op::subtract:
                return v[0] - v[1];
            case Op::multiply:
                return v[0] * v[1];
            case Op::divide:
                if (v[1] == 0) return none(fmt::format("division by 0: {} is 0{}", term.text, in(workload)));
                return v[0] / v[1];
            case Op::less:
                return v[0] < v[1];
            case Op::less_equal:
                return v[0] <= v[1];
            case Op::greater:
                return v[0] > v[1];
            case Op::greater_equal:
                return v[0] >= v[1];
            case Op::equal:
                return v[0] == v[1];
            case Op::both:
                return v[0] != 0 && v[1] != 0;
            case Op::either:
                return v[0] != 0 || v[1] != 0;
            case Op::largest:
                return *std::max_element(v.begin(), v.end());
            case Op::smallest:
                return *std::min_element(v.begin(), v.end());
            default:
                return std::abs(v[0]);
        }
    }

    Measured aggregate(const Term& term) const {
        std::vector<std::vector<double>> columns(term.children.size());
        for (const std::size_t w : term.set)
            for (std::size_t c = 0; c < columns.size(); ++c) {
                Measured v = evaluate(term.children[c], w);
                if (!v.value) return v;
                columns[c].push_back(*v.value);
            }
        const std::vector<double>& v = columns[0];
        double sum = 0;
        for (const double x : v) sum += x;
        switch (term.op) {
            case Op::geomean:
                return geomean(term, v);
            case Op::mean:
            case Op::share:
                return sum / static_cast<double>(v.size());
            case Op::min:
                return *std::min_element(v.begin(), v.end());
            case Op::max:
                return *std::max_element(v.begin(), v.end());
            case Op::all:
                return sum == static_cast<double>(v.size()) ? 1 : 0;
            case Op::any:
                return sum != 0 ? 1 : 0;
            case Op::correlation:
                return correlation(term, v, columns[1]);
            default:
                return sum;
        }
    }

    Measured geomean(const Term& term, const std::vector<double>& v) const {
        for (std::size_t k = 0; k < v.size(); ++k)
            if (!(v[k] > 0))
                return none(fmt::format("geomean needs values above 0, but {} is {} in {}", term.arguments[0],
                                        figure_text(v[k]), name(term.set[k])));
        return geometric_mean(v);
    }

    static Measured correlation(const Term& term, const std::vector<double>& x,
                                const std::vector<double>& y) {
        if (x.size() < 2) return none("correlation needs two workloads, but covers one");
        for (const auto* values : {&x, &y})
            if (std::all_of(values->begin(), values->end(), [&](double v) { return v == values->front(); }))
                return none(fmt::format("correlation with a constant: {} is {} in every workload",
                                        term.arguments[values == &x ? 0 : 1], figure_text(values->front())));
        const double mx = mean(x), my = mean(y);
        double xy = 0, xx = 0, yy = 0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            xy += (x[k] - mx) * (y[k] - my);
            xx += (x[k] - mx) * (x[k] - mx);
            yy += (y[k] - my) * (y[k] - my);
        }
        if (!(xx > 0) || !(yy > 0)) return none("correlation: the values differ too little");
        return xy / std::sqrt(xx * yy);
    }

    const FigureOf& figures_;
    const std::vector<std::string>& workloads_;
};

}  // namespace

Measured Expression::value(const FigureOf& figures, const std::vector<std::string>& workloads) const {
    return Evaluator(figures, workloads).evaluate(*root_, kNoWorkload);
}

}  // namespace heddle::study
