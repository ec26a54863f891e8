#pragma once
// The measures of a study's claims, taken from its runs.

#include <optional>
#include <string>
#include <vector>

#include "study/expression.h"
#include "study/study.h"

namespace heddle::study {

class Measurer {
  public:
    /// Both must outlive it.
    Measurer(const Study& study, const Matrix& matrix);
    Measurer(const Measurer&) = delete;
    Measurer& operator=(const Measurer&) = delete;

    const ExpressionNames& names() const { return names_; }
    /// With several seeds the mean of what each gives, with its margin; a truth value is that of the means.
    Measured value(const Expression& e, std::optional<double>& margin) const;

  private:
    /// Figures of one seed; of the mean over all for a measure that has no number.
    FigureOf figures(std::optional<std::size_t> repetition) const;

    const Matrix& matrix_;
    std::vector<std::string> metrics_, workloads_;
    ExpressionNames names_;
};

}  // namespace heddle::study
