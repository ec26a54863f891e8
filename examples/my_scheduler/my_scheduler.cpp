// oldest-app: row hits first, then the application that has waited longest, then the oldest request.
// An example of an out-of-tree scheduler; docs/policies.md explains what each function is for.

#include "config/schema.h"
#include "dram/scheduler/queue_scheduler.h"

namespace {

using namespace heddle;
using namespace heddle::dram;

// Parameters: a plain struct and its declaration. In the machine file they look like this:
//     scheduler: oldest-app
//     oldest-app: {hits_in_a_row: 8}
struct OldestAppSettings {
    u32 hits_in_a_row = 8;
    static const config::Schema<OldestAppSettings>& schema() {
        static const auto s =
            config::Schema<OldestAppSettings>("oldest-app", "the application that has waited longest first")
                .key("hits_in_a_row", &OldestAppSettings::hits_in_a_row,
                     {.def = "8",
                      .min = "1",
                      .about = "row hits that a bank serves before a conflict may go"});
        return s;
    }
};

class OldestApp final : public QueueScheduler {
  public:
    using Settings = OldestAppSettings;
    OldestApp(const Settings& settings, const SchedulerContext& context)
        : QueueScheduler(context), settings_(settings), rank_(256), streak_(banks()) {}

    void on_command(const Issued& issued) override {
        if (issued.kind == CommandKind::activate || issued.closes) streak_[issued.bank] = 0;
        if (issued.last) ++streak_[issued.bank];
        QueueScheduler::on_command(issued);
    }

  private:
    // The order of requests: above, row hit, below, age. Smaller goes first.
    Rank rank(const Request& request, u8) const override { return {0, rank_[request.app]}; }
    bool hits_first(u32 bank) const override { return streak_[bank] < settings_.hits_in_a_row; }

    // The application moves to the end of the order; those that were behind it move up.
    void served(const Request& request, u8, Cycle) override {
        const u8 before = rank_[request.app];
        if (before == 255) return;  // already last: no rank changes
        for (u8& rank : rank_) rank = static_cast<u8>(rank - (rank > before));
        rank_[request.app] = 255;
        rerank();
    }

    const Settings settings_;
    std::vector<u8> rank_;  // by application
    std::vector<u32> streak_;
};

const bool registered = schedulers().add<OldestApp>(
    "oldest-app", "row hits, then the application that has waited longest", "example");

}  // namespace
