// ITS, instruction-throughput scheduling: the application with the fewest L2 misses an instruction opens rows first.
// Source: Jog et al., MEMSYS 2015. Each controller ranks by what it sees itself: misses in its own L2 slices, so that
// its MPKI is a part of the whole, which does not affect the order.

#include "config/schema.h"
#include "dram/scheduler/application_windows.h"

namespace heddle::dram {

namespace {

struct ItsSettings : WindowSettings {
    static const config::Schema<ItsSettings>& schema();
};

const config::Schema<ItsSettings>& ItsSettings::schema() {
    using config::Unit;
    static const auto s =
        config::Schema<ItsSettings>("its", "instruction throughput: fewest L2 misses an instruction first")
            .key("window", &ItsSettings::window,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "1024",
                  .min = "1",
                  .max = "1000000000",
                  .about = "time over which applications are measured before they are ranked anew",
                  .source = "Jog et al., MEMSYS 2015"})
            .key("age_cap", &ItsSettings::age_cap,
                 {.unit = Unit::cycles,
                  .clock = "dram",
                  .def = "0",
                  .max = "1000000000",
                  .about = "a request that waits longer goes before row hits; 0: none does",
                  .source = "choice: Jog et al. describe no bound"});
    return s;
}

class Its final : public ApplicationWindows {
  public:
    using Settings = ItsSettings;
    Its(const Settings& settings, const SchedulerContext& context)
        : ApplicationWindows(settings, context, order_by_mpki) {}
};

const bool registered = schedulers().add<Its>(
    "its", "row hits first, then instruction throughput: fewest L2 misses an instruction first",
    "Jog et al., MEMSYS 2015");

}  // namespace

}  // namespace heddle::dram
