// ITS, instruction-throughput scheduling: the application with the fewest L2 misses an instruction opens rows first.
// Source: Jog et al., MEMSYS 2015. Each controller ranks by what it sees itself: misses in its own L2 slices, so that
// its MPKI is a part of the whole, which does not affect the order.

#include "dram/scheduler/application_windows.h"
#include "dram/scheduler/bounds.h"

namespace heddle::dram {

namespace {

struct ItsSettings : WindowSettings {
    ItsSettings() { memory = WindowMemory::cumulative; }
    static const config::Schema<ItsSettings>& schema();
};

const config::Schema<ItsSettings>& ItsSettings::schema() {
    static const auto s = ranking_keys(
        config::Schema<ItsSettings>("its", "instruction throughput: fewest L2 misses per instruction first"),
        "cumulative");
    return s;
}

class Its final : public ApplicationWindows {
  public:
    using Settings = ItsSettings;
    Its(const Settings& settings, const SchedulerContext& context)
        : ApplicationWindows(settings, context, order_by_mpki) {}
};

const bool registered = schedulers().add<Its>(
    "its", "row hits first, then instruction throughput: fewest L2 misses per instruction first",
    "Jog et al., MEMSYS 2015", kAgeCapBound);

}  // namespace

}  // namespace heddle::dram
