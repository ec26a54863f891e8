// The independent auditor judges the controller: every standard, refresh mode, page policy and scheduler.

#include "dram/audited.h"

#include <gtest/gtest.h>

#include "all_kinds.h"
#include "dram/audit/text.h"
#include "dram/reference_sets.h"
#include "dram/scheduler.h"
#include "machines.h"

namespace heddle::dram {
namespace {

std::string verdict(const MemorySettings& s, const std::vector<StreamEntry>& stream) {
    Audit audit(s, s.standard);
    AloneOptions options;
    options.observer = &audit;
    const AloneResult r = run_alone(s, stream, options);
    try {
        audit.finish(Cycle(r.cycles));
    } catch (const InvariantError& e) {
        return e.what();
    }
    return audit.auditor().commands() == 0 ? "no command was seen" : "";
}

TEST(DramAudited, TheAuditorFindsNothingInAnyStandardRefreshModeOrPagePolicy) {
    for (const MemorySettings& s : all_kinds())
        EXPECT_EQ(verdict(s, mixture(2'000, 1 << 22, 64, 0x5eed)), "") << name_of(s);
}

TEST(DramAudited, TheAuditorFindsNothingUnderAnyScheduler) {
    const auto stream = reference_stream("random_rw70", 3'000);
    for (const auto& [name, entry] : schedulers().entries()) {
        MemorySettings s = reference_sets()[0].settings;
        s.scheduler = scheduler_choice(name);
        EXPECT_EQ(verdict(s, stream), "") << name;
    }
}

// GDDR6 lets a one-bank refresh wait for every auto-precharge of the channel. Under closed pages there is always one.
TEST(DramAudited, AutoPrechargesDoNotPutOffOneBankRefreshes) {
    MemorySettings s = of_part("gddr6");
    s.refresh = RefreshMode::per_bank;
    s.page_policy = PagePolicyKind::closed;
    s.scheduler = scheduler_choice("fcfs");
    std::vector<StreamEntry> stream;
    Xorshift next{0x5eed};
    for (u64 k = 0; k < 10'000; ++k) stream.push_back({next() % (1 << 26) / 64 * 64, next() % 4 == 0});
    EXPECT_EQ(verdict(s, stream), "");
}

TEST(DramAudited, TheAuditorFindsNothingOnThePapersGddr5Machines) {
    for (MemorySettings s : {gtx480(), gtx480_wg()}) {
        s.channels = 1;
        EXPECT_EQ(verdict(s, mixture(4'000, 1 << 22, 128, 0xfeed)), "");
    }
}

TEST(DramAudited, AWrongDeviceIsFoundOut) {
    // The auditor is told a longer row cycle than the controller keeps.
    MemorySettings s = reference_sets()[0].settings;
    MemorySettings longer = s;
    longer.timing.RC = clocks(80);
    Audit audit(longer, "longer");
    AloneOptions options;
    options.observer = &audit;
    const AloneResult r = run_alone(s, reference_stream("random_rd", 500), options);
    EXPECT_THROW(audit.finish(Cycle(r.cycles)), InvariantError);
}

}  // namespace
}  // namespace heddle::dram
