// heddle audit and heddle run --audit: verdicts as exit codes.

#include <gtest/gtest.h>

#include "cli/program.h"
#include "cli/shell.h"

namespace heddle {
namespace {

using Strings = std::vector<std::string>;

/// Two reads of one bank's row at a clock after its activate; a DDR3 device with RCD 11.
std::string commands(int read_at) {
    return "heddle-dram-commands 1\nlabel example\nstandard DDR3\nbanks 8\nrows 32768\ncolumns 128\nrefresh "
           "off\n"
           "timing CL 11\ntiming CWL 8\ntiming BL 4\ntiming RCD 11\ntiming RP 11\ntiming RAS 28\ntiming RC "
           "39\n"
           "timing RTP 6\ntiming WR 12\ntiming CCD 4\ntiming RRD 5\ntiming FAW 24\ntiming WTR 6\ntiming RFC "
           "208\n"
           "timing REFI 6240\ncommands\n0 ACT 0 0 0 3 77 0\n" +
           std::to_string(read_at) + " RD 0 0 0 3 77 4\nend 100\n";
}

TEST(AuditCommand, GivesZeroForACleanFileThreeForAViolationTwoForWhatIsNoTrace) {
    TemporaryFolder folder;
    const Ended clean = heddle_run({"audit", folder.write("clean", commands(11))});
    EXPECT_EQ(clean.code, 0) << clean.err;
    EXPECT_NE(clean.out.find("2 commands in 100 clocks: no violation\n"), std::string::npos) << clean.out;

    const Ended broken = heddle_run({"audit", folder.write("broken", commands(10))});
    EXPECT_EQ(broken.code, 3) << broken.err;
    EXPECT_NE(broken.out.find("VIOLATION\ncommand 2: RD at 10"), std::string::npos) << broken.out;
    EXPECT_NE(broken.out.find("10 clocks, needs 11"), std::string::npos) << broken.out;

    ASSERT_EQ(shell_run("xz -k " + folder.path() + "/broken").code, 0);
    EXPECT_EQ(heddle_run({"audit", folder.path() + "/broken.xz"}).out, broken.out);
    EXPECT_EQ(heddle_run({"audit", folder.path()}).err,
              "heddle: " + folder.path() + ": is a directory, not a file\n");

    const std::string wrong =
        folder.write("wrong", "heddle-dram-commands 1\nstandard DDR9\ncommands\nend 1\n");
    const Ended bad = heddle_run({"audit", wrong});
    EXPECT_EQ(bad.code, 2);
    EXPECT_EQ(bad.out, "");
    EXPECT_NE(bad.err.find(wrong + ":"), std::string::npos) << bad.err;
    EXPECT_EQ(heddle_run({"audit"}).code, 2);
}

TEST(AuditOfARun, SaysCleanInOneLine) {
    const Ended clean = heddle_run({"run", "--audit", "--ctas", "4", "stream"});
    EXPECT_EQ(clean.code, 0) << clean.err;
    EXPECT_NE(clean.out.find("\naudit: "), std::string::npos) << clean.out;
    EXPECT_NE(clean.out.find(", clean\n"), std::string::npos) << clean.out;
    EXPECT_EQ(heddle_run({"run", "--ctas", "4", "stream"}).out.find("audit"), std::string::npos);
}

// h200: two stack levels, one-bank refresh, half clocks; qv100: an activate of one clock; gtx480-wg: a hashed map.
TEST(AuditOfARun, FindsNothingOnTheShippedMachinesOverSeveralRefreshIntervals) {
    for (const char* machine : {"h200", "qv100", "gtx480-wg"}) {
        const Ended run = heddle_run({"run", "--audit", "-m", machine, "--ctas", "8", "--threads", "64",
                                      "--accesses", "24", "--read-percent", "70", "--stats", "", "gather"});
        EXPECT_EQ(run.code, 0) << machine << run.err;
        EXPECT_NE(run.out.find(", clean\n"), std::string::npos) << run.out;
    }
}

}  // namespace
}  // namespace heddle
