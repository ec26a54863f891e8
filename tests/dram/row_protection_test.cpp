// Why two isolating streams take other clocks than in Ramulator 2.1: its rule for closing rows, modeled here by hand
// (controller_base.cpp would_close_active, scheduler/impl/frfcfs.cpp, impl/hbm_controller_base.cpp, commit c5b1c3a).
// HBM2 of one pseudo-channel, reads alone, no refresh.

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

#include "dram/reference_sets.h"

namespace heddle::dram {
namespace {

constexpr u64 kBl = 2, kCl = 14, kRcd = 14, kRp = 14, kRas = 34, kRc = 48, kRtp = 5, kCcdS = 2, kCcdL = 4,
              kRrd = 4, kFaw = 15;
constexpr u64 kStart = 1'000;  // of the clock: nothing has happened for long

struct Read {
    u32 bank, row;
};

struct Model {
    /// Protected: a row is not closed while any waiting read hits it; else only while the read that opened it waits.
    explicit Model(bool protect) : protect_(protect) {}

    u64 activates = 0;
    /// Clocks until the last read's data, counted from the first offer.
    u64 run(const std::vector<Read>& stream) {
        std::size_t next = 0, done = 0;
        u64 last = 0;
        for (clock_ = kStart; done < stream.size(); ++clock_) {
            if (next < stream.size() && queue_.size() < 32) queue_.push_back(stream[next++]);
            if (column()) {
                ++done;
                last = clock_ + kCl + kBl;
            }
            row();
        }
        return last - kStart;
    }

  private:
    static constexpr u32 kClosed = ~u32{0};
    enum class Need { activate, precharge, read };
    struct Bank {
        u32 open = kClosed;
        u64 activated = 0, precharged = 0, read = 0;
    };

    Need need(const Read& r) const {
        const u32 open = banks_[r.bank].open;
        return open == r.row ? Need::read : open == kClosed ? Need::activate : Need::precharge;
    }
    // An activate takes two clocks of the row bus, and latencies count from its second.
    bool can_read(const Read& r) const {
        return clock_ >= banks_[r.bank].activated + kRcd + 1 && clock_ >= last_read_ + kCcdS &&
               clock_ >= group_read_[r.bank % 4] + kCcdL;
    }
    bool can_precharge(const Read& r) const {
        const Bank& b = banks_[r.bank];
        return clock_ >= row_bus_ && clock_ >= b.activated + kRas + 1 && clock_ >= b.read + kRtp;
    }
    bool can_activate(const Read& r) const {
        const Bank& b = banks_[r.bank];
        return clock_ >= row_bus_ && clock_ + 1 >= b.precharged + kRp && clock_ >= b.activated + kRc &&
               clock_ >= activated_[0] + kRrd && clock_ >= activated_[3] + kFaw;
    }
    bool column() {
        for (auto* list : {&opened_, &queue_}) {
            const auto r = std::find_if(list->begin(), list->end(),
                                        [&](const Read& x) { return need(x) == Need::read && can_read(x); });
            if (r == list->end()) continue;
            banks_[r->bank].read = last_read_ = group_read_[r->bank % 4] = clock_;
            list->erase(r);
            return true;
        }
        return false;
    }
    bool protects(u32 bank) const {
        const auto here = [&](const Read& r) { return r.bank == bank; };
        if (std::any_of(opened_.begin(), opened_.end(), here)) return true;
        return protect_ && std::any_of(queue_.begin(), queue_.end(),
                                       [&](const Read& r) { return here(r) && need(r) == Need::read; });
    }
    void row() {
        for (auto r = queue_.begin(); r != queue_.end(); ++r) {
            Bank& b = banks_[r->bank];
            if (need(*r) == Need::precharge && can_precharge(*r) && !protects(r->bank)) {
                b.open = kClosed;
                b.precharged = clock_;
                row_bus_ = clock_ + 1;
                return;
            }
            if (need(*r) == Need::activate && can_activate(*r)) {
                b.open = r->row;
                b.activated = clock_;
                row_bus_ = clock_ + 2;
                std::rotate(activated_, activated_ + 3, activated_ + 4);
                activated_[0] = clock_;
                ++activates;
                opened_.push_back(*r);  // served before all others
                queue_.erase(r);
                return;
            }
        }
    }

    const bool protect_;
    u64 clock_ = 0, row_bus_ = 0, last_read_ = 0, group_read_[4] = {}, activated_[4] = {};
    std::vector<Bank> banks_ = std::vector<Bank>(16);
    std::vector<Read> queue_, opened_;
};

std::vector<Read> one_group() {  // ccdl_one_bg
    std::vector<Read> s;
    for (u32 k = 0; k < 25'600; ++k) s.push_back({k % 4 * 4, k / 128});
    return s;
}
std::vector<Read> four_groups() {  // ccds_four_bg
    std::vector<Read> s;
    for (u32 k = 0; k < 25'600; ++k) s.push_back({k % 4, k / 128});
    return s;
}

// The model counts from a request's offer, a clock before R can work on it: R's figures and the model's agree as they
// stand, Heddle's are one clock less.
TEST(DramRowProtection, RamulatorsRuleGivesRamulatorsClocksForMoreActivates) {
    Model ccdl(false), ccds(false);
    EXPECT_EQ(ccdl.run(one_group()) + 1, 103'423u);
    EXPECT_EQ(ccds.run(four_groups()) + 1, 54'217u);
    EXPECT_EQ(ccdl.activates, 2'591u);
    EXPECT_EQ(ccds.activates, 1'397u);
}

TEST(DramRowProtection, RowsThatWaitingReadsHitStayOpenAndTheClocksAreHeddles) {
    MemorySettings s = reference_sets()[0].settings;
    s.refresh = RefreshMode::off;
    for (const auto& reads : {one_group(), four_groups()}) {
        Model model(true);
        std::vector<StreamEntry> stream;
        u64 k = 0;
        // Bank group lowest in the map, then column, then bank, then row.
        for (const Read& r : reads) {
            stream.push_back(
                {(r.bank % 4) * 0x20 + k / 4 % 32 * 0x80 + r.bank / 4 * 0x1000 + u64{r.row} * 0x4000,
                 false,
                 {}});
            ++k;
        }
        const AloneResult heddle = run_alone(s, stream);
        EXPECT_EQ(heddle.read_cycles, model.run(reads));
        EXPECT_EQ(heddle.total.count(CommandKind::activate), model.activates);
        EXPECT_EQ(model.activates, 800u);
    }
}

}  // namespace
}  // namespace heddle::dram
