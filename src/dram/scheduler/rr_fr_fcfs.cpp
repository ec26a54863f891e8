// RR FR-FCFS: applications take turns in opening rows. Source: Jog et al., MEMSYS 2015. The turn is each
// controller's own (choice): it passes on from an application when a row is closed or opened for one of its requests,
// not with row hits, and passes over applications that want no row.

#include "dram/scheduler/application_order.h"
#include "dram/scheduler/bounds.h"

namespace heddle::dram {

namespace {

struct RrFrFcfsSettings {
    u64 age_cap = 0;
    static const config::Schema<RrFrFcfsSettings>& schema();
};

const config::Schema<RrFrFcfsSettings>& RrFrFcfsSettings::schema() {
    static const auto s = age_cap_key(
        config::Schema<RrFrFcfsSettings>("rr-fr-fcfs", "row hits first, then applications in turn"));
    return s;
}

class RrFrFcfs final : public ApplicationOrder {
  public:
    using Settings = RrFrFcfsSettings;
    RrFrFcfs(const Settings& settings, const SchedulerContext& context)
        : ApplicationOrder(context, settings.age_cap, true), selected_(banks()) {}

    void on_command(const Issued& issued) override {
        QueueScheduler::on_command(issued);
        if (issued.request == nullptr) return;
        if (issued.kind == CommandKind::precharge) {
            selected_[issued.bank] = issued.request;
        } else if (issued.kind == CommandKind::activate) {
            const bool before = selected_[issued.bank] == issued.request;
            selected_[issued.bank] = nullptr;
            if (before) return;
        } else {
            return;
        }
        ++selections_;
        const u8 next = static_cast<u8>(issued.request->app + 1);
        if (next == next_) return;
        next_ = next;
        ++turns_;
        set_turn(next);
    }
    void report(std::vector<PolicyCounter>& to) const override {
        to.push_back({"selections", "requests", selections_});
        to.push_back({"rank_changes", "changes", turns_, CounterMeaning::rank_changes});
    }

  private:
    std::vector<const Request*> selected_;  // by bank: for which its row was closed
    u8 next_ = 0;
    u64 selections_ = 0, turns_ = 0;
};

const bool registered = schedulers().add<RrFrFcfs>(
    "rr-fr-fcfs", "row hits first, then applications take turns", "Jog et al., MEMSYS 2015", kAgeCapBound);

}  // namespace

}  // namespace heddle::dram
