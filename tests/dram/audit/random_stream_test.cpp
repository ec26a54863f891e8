// Random legal streams at the limit of the standard, made by the reference: the auditor accepts them, and
// refuses each command that comes a clock before its limit.

#include <gtest/gtest.h>

#include "dram/audit/reference.h"
#include "dram/audit/text.h"

namespace heddle::dram::audit {
namespace {

using namespace listing;

class RandomStream : public testing::TestWithParam<Standard> {};

/// Draws commands that the banks' states allow; the time is the caller's.
class Traffic {
  public:
    Traffic(const Standard& standard, u64 seed) : standard_(standard), random_(seed), open_(256) {}

    Command next() {
        if (!queued_.empty()) {
            const Command c = queued_.back();
            queued_.pop_back();
            return c;
        }
        Command c;
        c.pseudo = draw8(standard_.pseudos ? 2 : 1);
        c.rank = draw8(standard_.ranks ? 2 : 1);
        c.group = draw8(standard_.groups ? 4 : 1);
        c.bank = draw8(standard_.groups ? 3 : 8);
        if (draw(60) == 0) return refresh_all_or_same(c);
        Bank& bank = bank_of(c);
        if (!bank.open) {
            if (has("REFpb") && draw(6) == 0) return kind(c, CommandKind::refresh_bank);
            bank = {true, draw(4)};
            c.row = bank.row;
            return kind(c, CommandKind::activate);
        }
        c.row = bank.row;
        const u32 choice = draw(20);
        if (choice >= 17) return close(c, CommandKind::precharge);
        c.column = draw(64);
        if (choice < 8) return kind(c, CommandKind::read);
        if (choice < 15) return kind(c, CommandKind::write);
        return close(c, choice == 15 ? CommandKind::read_auto : CommandKind::write_auto);
    }

    u32 draw(u32 n) { return static_cast<u32>(random_() % n); }

  private:
    struct Bank {
        bool open = false;
        u32 row = 0;
    };

    u8 draw8(u32 n) { return static_cast<u8>(draw(n)); }
    Bank& bank_of(const Command& c) {
        return open_[static_cast<std::size_t>(((c.pseudo * 2 + c.rank) * 4 + c.group) * 8 + c.bank)];
    }
    static Command kind(Command c, CommandKind kind) {
        c.kind = kind;
        return c;
    }
    Command close(const Command& c, CommandKind how) {
        bank_of(c).open = false;
        return kind(c, how);
    }
    bool has(const std::string& command) const {
        for (const Row& row : standard_.rows)
            for (const std::string& k : row.following)
                if (k == command) return true;
        return false;
    }

    Command refresh_all_or_same(Command c) {
        const bool by_rank = standard_.all_level == "Rank";
        if (!by_rank) c.rank = 0;
        for (u8 rank = 0; rank < 2; ++rank) {
            if (by_rank && rank != c.rank) continue;
            for (u8 group = 0; group < 4; ++group)
                for (u8 bank = 0; bank < 8; ++bank) {
                    Command other = c;
                    other.rank = rank;
                    other.group = group;
                    other.bank = bank;
                    bank_of(other).open = false;
                }
        }
        Command refresh = c;
        refresh.group = 0;
        refresh.kind = CommandKind::refresh_all;
        if (has("REFsb") && draw(2) == 0)
            refresh.kind = CommandKind::refresh_same;
        else
            refresh.bank = 0;
        queued_.push_back(refresh);
        c.group = c.bank = 0;
        return kind(c, CommandKind::precharge_all);
    }

    Standard standard_;
    std::mt19937_64 random_;
    std::vector<Bank> open_;
    std::vector<Command> queued_;
};

TEST_P(RandomStream, IsAcceptedAtTheLimitAndEachCommandIsRefusedAClockEarlier) {
    const Standard& standard = GetParam();
    const Timings timings = shipped_timings(standard.name);
    const AuditDevice device = device_with(standard, timings);
    Reference reference(standard, timings);
    Traffic traffic(standard, 12345);
    Auditor auditor(device);
    i64 now = 0;
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
        Command c = traffic.next();
        const i64 earliest = reference.earliest(c, 0);
        i64 at = std::max(earliest, now);
        if (traffic.draw(4) == 0) at = reference.earliest(c, at + traffic.draw(30));
        const bool at_limit = at == earliest;
        c.at = Cycle(static_cast<u64>(at));
        if (at_limit && at - 1 >= now) {
            Auditor copy = auditor;
            Command early = c;
            early.at -= 1;
            copy.observe(early);
            ASSERT_TRUE(copy.violation()) << describe(early) << " was accepted before its limit";
            ++refused;
        }
        auditor.observe(c);
        ASSERT_FALSE(auditor.violation()) << describe(*auditor.violation());
        reference.add(c);
        now = at;
    }
    EXPECT_GT(refused, 800);
}

INSTANTIATE_TEST_SUITE_P(Audit, RandomStream, testing::ValuesIn(standards()),
                         [](const auto& info) { return title(info.param); });

}  // namespace
}  // namespace heddle::dram::audit
