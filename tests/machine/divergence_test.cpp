// lsu.divergence: how the requests of a load fared in DRAM.

#include "machine/lab.h"

namespace heddle::test {
namespace {

constexpr u64 kChannels = 2, kBlock = 256;           // blocks go to the channels in turn
constexpr u64 kRow = kChannels * 2048, kBanks = 16;  // of a channel; rows of 2 KiB go to the banks in turn

/// Lines of one load, each of one lane.
void load_at(WarpWriter& w, u16 reg, const std::vector<u64>& offsets) {
    std::vector<u64> addresses;
    for (const u64 offset : offsets) addresses.push_back(kData + offset);
    w.memory(MemOp::load, reg, {}, addresses, {}, (u64{1} << offsets.size()) - 1);
    w.use(reg);
}

RunRecord measured(const std::vector<std::vector<u64>>& loads, const char* count = "true") {
    return run({std::string("lsu.divergence=") + count, "dram.channels=2", "gpu.address_map.hash=modulo"}, {},
               [&](WarpWriter& w) {
                   for (u16 k = 0; k < loads.size(); ++k) load_at(w, static_cast<u16>(k + 1), loads[k]);
               });
}

u64 of(const RunRecord& r, const std::string& name) {
    return counter(r, "gpu.divergence." + name);
}

TEST(Divergence, CountsTheDifferentChannelsBanksAndRowsOfEachLoad) {
    const RunRecord r = measured({
        // Twice a row, the other channel, another bank, another row of the first bank.
        {0, 128, kBlock, kRow, kRow * kBanks},
        {kRow * 2},       // alone
        {0, kRow * 2},    // both in L1 now: DRAM sees nothing
        {128, kRow * 3},  // one in L1
    });
    EXPECT_EQ(of(r, "loads"), 3u);
    EXPECT_EQ(of(r, "requests"), 5u + 1 + 1);
    EXPECT_EQ(of(r, "channels"), 2u + 1 + 1);
    EXPECT_EQ(of(r, "banks"), 3u + 1 + 1);
    EXPECT_EQ(of(r, "rows"), 4u + 1 + 1);
    EXPECT_EQ(of(r, "multi_loads"), 1u);
}

TEST(Divergence, LastDataOfALoadAloneAreThoseOfItsLatency) {
    const RunRecord r = measured({{0, kRow * kBanks}});  // two rows of a bank
    const u64 first = of(r, "first_cycles"), last = of(r, "last_cycles");
    EXPECT_EQ(last, r.load_latency_cycles->sum);
    EXPECT_EQ(first, measured({{0}}).load_latency_cycles->sum);
    EXPECT_EQ(of(r, "last_over_first"), last * 1000 / first);
}

TEST(Divergence, ChangesNothingAndIsNotThereUnlessAsked) {
    const std::vector<std::vector<u64>> loads = {{0, kBlock, kRow}, {kRow * 5, kRow * 7}};
    RunRecord with = measured(loads);
    const RunRecord without = measured(loads, "false");
    const std::size_t counters = with.counters.size();
    std::erase_if(with.counters,
                  [](const CounterRecord& c) { return c.name.starts_with("gpu.divergence."); });
    EXPECT_EQ(counters - with.counters.size(), 9u);
    with.machine_yaml = without.machine_yaml;
    EXPECT_EQ(text_of(with), text_of(without));
}

}  // namespace
}  // namespace heddle::test
