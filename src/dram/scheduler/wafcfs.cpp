// WAFCFS: loads are served in the order in which they are complete, their requests in the order of arrival. Source:
// Chatterjee et al., SC 2014 (printed WAFDFS), for Yuan et al., MICRO 2008.

#include "dram/scheduler/warp_groups.h"

namespace heddle::dram {

namespace {

struct WafcfsSettings : WarpGroupSettings {
    static const config::Schema<WafcfsSettings>& schema();
};

const config::Schema<WafcfsSettings>& WafcfsSettings::schema() {
    static const auto s =
        warp_group_keys(config::Schema<WafcfsSettings>("wafcfs", "first come, first served by load"));
    return s;
}

class Wafcfs final : public WarpGroups {
  public:
    using Settings = WafcfsSettings;
    Wafcfs(const Settings& settings, const SchedulerContext& context) : WarpGroups(settings, context) {}

  private:
    u16 select(Cycle) override {
        u16 first = kNone;
        for (const u16 g : active())
            if (group(g).complete && (first == kNone || group(g).completed < group(first).completed))
                first = g;
        return first;
    }
    /// Of one bank at a time: that of the oldest member.
    BankMask banks_to_serve() const override {
        u32 oldest = kMaxBanks;
        u64 least = ~u64{0};
        current_banks().each([&](u32 bank) {
            for (const QueueEntry& e : reads(bank)) {
                if (group_of(e) != current()) continue;
                if (e.order < least) {
                    least = e.order;
                    oldest = bank;
                }
                break;
            }
        });
        BankMask one;
        one.set(oldest);
        return one;
    }
    QueueEntry* next_in(u32 bank) override {
        QueueEntry* e = reads(bank).begin();
        while (group_of(*e) != current()) ++e;
        return e;
    }
};

const bool registered =
    schedulers().add<Wafcfs>("wafcfs", "loads in the order in which they become complete, without reordering",
                             "Chatterjee et al., SC 2014, for Yuan et al., MICRO 2008",
                             "once its load is complete, (Q + D + 2) R, with writes (Q + D + 2) (B + 3) R");

}  // namespace

}  // namespace heddle::dram
