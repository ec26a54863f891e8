// Faults that users of other DRAM simulators reported, each with the right answer. Names: R1, R2 = Ramulator 1,
// 2; D3 = DRAMsim3; DS = DRAMSys; the number is the report's.
//
// Not testable because the cause does not exist here: D3#35 family (peak unknown) is the heading test below;
// R2#129 (no refresh without a rank level): refresh counts below run for every standard; R2 v2.0a (a standard
// that is not registered): property_test runs every standard.

#include <cstdio>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <unistd.h>

#include "dram/alone.h"
#include "dram/geometry.h"
#include "dram/location_map.h"
#include "dram/parts.h"
#include "dram/reference_sets.h"
#include "machines.h"
#include "rule_check.h"

namespace heddle::dram {
namespace {

std::string message_of(const std::function<void()>& f) {
    try {
        f();
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

MemorySettings preset(std::string standard, std::string part, std::string speed) {
    MemorySettings s;
    s.standard = std::move(standard);
    s.part = std::move(part);
    s.speed = std::move(speed);
    s.line_bytes = 32;
    return s;
}

std::string temporary(const std::string& name, const std::string& text) {
    const std::string file = ::testing::TempDir() + std::to_string(getpid()) + "_" + name;
    std::ofstream(file, std::ios::binary) << text;
    return file;
}

std::vector<StreamEntry> linear(u64 n, u64 grain) {
    std::vector<StreamEntry> stream(n);
    for (u64 k = 0; k < n; ++k) stream[k].address = k * grain;
    return stream;
}

TEST(DramReports, ReadsBehindAFullWriteQueueToTheSameAddressAllReturn) {  // D3#43, D3#2
    std::vector<StreamEntry> stream;
    for (u64 k = 0; k < 40; ++k) stream.push_back({0x28000 + k * 0x4000, false, {}});
    stream.push_back({0x7d0000, false, {}});
    stream.push_back({0x7d0000, true, {}});
    for (u64 k = 0; k < 40; ++k) stream.push_back({0xfa1020 + k * 0x4000, true, {}});
    const AloneResult r = run_alone(reference_sets()[0].settings, stream);
    EXPECT_EQ(r.total.reads + r.total.forwarded_reads, 41u);
    EXPECT_EQ(r.total.writes, 41u);
    EXPECT_LE(r.read_cycles, 3'519u * 101 / 100);  // Ramulator 2.1: 3,519
}

TEST(DramReports, AReadOfALineThatWaitsToBeWrittenIsAnsweredAfterARowHitsTimeAndCounted) {  // R1#38
    MemorySettings s = reference_sets()[0].settings;
    s.refresh = RefreshMode::off;
    // Reads keep the controller from draining the write.
    std::vector<StreamEntry> stream = {
        {0x4000, false, {}}, {0x8000, false, {}}, {0x40, true, {}}, {0x40, false, {}}};
    const AloneResult r = run_alone(s, stream);
    EXPECT_EQ(r.total.forwarded_reads, 1u);
    EXPECT_EQ(r.total.reads, 2u);
    s.forward_writes = false;
    EXPECT_EQ(run_alone(s, stream).total.reads, 3u);
}

TEST(DramReports, ARefreshedBankWaitsForItsRefreshAndOthersOnlyForTheShortGap) {  // D3#24
    MemorySettings s = preset("hbm2", "hbm2_8gb", "hbm2_2000");
    s.pseudo_channels = 1;
    s.refresh = RefreshMode::per_bank;
    RuleCheck check(s);
    AloneOptions options;
    options.observer = &check;
    const auto stream = reference_stream("random_rd", 4'000);
    const AloneResult r = run_alone(s, stream, options);
    EXPECT_EQ(check.first(), "");
    const Resolved resolved = resolve(s);
    EXPECT_EQ(r.total.count(CommandKind::refresh_bank), r.cycles / resolved.time(Param::REFIpb));
    u64 same = ~u64{0}, other = ~u64{0};
    for (std::size_t k = 0; k < check.trace().size(); ++k) {
        const Command& ref = check.trace()[k];
        if (ref.kind != CommandKind::refresh_bank) continue;
        for (std::size_t j = k + 1; j < check.trace().size(); ++j) {
            const Command& act = check.trace()[j];
            if (act.kind != CommandKind::activate) continue;
            const bool its_bank = act.group == ref.group && act.bank == ref.bank;
            u64& least = its_bank ? same : other;
            least = std::min(least, act.at - ref.at);
            if (act.at - ref.at > 400) break;
        }
    }
    // An activate takes two clocks and counts from its second.
    EXPECT_EQ(same, resolved.time(Param::RFCpb) - 1u);
    EXPECT_EQ(other, resolved.time(Param::RREFD) - 1u);
}

TEST(DramReports, OneBankRefreshIntervalIsTheRankIntervalOverItsBanks) {  // R2#123
    MemorySettings s = preset("hbm2", "hbm2_4gb", "hbm2_2000");
    s.refresh = RefreshMode::per_bank;
    EXPECT_EQ(resolve(s).time(Param::REFIpb), 3900u / 16);
}

TEST(DramReports, RefreshesIssuedAreThoseDueInEveryStandardAndMode) {  // R2#129, R2#128, D3#24
    for (const Standard& standard : standards()) {
        for (RefreshMode mode : {RefreshMode::all_bank, RefreshMode::same_bank, RefreshMode::per_bank}) {
            MemorySettings s;
            s.standard = std::string(standard.name);
            for (const Part& p : parts())
                if (p.standard == standard.name) s.part = std::string(p.name);
            for (const SpeedBin& b : speed_bins())
                if (b.standard == standard.name) s.speed = std::string(b.name);
            s.refresh = mode;
            s.line_bytes = 32;
            const CommandKind kind = mode == RefreshMode::all_bank    ? CommandKind::refresh_all
                                     : mode == RefreshMode::same_bank ? CommandKind::refresh_same
                                                                      : CommandKind::refresh_bank;
            if (!standard.refreshes.has(kind)) continue;
            // A read each 5,000 clocks: idle time is refreshed too.
            std::vector<StreamEntry> stream;
            for (u64 k = 0; k < 40; ++k) stream.push_back({k * 0x10000, false, Cycle(k * 5'000)});
            const AloneResult r = run_alone(s, stream);
            const Resolved resolved = resolve(s);
            const u64 interval = mode == RefreshMode::per_bank ? resolved.time(Param::REFIpb)
                                 : mode == RefreshMode::same_bank
                                     ? resolved.time(Param::REFI) / (2 * resolved.geometry.banks_per_group)
                                     : resolved.time(Param::REFI);
            const u32 units =
                mode == RefreshMode::all_bank ? resolved.geometry.units() : resolved.geometry.all_ranks();
            const u64 due = r.cycles / interval * units;
            EXPECT_NEAR(static_cast<double>(r.total.count(kind)), static_cast<double>(due),
                        static_cast<double>(units) + 1)
                << standard.name;
            EXPECT_GT(due, 0u);
        }
    }
}

TEST(DramReports, Gddr6ReachesItsPinRateLessRefresh) {  // D3 GDDR6 ini: 65 %; R2#121: 1 Gb/s a pin
    MemorySettings s = preset("gddr6", "gddr6_8gb_x16", "gddr6_14000_1350mv");
    s.map = {"byte:32", "group:4", "column:64", "bank:4", "row"};
    s.refresh = RefreshMode::all_bank;
    const Resolved r = resolve(s);
    EXPECT_EQ(r.time(Param::CCDS), 2u);
    EXPECT_EQ(r.time(Param::BL), 2u);
    EXPECT_EQ(r.geometry.access_bytes, 32u);
    const AloneResult result = run_alone(s, linear(40'000, 32));
    EXPECT_GT(result.bytes_per_s() * 100, result.peak_bytes_per_s * 90);
}

TEST(DramReports, PinRateIsBurstOverBurstTimeForEveryPreset) {  // R2#121
    for (const SpeedBin& bin : speed_bins()) {
        MemorySettings s;
        s.standard = std::string(bin.standard);
        s.speed = std::string(bin.name);
        for (const Part& p : parts())
            if (p.standard == bin.standard) s.part = std::string(p.name);
        const Resolved r = resolve(s);
        const double rate = static_cast<double>(r.geometry.burst_length) * static_cast<double>(r.clock_hz) /
                            static_cast<double>(r.time(Param::BL)) / 1e6;
        EXPECT_NEAR(rate, bin.rate_mbps, bin.rate_mbps * 0.005) << bin.name;
    }
}

TEST(DramReports, DensityIsTheProductOfTheOrganisationForEveryPart) {  // R2#99, R2#71, R2#26
    for (const Part& p : parts()) {
        const u64 bits = u64{p.pseudo_channels} * p.ranks * p.bank_groups * p.banks_per_group * p.rows *
                         p.columns * p.device_bits * p.device_channels;
        EXPECT_EQ(bits, u64{p.density_mbit} << 20) << p.name;
    }
}

TEST(DramReports, NumbersThatContradictEachOtherRefuseToLoad) {  // D3 inis, R2#14, R2#89
    MemorySettings s = preset("gddr5", "gddr5_1gb_x32", "gddr5_4000");
    s.timing.BL = clocks(4);  // 8 transfers at 4 a clock are 2
    EXPECT_NE(message_of([&] { resolve(s); }).find("BL is 4"), std::string::npos);
    s = preset("gddr5", "gddr6_8gb_x16", "gddr5_4000");
    EXPECT_NE(message_of([&] { resolve(s); }).find("is of standard gddr6"), std::string::npos);
    s = preset("gddr5", "gddr5_1gb_x32", "gddr5_400");
    EXPECT_NE(message_of([&] { resolve(s); }).find("did you mean 'gddr5_4000'?"), std::string::npos);
}

TEST(DramReports, AMissingTimingIsAnErrorThatNamesIt) {  // D3 inis: silently default
    MemorySettings s = qv100();
    s.timing.RTP.reset();
    EXPECT_NE(message_of([&] { resolve(s); }).find("'RTP' is not given"), std::string::npos);
}

TEST(DramReports, TheHeadingStatesBytesARequestAndThePeak) {  // D3#35, D3#36
    MemorySettings s = preset("hbm2", "hbm2_8gb", "hbm2_2000");
    EXPECT_EQ(describe(resolve(s), 8),
              "hbm2: 8 channels of 2 x 64 bit, 32 bytes per column command, 32 banks, peak 256.0 GB/s");
    // R1#107: a GDDR5 channel is 32 bit wide and moves 32 bytes a burst; 6 Gb/s make 24 GB/s.
    EXPECT_EQ(describe(resolve(preset("gddr5", "gddr5_1gb_x32", "gddr5_6000")), 1),
              "gddr5: 1 channel of 1 x 32 bit, 32 bytes per column command, 16 banks, peak 24.0 GB/s");
}

TEST(DramReports, TwoPseudoChannelsOfHbm2ReachNineTenthsOfThePeak) {  // R2#104
    const AloneResult r = run_alone(reference_sets()[1].settings, reference_stream("stream_rd", 40'000));
    EXPECT_GT(r.bytes_per_s() * 100, r.peak_bytes_per_s * 90);
}

TEST(DramReports, WithAmpleSupplyTheFrontEndIsNotTheBound) {  // R2#42
    MemorySettings s = preset("hbm3", "hbm3_8gb_8hi", "hbm3_6400");
    s.channels = 8;
    s.refresh = RefreshMode::off;
    const auto stream = linear(40'000, 32);
    AloneOptions options;
    const AloneResult one = run_alone(s, stream, options);
    options.requests_per_clock = 16;
    const AloneResult many = run_alone(s, stream, options);
    EXPECT_GT(one.injection_clocks, 35'000u);  // nearly every clock waits for the front end
    EXPECT_LT(many.injection_clocks, many.cycles / 4);
    EXPECT_GT(many.bytes_per_s(), one.bytes_per_s() * 3);
}

TEST(DramReports, PseudoChannelsTransferAtTheSameTimeAndRowAndColumnCommandsShareAClock) {  // R2#41, DS#58
    MemorySettings s = reference_sets()[1].settings;
    s.refresh = RefreshMode::off;
    RuleCheck check(s);
    AloneOptions options;
    options.observer = &check;
    run_alone(s, reference_stream("stream_rd", 2'000), options);
    bool adjacent = false, together = false;
    for (std::size_t k = 1; k < check.trace().size(); ++k) {
        const Command &a = check.trace()[k - 1], &b = check.trace()[k];
        adjacent = adjacent || (a.kind == CommandKind::read && b.kind == CommandKind::read &&
                                b.at - a.at == 1 && a.pseudo != b.pseudo);
        together = together || (a.at == b.at && a.kind != b.kind);
    }
    EXPECT_TRUE(adjacent);
    EXPECT_TRUE(together);
}

TEST(DramReports, ALinearStreamHitsAllBurstsOfARowButTheFirst) {  // R2#116
    MemorySettings s = preset("hbm2", "hbm2_8gb", "hbm2_2000");
    s.pseudo_channels = 1;
    const AloneResult r = run_alone(s, linear(32 * 64, 32));  // 1 KB page, 32-byte bursts
    EXPECT_EQ(r.total.count(RowOutcome::hit), 31u * 64);
}

TEST(DramReports, RandomIsSlowerThanSequentialAndNeitherPassesThePeak) {  // R2#14, R2#89, R2#15
    MemorySettings s = preset("lpddr5", "lpddr5_8gb_x16", "lpddr5_6400");
    EXPECT_EQ(resolve(s).geometry.access_bytes, 32u);
    const AloneResult stream = run_alone(s, linear(20'000, 32));
    const AloneResult random = run_alone(s, reference_stream("random_rd", 20'000));
    EXPECT_LT(random.bytes_per_s(), stream.bytes_per_s());
    EXPECT_LE(stream.bytes_per_s(), stream.peak_bytes_per_s);
    EXPECT_EQ(stream.peak_bytes_per_s, 6'400'000'000u * 16 / 8);
}

constexpr const char* kExpected =
    "expected '0xADDRESS R|W', '0xADDRESS READ|WRITE CYCLE' or 'LD|ST 0xADDRESS'";

TEST(DramReports, BadTraceLinesAreNamedAndWindowsLineEndsAccepted) {  // R2#112, R2#80, R1#112, DS#29
    const std::string good = temporary("good.txt", "0x0 R\r\n\r\n# note\r\n0x40 W\r\n");
    const auto stream = read_stream(good, 1 << 20);
    ASSERT_EQ(stream.size(), 2u);
    EXPECT_TRUE(stream[1].write);
    const std::string timed = temporary("timed.txt", "0x100 READ 7\n0x140 WRITE 9\n");
    EXPECT_EQ(read_stream(timed, 1 << 20)[1].not_before, Cycle(9));
    auto error = [](const std::string& text) {
        const std::string file = temporary("bad.txt", text);
        return message_of([&] { read_stream(file, 1 << 20); }).substr(file.size());
    };
    EXPECT_EQ(error("0x0 R\n0x40 X\n"),
              ":2: kind 'X': expected '0xADDRESS R|W', '0xADDRESS READ|WRITE CYCLE' or 'LD|ST 0xADDRESS'");
    EXPECT_EQ(error("R 0x40\n"),
              ":1: address 'R': expected '0xADDRESS R|W', '0xADDRESS READ|WRITE CYCLE' or 'LD|ST 0xADDRESS'");
    EXPECT_EQ(error("0x0 R\n\n0x100000 R\n"),
              ":3: address 0x100000 is beyond the memory, which ends at 0x100000");
    EXPECT_EQ(error("0x0 READ 9\n0x0 READ 8\n"), ":2: cycle 8 is before that of the previous request, 9");
    EXPECT_EQ(error("# only a comment\n"), ": contains no request");
    EXPECT_NE(error(""), "");
    // Ramulator 2's form, the last line without an end.
    const auto loads = read_stream(temporary("loads.txt", "LD 0x40\r\nST 0x80"), 1 << 20);
    ASSERT_EQ(loads.size(), 2u);
    EXPECT_EQ(loads[1].address, 0x80u);
    EXPECT_TRUE(!loads[0].write && loads[1].write);
    EXPECT_EQ(error("LD 0x40 7\n"), std::string(":1: '7' after the request: ") + kExpected);
    EXPECT_EQ(error("0x0 R\n40 R\n"),
              ":2: address '40' has no 0x; addresses are hexadecimal: write 0x40 if that is meant");
    EXPECT_EQ(error("0x0 READ 9223372036854775809\n"),
              ":1: cycle 9223372036854775809 is too large; the limit is 281474976710655");
    EXPECT_EQ(error("0x0 READ 99999999999999999999999\n"),
              ":1: cycle 99999999999999999999999 is too large; the limit is 281474976710655");
    EXPECT_EQ(error("0x99999999999999999999 R\n"),
              ":1: address 0x99999999999999999999 is beyond the memory, which ends at 0x100000");
    EXPECT_EQ(error("0x0 READ -4\n"), std::string(":1: cycle '-4': ") + kExpected);
    EXPECT_EQ(error("-0x40 R\n"), std::string(":1: address '-0x40': ") + kExpected);
    EXPECT_EQ(error("0x0\n"), std::string(":1: kind '': ") + kExpected);
    EXPECT_EQ(error("\x7f\x1b[2J\x01\n"), std::string(":1: address '??[2J?': ") + kExpected);
    EXPECT_NE(message_of([] { read_stream(testing::TempDir(), 1 << 20); }).find("directory"),
              std::string::npos);
}

TEST(DramReports, AnImplicitPrechargeHoldsBackTheRefresh) {  // R1 PR#57
    for (bool write : {false, true}) {
        MemorySettings s = preset("ddr4", "ddr4_8gb_x8", "ddr4_2400r");
        s.line_bytes = 64;
        s.page_policy = PagePolicyKind::closed;
        s.refresh = RefreshMode::all_bank;
        const Resolved r = resolve(s);
        RuleCheck check(s);
        AloneOptions options;
        options.observer = &check;
        // The request's column command comes just before the refresh falls due.
        const u64 column = write ? r.time(Param::RCDWR) : r.time(Param::RCDRD);
        run_alone(s,
                  {{0, write, Cycle(r.time(Param::REFI) - column - 1)},
                   {0, false, Cycle(r.time(Param::REFI) * 2 - 500)}},
                  options);
        EXPECT_EQ(check.first(), "");
        ASSERT_GE(check.trace().size(), 3u);
        EXPECT_EQ(check.trace()[1].kind, write ? CommandKind::write_auto : CommandKind::read_auto);
        EXPECT_EQ(check.trace()[2].kind, CommandKind::refresh_all);
        const u64 recovery =
            write ? r.time(Param::CWL) + r.time(Param::BL) + r.time(Param::WR) : r.time(Param::RTP);
        const u64 least = std::max<u64>(recovery + r.time(Param::RP), r.time(Param::RC) - column);
        EXPECT_EQ(check.trace()[2].at - check.trace()[1].at, least);
    }
}

TEST(DramReports, WritesBelowTheHighWatermarkDrain) {  // R1 PR#72, R1#45
    std::vector<StreamEntry> stream;
    for (u64 k = 0; k < 5; ++k) stream.push_back({k * 0x4000, true, {}});
    const AloneResult r = run_alone(reference_sets()[0].settings, stream);
    EXPECT_EQ(r.total.writes, 5u);
    EXPECT_LT(r.cycles, 1'000u);
}

TEST(DramReports, TheDefaultMapPutsBankGroupsLowAndIsStated) {  // R1#115
    MemorySettings s = preset("ddr4", "ddr4_8gb_x8", "ddr4_2400r");
    s.line_bytes = 64;
    const Resolved r = resolve(s);
    const LocationMap map(r.geometry, s.map, s.bank_hash, 64);
    EXPECT_EQ(map.text(), "byte:64 group:4 column:128 bank:4 row");
    const AloneResult result = run_alone(s, linear(20'000, 64));
    EXPECT_GT(result.bytes_per_s() * 100, result.peak_bytes_per_s * 95);  // CCD_S, not CCD_L
}

TEST(DramReports, AChannelOfOneDeviceWorks) {  // DS#32
    MemorySettings s = preset("ddr4", "ddr4_8gb_x8", "ddr4_2400r");
    s.width_bits = 8;
    s.line_bytes = 8;
    EXPECT_EQ(resolve(s).geometry.access_bytes, 8u);
    EXPECT_EQ(run_alone(s, linear(100, 8)).total.reads, 100u);
}

TEST(DramReports, EqualColumnGapAndBurstAreLegal) {  // gem5#3271
    MemorySettings s = preset("hbm3", "hbm3_4gb", "hbm3_6400");
    s.timing.CCDL = s.timing.CCDS = clocks(2);
    EXPECT_NO_THROW(resolve(s));
}

TEST(DramReports, UnloadedReadsStayBelowTheSumOfAllWaits) {  // R2#108
    MemorySettings s = reference_sets()[0].settings;
    const Resolved r = resolve(s);
    AloneOptions one;
    one.max_outstanding = 1;
    const AloneResult result = run_alone(s, reference_stream("random_rd", 5'000), one);
    // Its own precharge may be cut short by the one before the refresh.
    const u64 bound = 2 * r.time(Param::RP) + r.time(Param::RFC) + r.time(Param::RCDRD) + 1 +
                      r.time(Param::CL) + r.time(Param::BL);
    EXPECT_LE(result.total.read_latency.max(), bound);
    EXPECT_GT(result.total.read_latency.max(), r.time(Param::RFC));
    // The long ones are those that waited for a refresh.
    EXPECT_EQ(result.total.refresh_read_latency.max(), result.total.read_latency.max());
    EXPECT_LT(result.total.refresh_read_latency.count(), result.total.read_latency.count() / 10);
}

TEST(DramReports, WriteLatencyEndsWithTheDataWritten) {  // D3#56
    MemorySettings s = reference_sets()[0].settings;
    s.refresh = RefreshMode::off;
    const AloneResult r = run_alone(s, {{0, true, {}}});
    EXPECT_EQ(r.total.write_latency.sum(), 13u + 5 + 2);  // RCDWR + 1, CWL, BL
}

}  // namespace
}  // namespace heddle::dram
