// WEIS, weighted-speedup scheduling: the application that has attained the least bandwidth opens rows first.
// Source: Jog et al., MEMSYS 2015. Each controller ranks by the bursts that it has moved itself.

#include "dram/scheduler/application_windows.h"
#include "dram/scheduler/bounds.h"

namespace heddle::dram {

namespace {

struct WeisSettings : WindowSettings {
    static const config::Schema<WeisSettings>& schema();
};

const config::Schema<WeisSettings>& WeisSettings::schema() {
    static const auto s = ranking_keys(
        config::Schema<WeisSettings>("weis", "weighted speed-up: least attained bandwidth first"), "window");
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
                           "Jog et al., MEMSYS 2015", kAgeCapBound);

}  // namespace

}  // namespace heddle::dram
