// What a study becomes: its small form, one of its boards.

#include "study/study.h"

namespace heddle::study {

Study small_form(Study study) {
    study.name += kSmallEnd;
    study.is_small = true;
    for (StudyWorkload& w : study.workloads) w.apps = w.small;
    return study;
}

Study on_board(const Study& study, std::size_t board) {
    const Board& b = study.boards.at(board);
    Study out = study;
    out.boards = {b};
    for (std::size_t v = 0; v < out.variants.size(); ++v) {
        Variant& variant = out.variants[v];
        VariantPlaces& places = out.places[v];
        if (!study.own_machine[v]) {
            variant.machine = b.machine;
            places.machine = b.places.machine;
        }
        variant.sets.insert(variant.sets.begin(), b.sets.begin(), b.sets.end());
        places.sets.insert(places.sets.begin(), b.places.sets.begin(), b.places.sets.end());
    }
    return out;
}

}  // namespace heddle::study
