#pragma once
// What the expressions of a study may refer to.

#include "study/expression.h"
#include "study/study.h"

namespace heddle::study {

/// Both must outlive the names; `metrics` grows by those that expressions name.
ExpressionNames names_of(const Study& study, std::vector<std::string>& metrics);

}  // namespace heddle::study
