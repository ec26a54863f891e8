// Asynchronous copies: a warp goes on at once, and a wait holds it until the groups that it names have come.

#include <gtest/gtest.h>

#include "machine/lab.h"

namespace heddle::test {
namespace {

constexpr u64 kFar = kData + (u64{1} << 20);

void copy(WarpWriter& w, u64 address) {
    w.memory(MemOp::async_copy, WarpWriter::kNone, {}, {address}, {}, 1);
}
void work(WarpWriter& w) {
    for (int k = 0; k < 400; ++k) w.alu(OpClass::int_add, 1, {1});
}

template <class Write>
u64 cycles_of(Write write) {
    return cycles({"memory_latency=300"}, {.threads = 32}, write);
}

TEST(AsyncCopies, AWaitTakesAsLongAsTheUseOfALoadsResult) {
    const u64 load = cycles_of([](WarpWriter& w) {
        w.load1(2, {}, kData);
        w.alu();
        w.use(2);
        w.alu(OpClass::int_add, 1, {1});
        w.use(1);
    });
    const u64 waited = cycles_of([](WarpWriter& w) {
        copy(w, kData);
        w.copies(AsyncRole::commit);
        w.copies(AsyncRole::wait);
        w.alu(OpClass::int_add, 1, {1});
        w.use(1);
    });
    EXPECT_EQ(waited, load);
}

TEST(AsyncCopies, WithoutAWaitTheyHideBehindOtherWork) {
    const u64 alone = cycles_of([](WarpWriter& w) { work(w); });
    const u64 unwaited = cycles_of([](WarpWriter& w) {
        copy(w, kData);
        w.copies(AsyncRole::commit);
        work(w);
    });
    const u64 after = cycles_of([](WarpWriter& w) {
        copy(w, kData);
        w.copies(AsyncRole::commit);
        w.copies(AsyncRole::wait);
        work(w);
    });
    EXPECT_LE(unwaited, alone + 4);
    EXPECT_GT(after, alone + 100);
}

TEST(AsyncCopies, AWaitKeepsTheYoungestGroupsThatItNames) {
    // The first group hits in L1 after a load of its line, the second goes to DRAM.
    auto until = [](u8 keep) {
        return cycles_of([keep](WarpWriter& w) {
            w.load1(2, {}, kData);
            w.use(2);
            copy(w, kData);
            w.copies(AsyncRole::commit);
            copy(w, kFar);
            w.copies(AsyncRole::commit);
            w.copies(AsyncRole::wait, keep);
            work(w);
        });
    };
    EXPECT_EQ(until(2), until(200));
    EXPECT_GT(until(1), until(2));
    EXPECT_GT(until(0), until(1) + 50);
}

TEST(AsyncCopies, ACopyOfTheOpenGroupIsNoWaitsBusiness) {
    auto run_of = [](bool copies) {
        return cycles({"l1.latency=500"}, {.threads = 32}, [copies](WarpWriter& w) {
            w.load1(2, {}, kData);
            w.use(2);
            if (copies) copy(w, kData);
            w.alu(OpClass::int_add, 1, {1});  // by now it is known when the copy, a hit, will be there
            for (int k = 0; k < 20; ++k) w.alu(OpClass::int_add, 1, {1});
            w.copies(AsyncRole::wait, 255);
            for (int k = 0; k < 200; ++k) w.alu(OpClass::int_add, 1, {1});
        });
    };
    EXPECT_LE(run_of(true), run_of(false) + 4);
}

TEST(AsyncCopies, GroupsAreDoneInOrder) {
    // The second group is there first, but a wait that keeps one names the first.
    auto run_of = [](u64 first, u64 second) {
        return cycles_of([=](WarpWriter& w) {
            w.load1(2, {}, kData);
            w.use(2);
            copy(w, first);
            w.copies(AsyncRole::commit);
            copy(w, second);
            w.copies(AsyncRole::commit);
            w.copies(AsyncRole::wait, 1);
            work(w);
        });
    };
    EXPECT_GT(run_of(kFar, kData), run_of(kData, kFar) + 50);
}

TEST(AsyncCopies, EmptyGroupsAndThreeHundredOfThemPass) {
    const u64 empty = cycles_of([](WarpWriter& w) {
        for (int k = 0; k < 300; ++k) w.copies(AsyncRole::commit);
        w.copies(AsyncRole::wait);
        w.alu();
    });
    EXPECT_LT(empty, 700u);
    const u64 full = cycles_of([](WarpWriter& w) {
        for (u64 k = 0; k < 300; ++k) {
            copy(w, kData + k * 4096);
            w.copies(AsyncRole::commit);
        }
        w.copies(AsyncRole::wait);
        w.alu();
    });
    EXPECT_GT(full, empty);
}

}  // namespace
}  // namespace heddle::test
