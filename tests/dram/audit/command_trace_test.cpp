#include "dram/audit/command_trace.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "dram/audit/audit_file.h"
#include "dram/audit/devices.h"
#include "dram/audit/text.h"
#include "sim/error.h"

namespace heddle::dram::audit {
namespace {

class CommandTrace : public testing::Test {
  protected:
    CommandTrace()
        : path_(testing::TempDir() + "heddle_" +
                testing::UnitTest::GetInstance()->current_test_info()->name() + ".cmd") {}
    ~CommandTrace() override { std::filesystem::remove(path_); }

    void put(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }

    /// The message of the one InputError, without the path.
    std::string error_of(const std::string& text) {
        put(text);
        try {
            audit_file(path_);
        } catch (const InputError& e) {
            const std::string what = e.what();
            EXPECT_EQ(what.substr(0, path_.size()), path_);
            return what.substr(path_.size());
        }
        return "no error";
    }

    std::string path_;
};

const std::string kHead =
    "heddle-dram-commands 1\nstandard DDR3\nbanks 8\nrows 16384\ncolumns 128\n"
    "timing BL 4\ntiming CL 11\ntiming CWL 8\ntiming RCD 11\ntiming RP 11\ntiming RAS 28\ntiming RC "
    "39\ntiming WR 12\n"
    "timing RTP 6\ntiming CCD 4\ntiming WTR 6\ntiming RRD 5\ntiming FAW 24\ncommands\n";  // 19 lines

TEST_F(CommandTrace, WhatIsWrittenIsReadAndAuditedWithTheDeviceInItsHead) {
    AuditDevice device = hbm2();
    device.label = "two words";
    device.refresh = RefreshMode::all_bank;
    device.max_postponed = 3;
    device.activate_clocks = 1;
    device.command_buses = CommandBuses::separate;
    const std::vector<Command> stream = {
        command(5, activate, {.pseudo = 1, .group = 3, .bank = 2, .row = 32767}),
        command(20, read, {.pseudo = 1, .group = 3, .bank = 2, .row = 32767, .column = 31}),
        command(20, precharge_all), command(3900, refresh_all)};
    CommandTraceWriter writer(path_, device);
    for (const Command& c : stream) writer.write(c);
    writer.finish(Cycle(4000));

    CommandTraceReader reader(path_);
    EXPECT_EQ(reader.device().label, device.label);
    EXPECT_EQ(reader.device().standard, device.standard);
    EXPECT_EQ(reader.device().timing, device.timing);
    EXPECT_EQ(reader.device().refresh, device.refresh);
    EXPECT_EQ(reader.device().max_postponed, 3u);
    EXPECT_EQ(reader.device().activate_clocks, 1u);
    EXPECT_EQ(reader.device().command_buses, CommandBuses::separate);
    Command c;
    for (const Command& expected : stream) {
        ASSERT_TRUE(reader.next(c));
        EXPECT_EQ(describe(c), describe(expected));
    }
    EXPECT_FALSE(reader.next(c));
    EXPECT_EQ(reader.end(), Cycle(4000));

    const AuditReport report = audit_file(path_);
    EXPECT_FALSE(report.violation);
    EXPECT_EQ(report.commands, 4u);
    EXPECT_EQ(report.refreshes[0].all_bank, 1u);
    EXPECT_EQ(report.refreshes[0].due, 1u);
    const std::string text = describe(report);
    EXPECT_NE(text.find("4 commands in 4,000 clocks: no violation"), std::string::npos) << text;
    EXPECT_NE(text.find("never exercised"), std::string::npos) << text;
}

TEST_F(CommandTrace, AViolationIsAResultAndNotAnError) {
    put(kHead + "0 ACT 0 0 0 1 5 0\n10 RD 0 0 0 1 5 0\nend 100\n");
    const AuditReport report = audit_file(path_);
    ASSERT_TRUE(report.violation);
    EXPECT_EQ(report.violation->rule, "bank: ACT -> RD RDA WR WRA, RCD");
    EXPECT_NE(describe(report).find("10 clocks, needs 11"), std::string::npos);
}

TEST_F(CommandTrace, CommentsBlankLinesTabsAndCrLfAreAccepted) {
    put("heddle-dram-commands 1\r\n# a comment\r\n\r\n" + kHead.substr(kHead.find('\n') + 1) +
        "0\tACT 0 0  0 1 5 0\r\n\n# another\n11 RD 0 0 0 1 5 0 \r\nend 100\r\n\n");
    EXPECT_EQ(audit_file(path_).commands, 2u);
}

TEST_F(CommandTrace, AMissingFileIsOneError) {
    try {
        audit_file(path_);
        FAIL();
    } catch (const InputError& e) {
        EXPECT_EQ(std::string(e.what()), path_ + ": cannot open: No such file or directory");
    }
}

TEST_F(CommandTrace, AWrongHeadIsAnErrorThatNamesTheLine) {
    const std::string first = "heddle-dram-commands 1\n";
    EXPECT_EQ(error_of(""), ": the file is empty");
    EXPECT_EQ(error_of("0 ACT 0\n"),
              ":1: not a DRAM command trace: the first line must be 'heddle-dram-commands 1'");
    EXPECT_EQ(error_of("heddle-dram-commands 2\n"), ":1: version 2 of the format, expected 1");
    EXPECT_EQ(error_of(first + "standard DDR3\n"), ":2: the file ends in its header, before 'commands'");
    EXPECT_EQ(error_of(first + "bank 4\n"), ":2: unknown key 'bank', did you mean 'banks'?");
    EXPECT_EQ(error_of(first + "temperature 4\n"),
              ":2: unknown key 'temperature'; possible: label, standard, command-buses, refresh, timing, "
              "commands, pseudo-channels, ranks, groups, banks, rows, columns, ... (16 in all)");
    EXPECT_EQ(error_of(first + "banks four\n"), ":2: banks 'four': expected a decimal number");
    EXPECT_EQ(error_of(first + "banks 4\nbanks 4\n"), ":3: banks is given twice");
    EXPECT_EQ(error_of(first + "banks\n"), ":2: expected 'banks VALUE'");
    EXPECT_EQ(error_of(first + "refresh sometimes\n"),
              ":2: refresh 'sometimes', possible: off, all-bank, same-bank, per-bank");
    EXPECT_EQ(error_of(first + "timing CL\n"), ":2: expected 'timing NAME CLOCKS'");
}

TEST_F(CommandTrace, ADeviceThatCannotBeAuditedIsAnErrorThatNamesTheKey) {
    const auto with = [](const std::string& from, const std::string& to) {
        std::string head = kHead;
        return head.replace(head.find(from), from.size(), to);
    };
    EXPECT_EQ(
        error_of(with("standard DDR3", "standard DDR2")),
        ":2: unknown standard 'DDR2', possible: DDR3, DDR4, DDR5, GDDR5, GDDR6, HBM2, HBM2E, HBM3, LPDDR5");
    EXPECT_EQ(
        error_of(with("standard DDR3\n", "")),
        ":18: the standard is missing, possible: DDR3, DDR4, DDR5, GDDR5, GDDR6, HBM2, HBM2E, HBM3, LPDDR5");
    EXPECT_EQ(
        error_of(with("standard DDR3", "standard HBM9")),
        ":2: unknown standard 'HBM9', possible: DDR3, DDR4, DDR5, GDDR5, GDDR6, HBM2, HBM2E, HBM3, LPDDR5");
    for (const char* key : {"ranks", "rows", "steps-per-clock"}) {
        std::string head = with(std::string("rows 16384\n"), "");
        head.insert(head.find("banks 8"), std::string(key) + " 0\n");
        EXPECT_EQ(error_of(head), std::string(":3: ") + key + " = 0, possible 1 to " +
                                      (key == std::string("ranks")  ? "256"
                                       : key == std::string("rows") ? "2147483648"
                                                                    : "2"));
    }
    EXPECT_EQ(error_of(with("banks 8", "banks 8\ntiming REFI 0")),
              ":4: timing REFI must be at least 1; to switch refresh off, write 'refresh off'");
    EXPECT_EQ(error_of(with("timing RTP 6\n", "")), ":18: timing RTP of DDR3 is missing");
    EXPECT_EQ(error_of(with("timing RTP", "timing RTPL")),
              ":14: unknown timing 'RTPL' for DDR3, did you mean 'RTP'?");
    EXPECT_EQ(error_of(with("timing RTP 6", "timing RTP 6\ntiming RTP 6")), ":15: timing RTP is given twice");
    EXPECT_EQ(error_of(with("timing BL 4", "timing BL 0")), ":6: timing BL must be at least 1");
    EXPECT_EQ(error_of(with("banks 8", "banks 0")), ":3: banks = 0, possible 1 to 256");
    EXPECT_EQ(error_of(with("banks 8", "banks 257")), ":3: banks = 257, possible 1 to 256");
    EXPECT_EQ(error_of(with("banks 8", "groups 2\nbanks 8")),
              ":3: DDR3 has no bank groups, groups must be 1");
    EXPECT_EQ(error_of(with("banks 8", "banks 8\nrefresh per-bank")), ":4: DDR3 has no per-bank refresh");
    EXPECT_EQ(error_of(with("banks 8", "banks 8\nrefresh all-bank")), ":20: timing RFC of DDR3 is missing");
    EXPECT_EQ(error_of(with("banks 8", "ranks 2\nbanks 8")), ":20: timing CS of DDR3 is missing");
}

TEST_F(CommandTrace, AWrongCommandIsAnErrorThatNamesLineFieldValueAndLimit) {
    const std::string form =
        ":20: expected 'CLOCK KIND pseudo-channel rank group bank row column' or 'end CLOCK'";
    EXPECT_EQ(error_of(kHead + "0 ACT 0 0 0 1 5\nend 9\n"), form);
    EXPECT_EQ(error_of(kHead + "0 ACT 0 0 0 1 5 0 0\nend 9\n"), form);
    EXPECT_EQ(error_of(kHead + "0 PRE 0 0 0 1 5 0\nend 9\n"),
              ":20: unknown command 'PRE', possible: ACT PREpb PREab RD RDA WR WRA REFab REFsb REFpb");
    EXPECT_EQ(error_of(kHead + "0 ACT 0 0 4 1 5 0\nend 9\n"), ":20: group 4; the largest is 0");
    EXPECT_EQ(error_of(kHead + "0 ACT 0 0 0 8 5 0\nend 9\n"), ":20: bank 8; the largest is 7");
    EXPECT_EQ(error_of(kHead + "0 ACT 0 0 0 0 16384 0\nend 9\n"), ":20: row 16384; the largest is 16383");
    EXPECT_EQ(error_of(kHead + "0 ACT 0 0 0 -1 5 0\nend 9\n"), ":20: bank '-1': expected a decimal number");
    EXPECT_EQ(error_of(kHead + "0x5 ACT 0 0 0 1 5 0\nend 9\n"),
              ":20: clock '0x5': expected a decimal number");
    EXPECT_EQ(error_of(kHead + "99999999999999999999 ACT 0 0 0 1 5 0\n"),
              ":20: clock 99999999999999999999; the largest is 18446744073709551614");
    EXPECT_EQ(error_of(kHead + "9 ACT 0 0 0 1 5 0\n8 ACT 0 0 0 2 5 0\nend 9\n"),
              ":21: clock 8 after clock 9");
}

TEST_F(CommandTrace, WordsOfTheFileAreShownEscapedAndWhole) {
    put(std::string("\xef\xbb\xbf") + kHead.substr(0, kHead.find("banks")) + "label a\x1b[31mb\n" +
        kHead.substr(kHead.find("banks")) + "0 ACT 0 0 0 1 5 0\nend 100\n");
    const std::string text = describe(audit_file(path_));
    EXPECT_TRUE(text.starts_with("a\\x1b[31mb\nDDR3: ")) << text;
    EXPECT_NE(text.find("\n1 command in 100 clocks: "), std::string::npos) << text;
    EXPECT_EQ(error_of(kHead + "0 AC" + std::string(1, '\0') + "T 0 0 0 1 5 0\n"),
              ":20: unknown command 'AC\\x00T', possible: ACT PREpb PREab RD RDA WR WRA REFab REFsb REFpb");
}

TEST_F(CommandTrace, AFileWithoutItsLastLineIsCutShort) {
    EXPECT_EQ(error_of(kHead + "0 ACT 0 0 0 1 5 0\n"),
              ":20: the file is cut short: its last line must be 'end CLOCK'");
    EXPECT_EQ(error_of(kHead + "9 ACT 0 0 0 1 5 0\nend 8\n"), ":21: end 8 is before the last command at 9");
    EXPECT_EQ(error_of(kHead + "end 9\n9 ACT 0 0 0 1 5 0\n"), ":21: text after the line 'end'");
}

TEST_F(CommandTrace, TheWriterRefusesADeviceThatCannotBeAudited) {
    AuditDevice device = hbm2();
    device.standard = "HBM";
    EXPECT_THROW(CommandTraceWriter(path_, device), InputError);
    EXPECT_FALSE(std::filesystem::exists(path_));
    EXPECT_THROW(CommandTraceWriter("/no/such/folder/x", hbm2()), InputError);
}

}  // namespace
}  // namespace heddle::dram::audit
