// Every kind of mistake in a machine file or in --set, as the user of the program sees it.

#include <algorithm>
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
        {"dram.age_cap=4", {"no key 'dram.age_cap', did you mean 'dram.", ".age_cap'?"}},
        {"dram.schedular=fr-fcfs", {"no key 'dram.schedular'", "scheduler"}},
        {"l1.size=16", {"has no unit", "16KiB"}},
        {"l1.size=16Mhz", {"16Mhz"}},
        {"gpu.clock=700", {"has no unit", "MHz"}},
        {"gpu.sms=0", {"'0'", "1"}},
        {"gpu.sms=many", {"'many'"}},
        {"l1.size=1GiB", {"'1GiB'", "64MiB"}},
        {"l1.size=1100B", {"must be a multiple of ways x 128 bytes"}},
        {"dram.scheduler=fr-fcsf", {"fr-fcsf", "did you mean 'fr-fcfs'"}},
        {"scheduler=lrr",
         {"no DRAM scheduler 'lrr' (that is a warp scheduler: gpu.sm.warp_scheduler=lrr); possible: atlas"}},
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

TEST(MachineErrors, WhatWasWrittenOverTheRestIsBlamed) {
    const TemporaryFolder folder;
    const struct {
        const char* text;  // behind "extends: gtx480"
        const char* set;   // or null
        const char* at;    // line:column of the file; empty: the option
        const char* part;
    } cases[] = {
        {"gpus: {gpu: {sm: {warps: 1}}}\n", nullptr, "2:26",
         "at least as many warps as schedulers, but has 1 and 2"},
        {"gpus: {gpu: {sm: {schedulers: 4, warps: 2}}}\n", nullptr, "2:41", "has 2 and 4"},
        {"gpus: {gpu: {l1: {ways: 5}}}\n", nullptr, "2:25", "must be a multiple of ways x 128 bytes"},
        {"gpus: {gpu: {l2: {ways: 7}}}\n", nullptr, "2:25", "must be a multiple of ways x 128 bytes"},
        {"memories: {gddr5: {write_high: 1, write_low: 8}}\n", nullptr, "2:46", "is above write_high, 1"},
        {"memories: {gddr5: {write_low: 8}}\n", "dram.write_high=1", "", "is above write_high, 1"},
        {"memories: {gddr5: {read_queue: 1, cpu_reserve: 1}}\n", nullptr, "2:48", "leave none for GPUs"},
        {"memories: {gddr5: {standard: ddr3}}\n", nullptr, "2:30", ""},
        {"memories: {gddr5: ~}\n", nullptr, "2:19", "removes what 'memory: gddr5' refers to"},
        {"memories: ~\n", nullptr, "2:11", "removes what 'memory: gddr5' refers to"},
        {"gpus: {gpu: {sm: {warps: 1}}}\n", "sm.schedulers=4", "", "has 1 and 4"},
        {"gpus: {gpu: {sm: {schedulers: 4}}}\n", "sm.warps=1", "", "has 1 and 4"},
    };
    for (const auto& c : cases) {
        const std::string file = folder.write("m.yaml", std::string("extends: gtx480\n") + c.text);
        std::vector<std::string> command{"run", "alu", "--ctas", "1", "-m", file};
        if (c.set != nullptr) command.insert(command.end(), {"--set", c.set});
        const std::string error = error_of(heddle_run(command));
        expect_parts(error, *c.at != '\0' ? file + ":" + c.at + ": " : "--set " + std::string(c.set) + ": ",
                     {c.part});
    }
}

TEST(MachineErrors, AMachineWithoutAGpuSaysSo) {
    const TemporaryFolder folder;
    for (const char* text : {"", "# nothing\n", "---\n", "~\n"}) {
        const std::string file = folder.write("m.yaml", text);
        for (const char* command : {"run", "dram", "record", "compare", "model"}) {
            std::vector<std::string> words{command, "alu", "-m", file};
            if (words.front() == "record") words.insert(words.end(), {"-o", folder.path() + "/r"});
            if (words.front() == "compare" || words.front() == "model")
                words.insert(words.end(), {"--store", folder.path() + "/s.db"});
            expect_parts(error_of(heddle_run(words)), file + ":", {"the machine file is empty"});
        }
    }
    for (const char* text :
         {"about: none\n", "gpus: {}\n", "extends: gtx480\ngpus: ~\n", "extends: gtx480\ngpus: {gpu: ~}\n"}) {
        const std::string file = folder.write("m.yaml", text);
        for (const char* command : {"run", "compare", "model"}) {
            std::vector<std::string> words{command, "alu", "--ctas", "1", "-m", file};
            if (words.front() != "run") words.insert(words.end(), {"--store", folder.path() + "/s.db"});
            expect_parts(error_of(heddle_run(words)), "machine '", {"has no GPU, but a run needs one"});
        }
    }
    const std::pair<const char*, const char*> wrong[] = {
        {"[gpus]\n", "m.yaml:1:1: a machine file must be a section of keys"},
        {"gtx480\n", "m.yaml:1:1: a machine file must be a section of keys"},
        {"extends: gtx480\ngpus: [gpu]\n", "m.yaml:2:7: gpus: expected named sections"},
        {"extends: gtx480\ngpus: gpu\n", "m.yaml:2:7: gpus: expected named sections"},
        {"gpus: {gpu: {clock: 1GHz, memory: m}}\n", "m.yaml:1:8: missing key 'sms'"},
    };
    for (const auto& [text, expected] : wrong)
        expect_parts(error_of(heddle_run({"run", "-m", folder.write("m.yaml", text)})), folder.path(),
                     {expected});
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
