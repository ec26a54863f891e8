#pragma once
// One self-contained HTML page of a comparison or a study: no network, light and dark. Charts are drawn by Chart.js, which
// is part of the program (cmake/page.cmake); without JavaScript the page has the tables of the terminal.

#include <string>

#include "study/comparison.h"
#include "study/study.h"

namespace heddle::study {

struct PageInput {
    std::string title;
    const std::vector<BoardResult>* study = nullptr;  ///< null: a comparison
    std::vector<const Comparison*> comparisons;       ///< of each board, or the one
    std::vector<const Matrix*> matrices;              ///< as many
};

std::string page(const PageInput& input, Keys& keys);

}  // namespace heddle::study
