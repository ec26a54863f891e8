// Every option together with every other: a set of machines in which each pair of settings occurs, each run with
// random programs. What a run must keep is checked by the run itself (conservation, nothing left anywhere); here it
// is that it ends, that it counts what the program has, and that a second run is the same.

#include <gtest/gtest.h>

#include "machine/lab.h"
#include "machine/random_program.h"

using namespace heddle;
using namespace heddle::test;

namespace {

struct Factor {
    const char* key;
    std::vector<const char*> values;
};

const std::vector<Factor>& factors() {
    static const std::vector<Factor> all = {
        {"l1.enabled", {"true", "false"}},
        {"l1.sectored", {"true", "false"}},
        {"l1.write", {"through", "back"}},
        {"l1.write_allocate", {"false", "true"}},
        {"l1.allocate", {"on_fill", "on_miss"}},
        {"l1.mshrs", {"64", "2"}},
        {"l2.sectored", {"true", "false"}},
        {"l2.write", {"through", "back"}},
        {"l2.write_allocate", {"false", "true"}},
        {"l2.allocate", {"on_fill", "on_miss"}},
        {"l2.mshrs", {"64", "3"}},
        {"l2.bypass", {"none", "reads"}},
        {"l2.insertion", {"mru", "lru"}},
        {"l2.banks", {"1", "3"}},
        {"l2.slices_per_channel", {"1", "2", "3"}},
        {"dram.queues", {"separate", "unified"}},
        {"dram.page_policy", {"open", "closed", "adaptive"}},
        {"dram.scheduler", {"fr-fcfs", "fcfs"}},
        {"dram.refresh", {"off", "all_bank", "per_bank"}},
        {"dram.release_at_activate", {"false", "true"}},
        {"dram.read_queue", {"64", "1"}},
        {"dram.channels", {"1", "2", "3"}},
        {"address_map.hash", {"xor_fold", "modulo", "xor3"}},
        {"sm.warp_scheduler", {"gto", "lrr", "oldest", "two_level"}},
        {"sm.schedulers", {"1", "2", "4"}},
        {"gpu.sms", {"2", "3"}},
        {"lsu.queue", {"8", "1"}},
        {"lsu.lines_per_cycle", {"1", "3"}},
        {"crossbar.credits", {"8", "1"}},
        {"memory_latency", {"0", "40"}},
    };
    return all;
}

using Row = std::vector<u32>;  // the value of each factor

/// Marks of the pairs (factor, value) x (factor, value) that some row has.
class Pairs {
  public:
    Pairs() {
        for (const Factor& f : factors()) {
            first_.push_back(points_);
            points_ += static_cast<u32>(f.values.size());
        }
        seen_.resize(std::size_t{points_} * points_);
        for (std::size_t a = 0; a < factors().size(); ++a)
            for (std::size_t b = a + 1; b < factors().size(); ++b)
                open_ += factors()[a].values.size() * factors()[b].values.size();
    }
    /// How many new pairs the row has; with `take` they are marked.
    u32 cover(const Row& row, bool take) {
        u32 fresh = 0;
        for (std::size_t a = 0; a < row.size(); ++a)
            for (std::size_t b = a + 1; b < row.size(); ++b) {
                const std::size_t at = std::size_t{first_[a] + row[a]} * points_ + first_[b] + row[b];
                if (seen_[at]) continue;
                ++fresh;
                if (take) seen_[at] = true;
            }
        if (take) open_ -= fresh;
        return fresh;
    }
    std::size_t open() const { return open_; }

  private:
    std::vector<u32> first_;
    u32 points_ = 0;
    std::vector<bool> seen_;
    std::size_t open_ = 0;
};

/// Greedy: of random rows, each improved value by value, the one with most new pairs.
std::vector<Row> pairwise() {
    Pairs pairs;
    Random random(1, "pairwise");
    std::vector<Row> rows;
    while (pairs.open() != 0) {
        Row best;
        u32 most = 0;
        for (u32 attempt = 0; attempt < 20; ++attempt) {
            Row row;
            for (const Factor& f : factors()) row.push_back(static_cast<u32>(random.below(f.values.size())));
            for (u32 pass = 0; pass < 2; ++pass)
                for (std::size_t f = 0; f < row.size(); ++f) {
                    u32 chosen = row[f], score = pairs.cover(row, false);
                    for (u32 v = 0; v < factors()[f].values.size(); ++v) {
                        row[f] = v;
                        if (const u32 s = pairs.cover(row, false); s > score) {
                            score = s;
                            chosen = v;
                        }
                    }
                    row[f] = chosen;
                }
            if (const u32 s = pairs.cover(row, false); best.empty() || s > most) {
                best = row;
                most = s;
            }
        }
        pairs.cover(best, true);
        rows.push_back(best);
    }
    return rows;
}

std::vector<std::string> sets_of(const Row& row) {
    std::vector<std::string> sets = {"l1.size=1KiB",
                                     "l1.ways=2",
                                     "l2.size=2KiB",
                                     "l2.ways=4",
                                     "dram.page_cap=3",
                                     "dram.page_timeout=50",
                                     "dram.write_high=8",
                                     "dram.write_low=4",
                                     "two_level.active=2",
                                     "dram.timing.REFI=700cycles",
                                     "dram.timing.REFIpb=150cycles"};
    for (std::size_t f = 0; f < row.size(); ++f)
        sets.push_back(std::string(factors()[f].key) + "=" + factors()[f].values[row[f]]);
    return sets;
}

}  // namespace

TEST(OptionMatrix, EveryPairOfOptionsRunsRandomProgramsToTheirEnd) {
    const std::vector<Row> rows = pairwise();
    EXPECT_LT(rows.size(), 40u);
    u64 seed = 0;
    for (const Row& row : rows) {
        ++seed;
        const std::vector<std::string> sets = sets_of(row);
        std::string text;
        for (const std::string& s : sets) text += s + " ";
        SCOPED_TRACE(text);
        const auto k = random_program(seed);
        u64 instructions = 0;
        for (u64 again = 0; again < (seed % 8 == 0 ? 2 : 1); ++again) {
            RunRecord r;
            const std::string error =
                error_of<std::exception>([&] { r = run(small_machine(sets), program({k})); });
            ASSERT_EQ(error, "");
            EXPECT_EQ(r.apps[0].kernels[0].ctas, k->ctas.size());
            if (again == 0)
                instructions = counter(r, "gpu.sm.warp_instructions");
            else
                EXPECT_EQ(counter(r, "gpu.sm.warp_instructions"), instructions);
            // What a program asks for does not depend on the machine.
            u64 expected = 0;
            for (const CtaStream& cta : k->ctas)
                for (u32 w = 0; w < cta.ranges.size(); ++w) {
                    CtaStream copy = cta;
                    WarpCursor cursor = copy.cursor(w, k->info);
                    for (DynInst inst; cursor.next(inst);) ++expected;
                }
            EXPECT_EQ(counter(r, "gpu.sm.warp_instructions"), expected);
        }
    }
}

TEST(OptionMatrix, TwoApplicationsShareTheMachine) {
    for (u64 seed = 100; seed < 104; ++seed) {
        auto both = [&] {
            Simulation simulation(
                small_machine({"l1.size=1KiB", "l1.ways=2", "l2.size=2KiB", "l2.ways=4", "dram.channels=2",
                               "l2.write=back", "l2.write_allocate=true"}));
            simulation.add(program({random_program(seed, {.ctas = 4})}));
            simulation.add(
                program({random_program(seed + 50, {.ctas = 4}), random_program(seed + 51, {.ctas = 3})}));
            return simulation.run({});
        };
        const RunRecord r = both();
        ASSERT_EQ(r.apps.size(), 2u);
        EXPECT_EQ(r.apps[0].kernels.size(), 1u);
        EXPECT_EQ(r.apps[1].kernels.size(), 2u);
        EXPECT_EQ(counter(r, "gpu.sm.ctas"), 11u);
        EXPECT_EQ(text_of(both()), text_of(r));
    }
}
