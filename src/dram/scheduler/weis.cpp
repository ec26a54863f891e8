// WEIS, weighted-speedup scheduling: the application that has attained the least bandwidth opens rows first.
// Source: Jog et al., MEMSYS 2015. Each controller ranks by the bursts that it has moved itself.

#include "config/schema.h"
#include "dram/scheduler/application_windows.h"

namespace heddle::dram {

namespace {

struct WeisSettings : WindowSettings {
    static const config::Schema<WeisSettings>& schema();
};

const config::Schema<WeisSettings>& WeisSettings::schema() {
    using config::Unit;
    static const auto s =
        config::Schema<WeisSettings>("weis", "weighted speed-up: least attained bandwidth first")
            .key("window", &WeisSettings::window,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "1024",
                  .min = "1",
                  .max = "1000000000",
                  .about = "time over which applications are measured before they are ranked anew",
                  .source = "Jog et al., MEMSYS 2015"})
            .key("age_cap", &WeisSettings::age_cap,
                 {.unit = Unit::cycles,
                  .clock = "dram",
                  .def = "0",
                  .max = "1000000000",
                  .about = "a request that waits longer goes before row hits; 0: none does",
                  .source = "choice: Jog et al. describe no bound"});
    return s;
}

class Weis final : public ApplicationWindows {
  public:
    using Settings = WeisSettings;
    Weis(const Settings& settings, const SchedulerContext& context)
        : ApplicationWindows(settings, context, order_by_bursts) {}
};

const bool registered =
    schedulers().add<Weis>("weis", "row hits first, then weighted speed-up: least attained bandwidth first",
                           "Jog et al., MEMSYS 2015");

}  // namespace

}  // namespace heddle::dram
