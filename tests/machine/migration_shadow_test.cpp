// Nothing is lost while pages move. Timing carries no data, so a shadow memory does: each write has a sequence number, which
// L2 and DRAM hold, fetch, write back and copy as the machine does these things, line by line. A read finds at its page's
// home the number of the last write to its address. Where the page was before, only reads that were on their way when it
// moved may come, and no write.
//
// The shadow sees lines of physical memory and knows from the page tables which virtual line each of them is.

#include <map>
#include <unordered_map>

#include "machine/numa_lab.h"
#include "sim/random.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// What goes wrong on purpose, once each time it can.
enum class Fault : u8 { none, lost_write_back, early_copy, stale_translation };

class Shadow final : public HomeObserver {
  public:
    Shadow(Machine& machine, Fault fault) : machine_(machine), fault_(fault) {
        for (const auto& slice : machine.home().slices()) {
            next_ = slice->home_observer();
            slice->observe_home(this);
        }
    }

    u64 reads = 0, writes = 0, moved_lines = 0;
    std::vector<std::string> wrong;

    void performed(const Request& r, Cycle now) override {
        if (next_ != nullptr) next_->performed(r, now);
        const u64 line = r.line.v;
        if (r.kind == RequestKind::write || r.kind == RequestKind::reduction ||
            r.kind == RequestKind::atomic) {
            check(r, value_of(r), now);
            l2_[line] = {++sequence_, true};
            last_[virtual_line(line)] = sequence_;
            ++writes;
            if (fault_ == Fault::stale_translation && writes == 2000) remap(virtual_line(line));
            return;
        }
        ++reads;
        check(r, value_of(r), now);
    }
    void sent_down(const Request& r, Cycle now) override {
        if (next_ != nullptr) next_->sent_down(r, now);
        const u64 line = r.line.v;
        if (r.cls == RequestClass::migration) {
            virtual_line(line);  // which page it was is known from now on
            if (!r.is_write()) {
                copied_[&r] = fault_ == Fault::early_copy ? before_[line] : dram_[line];
                return;
            }
            dram_[line] = copied_.at(&r);
            ++moved_lines;
            return;
        }
        if (!r.is_write()) {
            fetched_[&r] = dram_[line];
            return;
        }
        const auto held = l2_.find(line);
        ASSERT_NE(held, l2_.end());
        before_[line] = dram_[line];
        if (fault_ != Fault::lost_write_back) dram_[line] = held->second.value;
        // It left the cache: an eviction, or room for a page that moves.
        l2_.erase(held);
    }
    void filled(const Request& r, Cycle now) override {
        if (next_ != nullptr) next_->filled(r, now);
        Held& held = l2_[r.line.v];
        if (!held.dirty) held = {fetched_.at(&r), false};
        fetched_.erase(&r);
    }

  private:
    struct Held {
        u64 value = 0;
        bool dirty = false;
    };

    /// What the request finds at its home.
    u64 value_of(const Request& r) {
        if (const auto around = fetched_.find(&r); r.goes_around && around != fetched_.end()) {
            const u64 value = around->second;
            fetched_.erase(around);
            return value;
        }
        const auto held = l2_.find(r.line.v);
        return held != l2_.end() ? held->second.value : dram_[r.line.v];
    }
    void check(const Request& r, u64 value, Cycle now) {
        constexpr u64 kLongest = 20'000;  // cycles from an SM to a home
        const u64 address = virtual_line(r.line.v);
        const u64 frame = r.line.v >> kFrameShift;
        if (machine_.processes()->process(0).table.find(VirtAddr(address)).frame() != frame) {
            const Cycle left = left_.try_emplace(frame, now).first->second;
            if (r.kind != RequestKind::read)
                say(address, "is written where it was");
            else if (now > left + kLongest)
                say(address, "is still read where it was");
        } else if (value != last_[address]) {
            say(address, "has " + std::to_string(value) + ", not " + std::to_string(last_[address]));
        }
    }
    void say(u64 address, const std::string& what) {
        if (wrong.size() < 5) wrong.push_back(std::to_string(address) + " " + what);
    }
    /// The page gets another frame, and nobody is told.
    void remap(u64 address) {
        Processes& processes = machine_.home().translation()->processes();
        const PageKey page(0, VirtAddr(address), PageSize::small);
        processes.remap(page, processes.take_in(0, page));
    }
    /// Which line of the address space a physical line is or was: known from the page that was there.
    u64 virtual_line(u64 physical) {
        const u64 frame = physical >> kFrameShift;
        const auto known = page_of_frame_.find(frame);
        if (known != page_of_frame_.end()) return known->second << kFrameShift | (physical & 4095);
        for (u64 page = kData >> kFrameShift; page < (kData >> kFrameShift) + 256; ++page) {
            const Mapping m = machine_.processes()->process(0).table.find(VirtAddr(page << kFrameShift));
            if (m.any()) page_of_frame_.emplace(m.frame(), page);
        }
        const auto now_known = page_of_frame_.find(frame);
        return now_known == page_of_frame_.end() ? 0 : now_known->second << kFrameShift | (physical & 4095);
    }

    Machine& machine_;
    Fault fault_;
    HomeObserver* next_ = nullptr;
    u64 sequence_ = 0;
    std::unordered_map<u64, Held> l2_;  // by physical line
    std::unordered_map<u64, u64> dram_, before_;
    std::unordered_map<u64, u64> last_;  // by virtual line: the last write performed
    std::unordered_map<const Request*, u64> fetched_, copied_;
    std::unordered_map<u64, u64> page_of_frame_;
    std::unordered_map<u64, Cycle> left_;  // frames that pages have left, and since when they surely have
};

/// Random reads, writes and atomics of 64 pages by all warps, past L1, which keeps no order between SMs.
std::shared_ptr<const ScriptKernel> random_accesses(u64 seed, u32 steps) {
    return kernel({.ctas = 16, .threads = 128}, [=](WarpWriter& w) {
        Random random(seed * 1000 + w.cta * 10 + w.warp, "shadow");
        for (u32 k = 0; k < steps; ++k) {
            // A few pages are hot, so that lines of pages that move are in L2 and in use.
            const u64 page = random.chance(1, 2) ? random.below(4) : random.below(64);
            const u64 a = line_of(page, random.below(32));
            switch (random.below(6)) {
                case 0:
                case 1:
                    w.store1(a);
                    break;
                case 2:
                    w.memory(MemOp::reduction, WarpWriter::kNone, {}, {a}, {}, 1);
                    break;
                case 3:
                    w.memory(MemOp::atomic, 3, {}, {a}, {}, 1);
                    break;
                default:
                    w.load1(1, {}, a, true);
            }
            if (random.chance(1, 3)) w.alu(OpClass::int_add, 2, {1});
        }
    });
}

struct Seen {
    u64 reads, writes, moved_lines;
    std::vector<std::string> wrong;
};

Seen shadowed(const std::vector<std::string>& sets, u64 seed, u32 steps, Fault fault = Fault::none) {
    Simulation simulation(numa_machine(sets));
    simulation.add(program(
        {AllocEvent{kData, 64 * 4096}, random_accesses(seed, steps), random_accesses(seed + 1, steps)}));
    Shadow shadow(simulation.machine(), fault);
    simulation.run({});
    return {shadow.reads, shadow.writes, shadow.moved_lines, shadow.wrong};
}

// A line of which a part is on its way must not be evicted, or what comes is older than what was written back.
const std::vector<std::string> kSmallL2{"gpu.l2.size=4KiB", "gpu.l2.ways=4", "gpu.l2.allocate=on_miss",
                                        "migration=threshold"};

std::vector<std::string> with(std::vector<std::string> sets, const std::vector<std::string>& more) {
    sets.insert(sets.end(), more.begin(), more.end());
    return sets;
}

}  // namespace

TEST(MigrationShadow, NoWriteIsLostWhilePagesMove) {
    u64 accesses = 0, lines = 0;
    const std::vector<std::vector<std::string>> machines{
        {},
        {"threshold.threshold=3", "page_moves.stall=0"},
        {"threshold.range=16", "page_moves.at_once=16"},
        {"gpu.l2.size=64KiB", "gpu.l2.ways=8", "gpu.l2.write_miss=fetch"},
        {"gpu.translation.design=shared-tlb", "gpu.translation.l1_tlb.entries=4",
         "gpu.translation.l1_tlb.ways=4"},
        {"gpu.translation.design=pwcache", "page_moves.stall=0", "links.link.latency=400"},
        {"page_moves.poll=500", "links.link.bandwidth=4GB/s"},
    };
    for (const auto& sets : machines)
        for (u64 seed = 1; seed <= 4; ++seed) {
            const Seen o = shadowed(with(kSmallL2, sets), seed, 400);
            EXPECT_EQ(o.wrong, std::vector<std::string>{}) << testing::PrintToString(sets) << " " << seed;
            EXPECT_GT(o.moved_lines, 0u);
            accesses += o.reads + o.writes;
            lines += o.moved_lines;
        }
    EXPECT_GT(accesses, 1'000'000u);
    EXPECT_GT(lines, 10'000u);
}

TEST(MigrationShadow, ItSeesWhatItIsFor) {
    const auto caught = [](Fault fault) {
        u64 n = 0;
        for (u64 seed = 1; seed <= 2; ++seed) n += shadowed(kSmallL2, seed, 400, fault).wrong.size();
        return n;
    };
    EXPECT_GT(caught(Fault::lost_write_back), 0u);
    EXPECT_GT(caught(Fault::early_copy), 0u);
    const std::vector<std::string> still{"gpu.translation.design=shared-tlb"};
    EXPECT_EQ(shadowed(still, 1, 400).wrong, std::vector<std::string>{});
    EXPECT_NE(shadowed(still, 1, 400, Fault::stale_translation).wrong, std::vector<std::string>{});
}
