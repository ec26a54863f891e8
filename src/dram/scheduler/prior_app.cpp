// Prior_App: chosen applications always go first. Source: Jog et al., MEMSYS 2015, which chooses by what is known from
// runs alone: the lowest L2 MPKI, or the lowest bandwidth (of more than two applications the whole ascending order).

#include <algorithm>
#include <numeric>

#include "dram/scheduler/application_order.h"
#include "dram/scheduler/bounds.h"
#include "sim/error.h"

namespace heddle::dram {

namespace {

struct PriorAppSettings {
    std::vector<u32> order;
    u64 age_cap = 0;
    static const config::Schema<PriorAppSettings>& schema();
};

const config::Schema<PriorAppSettings>& PriorAppSettings::schema() {
    static const auto s = age_cap_key(
        config::Schema<PriorAppSettings>("prior-app", "chosen applications first")
            .key("order", &PriorAppSettings::order,
                 {.def = "[1]",
                  .min = "1",
                  .max = "256",
                  .about = "application numbers, where 1 is the first of the run: each goes before the next; "
                           "all others follow by age",
                  .source = "Jog et al., MEMSYS 2015"})
            .check("order", [](const PriorAppSettings& p) -> std::string {
                for (std::size_t k = 0; k < p.order.size(); ++k)
                    if (std::find(p.order.begin(), p.order.begin() + static_cast<std::ptrdiff_t>(k),
                                  p.order[k]) != p.order.begin() + static_cast<std::ptrdiff_t>(k))
                        return "names application " + std::to_string(p.order[k]) + " twice";
                return "";
            }));
    return s;
}

class PriorApp final : public ApplicationOrder {
  public:
    using Settings = PriorAppSettings;
    PriorApp(const Settings& settings, const SchedulerContext& context)
        : ApplicationOrder(context, settings.age_cap) {
        AppOrder order;
        for (const u32 number : settings.order) order.push_back(static_cast<u8>(number - 1));
        if (!order.empty()) last_ = *std::max_element(settings.order.begin(), settings.order.end());
        set_ranks(order);
    }
    void applications(u32 count) override {
        if (count > 1 && last_ > count)
            throw InputError("prior-app.order names application " + std::to_string(last_) +
                             ", but there are " + std::to_string(count));
    }

  private:
    u32 last_ = 0;
};

struct LowMpkiSettings {
    std::vector<u64> profile;  // millionths
    u64 age_cap = 0;
    static const config::Schema<LowMpkiSettings>& schema();
};

const config::Schema<LowMpkiSettings>& LowMpkiSettings::schema() {
    static const auto s =
        age_cap_key(config::Schema<LowMpkiSettings>("prior-low-mpki", "lowest MPKI alone first")
                        .key("profile", &LowMpkiSettings::profile,
                             {.unit = config::Unit::ratio,
                              .def = "[]",
                              .about = "L2 misses per 1000 thread instructions of each application alone; "
                                       "commands that make several runs fill it in",
                              .source = "Jog et al., MEMSYS 2015",
                              .alone = "mpki"}));
    return s;
}

struct LowBandwidthSettings {
    std::vector<u64> profile;  // bytes a second
    u64 age_cap = 0;
    static const config::Schema<LowBandwidthSettings>& schema();
};

const config::Schema<LowBandwidthSettings>& LowBandwidthSettings::schema() {
    static const auto s =
        age_cap_key(config::Schema<LowBandwidthSettings>("prior-low-bw", "lowest bandwidth alone first")
                        .key("profile", &LowBandwidthSettings::profile,
                             {.unit = config::Unit::bandwidth,
                              .def = "[]",
                              .about = "DRAM bandwidth of each application alone, reads and writes; commands "
                                       "that make several runs fill it in",
                              .source = "Jog et al., MEMSYS 2015",
                              .alone = "bandwidth"}));
    return s;
}

/// In ascending order of its profile; equals by number.
template <class S>
class PriorByProfile final : public ApplicationOrder {
  public:
    using Settings = S;
    PriorByProfile(const Settings& settings, const SchedulerContext& context)
        : ApplicationOrder(context, settings.age_cap) {
        const auto& profile = settings.profile;
        AppOrder order(std::min<std::size_t>(profile.size(), kApps));
        std::iota(order.begin(), order.end(), u8{0});
        std::stable_sort(order.begin(), order.end(), [&](u8 a, u8 b) { return profile[a] < profile[b]; });
        values_ = profile.size();
        set_ranks(order);
    }
    void applications(u32 count) override {
        if (count > 1 && values_ != count)
            throw InputError(std::string(Settings::schema().name()) + ".profile has " +
                             std::to_string(values_) + " values for " + std::to_string(count) +
                             " applications; heddle compare and heddle study fill them in from runs alone");
    }

  private:
    std::size_t values_ = 0;
};

const bool registered = schedulers().add<PriorApp>("prior-app", "row hits first, then chosen applications",
                                                   "Jog et al., MEMSYS 2015", kAgeCapBound) &&
                        schedulers().add<PriorByProfile<LowMpkiSettings>>(
                            "prior-low-mpki", "row hits first, then applications by their MPKI alone",
                            "Jog et al., MEMSYS 2015", kAgeCapBound) &&
                        schedulers().add<PriorByProfile<LowBandwidthSettings>>(
                            "prior-low-bw", "row hits first, then applications by their bandwidth alone",
                            "Jog et al., MEMSYS 2015", kAgeCapBound);

}  // namespace

}  // namespace heddle::dram
