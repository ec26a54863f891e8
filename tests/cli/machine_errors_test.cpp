// Every kind of mistake in a machine file or in --set, as the user of the program sees it.

#include <gtest/gtest.h>

#include "cli/program.h"

namespace heddle {
namespace {

std::string error_of(const Ended& run) {
    EXPECT_EQ(run.code, 2) << run.out << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_TRUE(run.err.starts_with("heddle: ")) << run.err;
    return run.err.substr(8, run.err.size() - 9);
}

void expect_parts(const std::string& error, const std::string& start, const std::vector<std::string>& parts) {
    EXPECT_TRUE(error.starts_with(start)) << error << "\n  does not start with " << start;
    for (const std::string& part : parts)
        EXPECT_NE(error.find(part), std::string::npos) << error << "\n  lacks " << part;
}

TEST(MachineErrors, MistakesInSetNameTheOptionAndTheNearestRightThing) {
    const struct {
        const char* set;
        std::vector<std::string> parts;
    } cases[] = {
        {"l1.siez=16KiB", {"no key 'l1.siez'", "did you mean", "l1.size"}},
        {"dram.schedular=fr-fcfs", {"no key 'dram.schedular'", "scheduler"}},
        {"l1.size=16", {"has no unit", "16KiB"}},
        {"l1.size=16Mhz", {"16Mhz"}},
        {"gpu.clock=700", {"has no unit", "MHz"}},
        {"gpu.sms=0", {"'0'", "1"}},
        {"gpu.sms=many", {"'many'"}},
        {"l1.size=1GiB", {"'1GiB'", "64MiB"}},
        {"l1.size=1100B", {"must be a multiple of ways x 128 bytes"}},
        {"dram.scheduler=fr-fcsf", {"fr-fcsf", "did you mean 'fr-fcfs'"}},
        {"scheduler=lrr", {"no DRAM scheduler 'lrr', it is a warp scheduler: gpu.sm.warp_scheduler=lrr"}},
        {"l1.write=thru", {"thru", "through"}},
        {"gpu.memory=gddr6", {"gddr6", "gddr5"}},
        {"l1.sectored=maybe", {"maybe", "true"}},
        {"nonsense", {"KEY=VALUE"}},
        {"size=1KiB", {"'size'", "l1.size", "l2.size"}},
    };
    for (const auto& c : cases) {
        const std::string error = error_of(heddle_run({"run", "alu", "--ctas", "1", "--set", c.set}));
        SCOPED_TRACE(error);
        for (const std::string& part : c.parts)
            EXPECT_NE(error.find(part), std::string::npos) << "lacks " << part;
        EXPECT_NE(error.find(std::string(c.set).substr(0, std::string(c.set).find('='))), std::string::npos);
    }
}

TEST(MachineErrors, MistakesInAFileNameFileLineAndColumn) {
    TemporaryFolder folder;
    const struct {
        const char* text;  // behind "extends: gtx480"
        const char* at;    // line:column
        std::vector<std::string> parts;
    } cases[] = {
        {"gpus: {gpu: {smz: 3}}\n", "2:14", {"unknown key 'smz'", "did you mean 'sms'"}},
        {"memories:\n  gddr5:\n    chanels: 3\n",
         "4:5",
         {"unknown key 'chanels'", "did you mean 'channels'"}},
        {"gpus:\n  gpu:\n    l1:\n      size: 16\n", "5:13", {"has no unit", "16KiB"}},
        {"gpus:\n  gpu:\n    clock: 7 parsecs\n", "4:12", {"7 parsecs"}},
        {"gpus:\n  gpu:\n    sms: 5000\n", "4:10", {"5000", "1024"}},
        {"gpus:\n  gpu:\n    memory: ddr\n", "4:13", {"'ddr'", "gddr5"}},
        {"memories:\n  gddr5:\n    scheduler: frfcfs\n", "4:16", {"frfcfs", "did you mean 'fr-fcfs'"}},
        {"memories:\n  gddr5:\n    timing: {RC: 40}\n", "4:18", {"'40' has no unit", "12ns"}},
        {"memories:\n  gddr5:\n    timing: {tRC: 40ns}\n", "4:14", {"unknown key 'tRC'", "RC"}},
        {"watchdog: 2000000\nwatchdog: 3\n", "3:1", {"given twice"}},
        {"about: [a\n", "", {}},
    };
    for (const auto& c : cases) {
        const std::string file = folder.write("m.yaml", std::string("extends: gtx480\n") + c.text);
        const std::string error = error_of(heddle_run({"run", "alu", "--ctas", "1", "-m", file}));
        expect_parts(error, file + ":" + c.at, c.parts);
    }
    expect_parts(error_of(heddle_run({"run", "-m", folder.write("m.yaml", "extends: gtx408\n")})),
                 folder.path() + "/m.yaml:1:10", {"did you mean 'gtx480'"});
    expect_parts(error_of(heddle_run({"run", "-m", folder.path() + "/none.yaml"})), "cannot read",
                 {"none.yaml"});
}

TEST(MachineErrors, PartsThatDoNotFitEachOtherAreRefusedBeforeTheRun) {
    for (const char* set : {"dram.standard=gddr9", "dram.width_bits=48", "dram.timing.BL=1 cycles",
                            "dram.map=[byte:64, bank:4, row]", "memories.gddr5=~"}) {
        const std::string error = error_of(heddle_run({"run", "alu", "--ctas", "1", "--set", set}));
        EXPECT_FALSE(error.empty());
    }
}

}  // namespace
}  // namespace heddle
