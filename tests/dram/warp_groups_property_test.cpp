// Properties of every scheduler under random loads of random warps: each request returns once, no command breaks a rule,
// and under aging no complete group waits for ever.

#include <gtest/gtest.h>
#include <map>

#include "all_kinds.h"
#include "dram/audited.h"
#include "dram/scheduler.h"
#include "machines.h"
#include "mem/request_pool.h"

namespace heddle::dram {
namespace {

/// Two channels with their messages, and loads that send up to eight requests to each.
class Loads final : private PeerPort {
  public:
    explicit Loads(MemorySettings s) : audit_(s, "random loads") {
        s.channels = kChannels;
        for (u16 c = 0; c < kChannels; ++c) {
            channels_.emplace_back(s, c);
            channels_.back().connect(this);
        }
        channels_[0].observe(&audit_);
    }
    void run(u32 loads) {
        Xorshift random{0x5eed};
        std::array<std::vector<Request*>, kChannels> due;
        std::array<u32, kChannels> at{};
        for (u32 load = 0; load < loads; ++load) {
            for (u32 c = 0; c < kChannels; ++c) {
                const u64 n = random() % 4 == 0 ? 1 + random() % 8 : random() % 3;
                for (u64 k = 0; k < n; ++k) {
                    Request* r = pool_.take();
                    r->local = PhysAddr(random() % 16 * 65536 * (1 + random() % 4) + random() % 512 * 128);
                    r->line = r->local;
                    r->sectors = random() % 2 ? 15 : 3;
                    r->load = load;
                    r->origin.unit = static_cast<u16>(load % 4);
                    r->origin.slot = static_cast<u8>(load % 32);
                    if (random() % 5 == 0) r->kind = RequestKind::write, r->load = Request::kNoLoad;
                    due[c].push_back(r);
                }
            }
        }
        for (Cycle now{0};; now = now + 1) {
            bool busy = false;
            for (u32 c = 0; c < kChannels; ++c) {
                Channel& channel = channels_[c];
                // A pause after every hundred requests.
                while (at[c] < due[c].size() && now.v >= at[c] / 100 * 700 &&
                       channel.can_accept(*due[c][at[c]])) {
                    Request* r = due[c][at[c]++];
                    sent_ += 1;
                    channel.accept(r, now);
                    const bool last = at[c] == due[c].size() || due[c][at[c]]->load != r->load;
                    if (r->load != Request::kNoLoad) ++members_[{c, r->load}];
                    if (r->load != Request::kNoLoad && last)
                        complete_.push_back({c, r->origin.unit, r->load});
                }
                busy |= at[c] < due[c].size();
            }
            // Completeness of a load interrupted by a write comes with its last part.
            for (const auto& [c, sm, load] : complete_) {
                bool more = false;
                for (u32 k = at[c]; k < due[c].size() && k < at[c] + 20; ++k) more |= due[c][k]->load == load;
                if (!more) channels_[c].group_complete({sm, load}, members_[{c, load}], now);
            }
            complete_.clear();
            for (Channel& channel : channels_) {
                channel.step(now);
                while (const auto* done = channel.completion()) {
                    if (done->at > now) break;
                    longest_ = std::max(longest_, done->at - done->request->arrived);
                    ++returned_;
                    pool_.give(done->request);
                    channel.pop_completion();
                }
                busy |= channel.waiting() != 0 || channel.completion() != nullptr;
            }
            if (!busy || now.v > 4'000'000) break;
        }
    }
    u64 sent() const { return sent_; }
    u64 returned() const { return returned_; }
    u64 live() const { return pool_.live(); }
    u64 longest() const { return longest_; }
    Audit& audit() { return audit_; }

  private:
    static constexpr u16 kChannels = 2;
    void broadcast(const Message& message, Cycle at) override {
        for (u16 c = 0; c < kChannels; ++c)
            if (c != message.source) channels_[c].deliver(message, at);
    }
    struct Told {
        u32 channel;
        u16 sm;
        u32 load;
    };
    Audit audit_;
    std::vector<Channel> channels_;
    RequestPool pool_;
    std::map<std::pair<u32, u32>, u32> members_;
    std::vector<Told> complete_;
    u64 sent_ = 0, returned_ = 0, longest_ = 0;
};

TEST(DramWarpGroupsProperty, EachRequestOfRandomLoadsReturnsOnceAndNoGroupStarves) {
    for (const char* scheduler :
         {"gmc", "wg", "wg-m", "wg-bw", "wg-w", "sbwas", "wafcfs", "zero-latency-divergence"}) {
        MemorySettings s = gtx480_wg();
        s.scheduler = scheduler_choice(scheduler);
        Loads loads(s);
        loads.run(2'000);
        EXPECT_EQ(loads.returned(), loads.sent()) << scheduler;
        EXPECT_EQ(loads.live(), 0u) << scheduler;
        EXPECT_NO_THROW(loads.audit().finish(loads.audit().last_command())) << scheduler;
        // Once a complete group is older than 10,000 clocks only those that are older still, at most a read queue of row
        // cycles (60 clocks each), and write drains (48 writes, 60 each) are ahead of it.
        if (std::string(scheduler).starts_with("wg")) {
            EXPECT_LE(loads.longest(), 10'000u + (64 + 48 + 64) * 60u) << scheduler;
        }
    }
}

}  // namespace
}  // namespace heddle::dram
