#include "vm/page_moves_settings.h"

namespace heddle {

const config::Schema<PageMovesSettings>& PageMovesSettings::schema() {
    using S = PageMovesSettings;
    using config::Unit;
    constexpr const char* kNuma = "Agarwal et al., HPCA 2015, sec. 4";
    static const auto s = config::Schema<S>("page_moves", "how pages move from one memory to another")
                              .key("at_once", &S::at_once,
                                   {.def = "4",
                                    .min = "1",
                                    .max = "1024",
                                    .about = "pages that move at the same time",
                                    .source = kNuma})
                              .key("stall", &S::stall,
                                   {.unit = Unit::cycles,
                                    .clock = "core",
                                    .def = "100",
                                    .max = "1000000",
                                    .about = "for which no SM looks up a translation when the GPU knows that "
                                             "of a page that moves; one "
                                             "page's after another's",
                                    .source = kNuma})
                              .key("poll", &S::poll,
                                   {.unit = Unit::cycles,
                                    .clock = "core",
                                    .def = "0",
                                    .max = "1000000000",
                                    .about = "from a candidate to when the host has noticed it",
                                    .source = "choice"});
    return s;
}

}  // namespace heddle
