#include "study/measurer.h"

#include "study/statistics.h"
#include "study/study_names.h"

namespace heddle::study {

Measurer::Measurer(const Study& study, const Matrix& matrix)
    : matrix_(matrix), metrics_(study.metrics), names_(names_of(study, metrics_)) {
    for (const StudyWorkload& w : study.workloads) workloads_.push_back(w.name);
}

FigureOf Measurer::figures(std::optional<std::size_t> repetition) const {
    return [this, repetition](std::size_t name, std::size_t variant, std::size_t workload) -> Measured {
        const Metric metric = matrix_.metric(metrics_[name]);
        const auto v = repetition ? matrix_.figure(metric, workload, variant, *repetition)
                                  : matrix_.figure(metric, workload, variant);
        if (v) return *v;
        const bool ran = matrix_.cell(workload, variant, repetition.value_or(0)).result.has_value();
        return {v, ran ? "its run has no such figure" : "its run failed"};
    };
}

Measured Measurer::value(const Expression& e, std::optional<double>& margin) const {
    if (matrix_.repetitions() == 1 || e.is_truth()) return e.value(figures({}), workloads_);
    std::vector<double> sample;
    for (std::size_t r = 0; r < matrix_.repetitions(); ++r) {
        Measured one = e.value(figures(r), workloads_);
        if (!one.value) return one;
        sample.push_back(*one.value);
    }
    const Estimate estimated = estimate(sample);
    margin = estimated.margin;
    return estimated.mean;
}

}  // namespace heddle::study
