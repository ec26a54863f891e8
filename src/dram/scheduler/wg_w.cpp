// WG-W: WG-Bw, and before a write drain groups of one request go first. Source: Chatterjee et al., SC 2014. Choice:
// what counts as one request when a group has been partly served.

#include "dram/scheduler/wg.h"

namespace heddle::dram {

namespace {

struct WgWSettings : WgBwSettings {
    u32 margin = 8;
    bool partly_served = false;
    static const config::Schema<WgWSettings>& schema();
};

const config::Schema<WgWSettings>& WgWSettings::schema() {
    static const auto s =
        wg_bw_keys(config::Schema<WgWSettings>("wg-w", "warp groups, aware of write drains"))
            .key("margin", &WgWSettings::margin,
                 {.def = "8",
                  .about = "a drain is near when the writes are within this number of write_high",
                  .source = "Chatterjee et al., SC 2014"})
            .key("partly_served", &WgWSettings::partly_served,
                 {.def = "false",
                  .about = "a group with one request left counts as a group of one request",
                  .source = "choice"});
    return s;
}

class WgW final : public WgBw {
  public:
    using Settings = WgWSettings;
    WgW(const Settings& settings, const SchedulerContext& context)
        : WgBw(settings, context),
          near_(context.settings.drain_above() - std::min(context.settings.drain_above(), settings.margin)),
          partly_served_(settings.partly_served) {}

    void report(std::vector<PolicyCounter>& to) const override {
        WgBw::report(to);
        to.push_back({"units_first", "groups", units_selected()});
    }

  private:
    bool units_first() const override { return waiting_writes() >= near_; }
    bool is_unit(const Group& g) const override {
        return g.members == 1 || (partly_served_ && g.waiting == 1);
    }

    const u32 near_;
    const bool partly_served_;
};

const bool registered = schedulers().add<WgW>(
    "wg-w", "wg-bw, and before a write drain groups of one request go first", "Chatterjee et al., SC 2014",
    "once its load is complete, age_max + (2 Q (1 + 31 + 2) + D + 2) R, with writes age_max + (2 Q (1 + 31 + "
    "2) + D + 2) (B + 3) R; while a drain is near, groups of one request go before it");

}  // namespace

}  // namespace heddle::dram
