// The bound "zero latency divergence": GMC, but once a first request of a warp's load has been served anywhere, the load's
// other requests, in all channels, need no activate and no precharge and meet no bank conflict. They still queue for the
// data bus of their channel. Source: Chatterjee et al., SC 2014. Choices: served is a request whose first column command
// has been issued; the other controllers know one clock later; the reads so freed go before other reads, and like
// these not while writes are drained.

#include "dram/scheduler/gmc.h"
#include "dram/scheduler/served_loads.h"

namespace heddle::dram {

namespace {

struct ZeroLatencyDivergenceSettings : CommandQueueSettings {
    static const config::Schema<ZeroLatencyDivergenceSettings>& schema();
};
const config::Schema<ZeroLatencyDivergenceSettings>& ZeroLatencyDivergenceSettings::schema() {
    static const auto s = command_queue_keys(
        config::Schema<ZeroLatencyDivergenceSettings>("zero-latency-divergence", "an ideal bound"));
    return s;
}

class ZeroLatencyDivergence final : public Gmc {
  public:
    using Settings = ZeroLatencyDivergenceSettings;
    ZeroLatencyDivergence(const Settings& settings, const SchedulerContext& context)
        : Gmc(settings, context) {}

    void on_command(const Issued& issued) override {
        const Request* r = issued.request;
        const bool first = r != nullptr && slot_of(issued.kind) == Slot::read &&
                           r->bursts_left + 1 == r->bursts && in_group(*r);
        CommandQueues::on_command(issued);
        if (!first || !serve(key_of(*r), issued.now)) return;
        context_.network.send({0, 0, 0, key_of(*r), 0}, issued.now, 1);
    }
    void on_message(const Message& message, Cycle now) override { serve(message.key, now); }
    void report(std::vector<PolicyCounter>& to) const override {
        CommandQueues::report(to);
        to.push_back({"reads_without_bank", "requests", freed_});
    }

  private:
    /// A load is remembered for this long after its first request was served. It is over by then, and until the SM gives
    /// its name to another load it takes 4,096 loads more.
    static constexpr u64 kRemembered = 50'000;

    static u64 key_of(const Request& r) { return GroupKey(r).packed(); }

    bool arrived(Request* read, Cycle now) override {
        if (in_group(*read) && served_.contains(key_of(*read), now)) {
            ready_.push_back(read);
        } else {
            Gmc::arrived(read, now);
        }
        return true;
    }
    BankMask wanted(Cycle now) override {
        for (Request* read : ready_) need_no_bank(read, now);
        freed_ += ready_.size();
        ready_.clear();
        return Gmc::wanted(now);
    }
    /// The load's first request has been served; false if that is known.
    bool serve(u64 key, Cycle now) {
        if (!served_.insert(key, now)) return false;
        const auto of_this = [key](const Request& r) { return in_group(r) && key_of(r) == key; };
        const BankMask waiting = streams().banks();
        waiting.each([&](u32 bank) {
            streams().take_all(bank, of_this, [this](Request* read) { ready_.push_back(read); });
        });
        const u32 freed = queues_empty() ? 0 : queued_need_no_bank(of_this);
        freed_ += freed;
        if (freed != 0 || !ready_.empty()) wake(now);
        return true;
    }

    ServedLoads served_{kRemembered};
    std::vector<Request*> ready_;  // that need no bank and wait for the next step outside a drain
    u64 freed_ = 0;
};

const bool registered = schedulers().add<ZeroLatencyDivergence>(
    "zero-latency-divergence", "bound: after a load's first request, the others take only the data bus",
    "Chatterjee et al., SC 2014",
    "age_threshold + (Q + D + 2) R, with writes age_threshold + (Q + D + 2) (B + 3) R; reads that need no "
    "bank go "
    "before all others, without a bound");

}  // namespace

}  // namespace heddle::dram
