// heddle dram: a machine's memory alone.

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "config/machine_file.h"
#include "dram/reference_sets.h"
#include "machine/settings.h"

namespace heddle {
namespace {

using nlohmann::json;

std::string stream_file(const TemporaryFolder& folder, const std::vector<dram::StreamEntry>& stream) {
    std::string text;
    for (const dram::StreamEntry& e : stream)
        text += fmt::format("{:#x} {}\n", e.address, e.write ? "W" : "R");
    return folder.write("stream", text);
}

u64 sum(const json& counts) {
    u64 total = 0;
    for (const json& c : counts) total += c.get<u64>();
    return total;
}

TEST(DramCommand, TheMatchedMachinesAreTheReferenceSets) {
    const char* machines[] = {"hbm2-1pc-matched", "hbm2-2pc-matched", "gddr6-matched"};
    const auto sets = dram::reference_sets();
    ASSERT_EQ(sets.size(), std::size(machines));
    TemporaryFolder folder;
    const auto stream = dram::reference_stream("random_rw70", 3'000);
    const std::string file = stream_file(folder, stream);
    for (std::size_t k = 0; k < sets.size(); ++k) {
        SCOPED_TRACE(machines[k]);
        const Ended run = heddle_run({"dram", "-m", machines[k], "--json", file});
        ASSERT_EQ(run.code, 0) << run.err;
        const json r = json::parse(run.out);
        dram::MemorySettings settings = sets[k].settings;
        const MachineSettings m =
            config::load(MachineSettings::schema(), {.machine = machines[k], .sets = {}});
        settings.scheduler = m.memories.begin()->second.scheduler;
        settings.drain = m.memories.begin()->second.drain;
        const dram::AloneResult wanted = dram::run_alone(settings, stream);
        EXPECT_EQ(r["cycles"], wanted.cycles);
        EXPECT_EQ(r["read_cycles"], wanted.read_cycles);
        EXPECT_EQ(r["memory_stall_cycles"], wanted.blocked_clocks);
        EXPECT_EQ(r["requests"], 3'000);
        EXPECT_EQ(r["reads"].get<u64>() + r["writes"].get<u64>() + r["forwarded_reads"].get<u64>(), 3'000u);
        EXPECT_EQ(sum(r["rows"]), r["reads"].get<u64>() + r["writes"].get<u64>());
        EXPECT_EQ(sum(r["bus_cycles"]), wanted.total.cycles * (k == 1 ? 2 : 1));
        EXPECT_GT(r["requests_per_cpu_second"], 0);
    }
}

TEST(DramCommand, BandwidthIsBytesOverTimeAndSetChangesTheMemory) {
    TemporaryFolder folder;
    const std::string file = stream_file(folder, dram::reference_stream("stream_rd", 2'000));
    const json r = json::parse(heddle_run({"dram", "-m", "gddr6-matched", "--json", file}).out);
    EXPECT_NEAR(r["bandwidth_bytes_per_s"].get<double>(),
                2'000.0 * 32 * r["clock_hz"].get<double>() / r["cycles"].get<double>(), 1.0);
    EXPECT_LT(r["bandwidth_bytes_per_s"], r["peak_bytes_per_s"]);
    // Writes that end long after the last read are not moved in the time until it.
    std::string writes = "0x0 R\n";
    for (int k = 1; k < 20'000; ++k) writes += fmt::format("{:#x} W\n", 32 * k);
    const json most = json::parse(
        heddle_run({"dram", "-m", "gddr6-matched", "--json", folder.write("writes", writes)}).out);
    EXPECT_LT(most["bandwidth_bytes_per_s"], most["peak_bytes_per_s"]);
    EXPECT_GT(most["bandwidth_bytes_per_s"].get<double>(), 0.7 * most["peak_bytes_per_s"].get<double>());
    const json two = json::parse(
        heddle_run({"dram", "-m", "gddr6-matched", "--set", "dram.channels=2", "--json", file}).out);
    EXPECT_EQ(two["peak_bytes_per_s"].get<u64>(), 2 * r["peak_bytes_per_s"].get<u64>());
    const Ended text = heddle_run({"dram", "-m", "gddr6-matched", file});
    EXPECT_TRUE(text.out.starts_with(
        "gddr6: 1 channel of 1 x 16 bit, 32 bytes per column command, 16 banks, peak 28.0 GB/s\n"))
        << text.out;
    EXPECT_NE(text.out.find("\ninjection: each clock, the next request is offered, in order;"),
              std::string::npos);
}

TEST(DramCommand, AuditsEveryChannelAndChangesNothing) {
    TemporaryFolder folder;
    const std::string file = stream_file(folder, dram::reference_stream("random_rw70", 3'000));
    for (const char* machine : {"gtx480", "h200", "hbm2-2pc-matched"}) {
        json plain = json::parse(heddle_run({"dram", "-m", machine, "--json", file}).out);
        const Ended audited = heddle_run({"dram", "-m", machine, "--audit", "--json", file});
        ASSERT_EQ(audited.code, 0) << audited.err;
        json r = json::parse(audited.out);
        EXPECT_EQ(r["audit"]["channels"], r["channels"]) << machine;
        EXPECT_EQ(r["audit"]["commands"].get<u64>(), sum(r["commands"])) << machine;
        for (const char* own : {"audit", "cpu_seconds", "requests_per_cpu_second"})
            r.erase(own), plain.erase(own);
        EXPECT_EQ(r, plain) << machine;
    }
}

TEST(DramCommand, CommandTracesHoldEveryCommandAndPassTheAudit) {
    TemporaryFolder folder;
    const std::string file = stream_file(folder, dram::reference_stream("random_rw70", 3'000));
    const std::string trace = folder.write("commands", "");
    for (const char* machine : {"hbm2-2pc-matched", "gtx480"}) {
        SCOPED_TRACE(machine);
        const json plain = json::parse(heddle_run({"dram", "-m", machine, "--json", file}).out);
        const Ended run = heddle_run({"dram", "-m", machine, "--json", "--command-trace", trace, file});
        ASSERT_EQ(run.code, 0) << run.err;
        const json r = json::parse(run.out);
        EXPECT_EQ(r["per_channel"], plain["per_channel"]);
        const std::size_t channels = r["channels"].get<std::size_t>();
        ASSERT_EQ(r["per_channel"].size(), channels);
        u64 requests = 0;
        for (std::size_t k = 0; k < channels; ++k) {
            const json& c = r["per_channel"][k];
            const Ended audit =
                heddle_run({"audit", channels == 1 ? trace : trace + "." + std::to_string(k)});
            EXPECT_EQ(audit.code, 0) << audit.out << audit.err;
            std::string count = std::to_string(sum(c["commands"]));
            if (count.size() > 3) count.insert(count.size() - 3, ",");
            EXPECT_NE(audit.out.find("\n" + count + " commands in "), std::string::npos) << audit.out;
            requests += c["queue_length_found"]["count"].get<u64>();
        }
        EXPECT_EQ(requests, 3'000u);
    }
    const Ended refused = heddle_run({"dram", "--command-trace", folder.path(), "-m", "gddr6-matched", file});
    EXPECT_EQ(refused.code, 2);
    EXPECT_EQ(refused.out, "");
}

TEST(DramCommand, CommandTracesOfARunPassTheAudit) {
    TemporaryFolder folder;
    const std::string trace = folder.path() + "/commands";
    const Ended run = heddle_run({"run", "--ctas", "2", "gather", "--audit", "--command-trace", trace});
    ASSERT_EQ(run.code, 0) << run.err;
    for (int k = 0; k < 6; ++k) {
        const Ended audit = heddle_run({"audit", trace + "." + std::to_string(k)});
        EXPECT_EQ(audit.code, 0) << audit.err << audit.out;
        EXPECT_EQ(audit.out.find("\n0 commands"), std::string::npos) << audit.out;
    }
}

TEST(DramCommand, AnInterruptLeavesNoPartOfATrace) {
    TemporaryFolder folder;
    // One request a day at 1 GHz: refreshes keep it busy for far longer than the test.
    const std::string file = folder.write("requests", "0x0 READ 0\n0x40 READ 86400000000000\n");
    Started run({"dram", "-m", "h200", "--command-trace", folder.path() + "/commands", file});
    const auto files = [&] { return std::distance(std::filesystem::directory_iterator(folder.path()), {}); };
    for (int k = 0; k < 10'000 && files() < 2; ++k) usleep(1'000);
    ASSERT_GT(files(), 1) << "no trace was begun";
    kill(run.pid(), SIGTERM);
    const Ended ended = run.wait();
    EXPECT_EQ(ended.code, 130) << ended.err;
    EXPECT_EQ(ended.out, "");
    EXPECT_EQ(ended.err, "heddle: note: interrupted\n");
    EXPECT_EQ(files(), 1);
}

TEST(DramCommand, ResultsDoNotReplaceInputs) {
    TemporaryFolder folder;
    const std::string text = "0x0 R\n", file = folder.write("requests.0", text),
                      link = folder.path() + "/link";
    std::filesystem::create_hard_link(file, link);
    const std::string stem = folder.path() + "/requests";
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"dram", "-m", "gddr6-matched", "--command-trace", link, file},
                                               {"dram", "-m", "gtx480", "--command-trace", stem, file},
                                               {"run", "--dump-requests", link, file},
                                               {"run", "--trace-requests", link, file},
                                               {"run", "--command-trace", stem, file},
                                               {"run", "--dump-requests", link, "/bin/true", file},
                                               {"record", "-o", link, file}}) {
        const Ended refused = heddle_run(words);
        EXPECT_EQ(refused.code, 2) << words[1];
        EXPECT_NE(refused.err.find(": this is the input '" + file + "', which would be overwritten\n"),
                  std::string::npos)
            << refused.err;
        EXPECT_EQ(folder.read("requests.0"), text);
    }
    const std::string kernel = folder.write("kernel-1.traceg", "-kernel name = k\n"),
                      list = folder.write("kernelslist.g", "kernel-1.traceg\n");
    EXPECT_NE(heddle_run({"record", "-o", kernel, list}).err.find("this is the input '" + kernel + "'"),
              std::string::npos);
    const std::string study = folder.write("study.yaml", "workloads: [pattern:alu]\n");
    EXPECT_NE(heddle_run({"report", "-o", study, study}).err.find("this is the input '" + study + "'"),
              std::string::npos);
    EXPECT_EQ(folder.read("study.yaml"), "workloads: [pattern:alu]\n");
}

TEST(DramCommand, ResultsReplaceFilesThatAreNamedLikeAPatternOrAMachine) {
    TemporaryFolder folder;
    for (const char* name : {"alu", "gtx480"})
        for (int k = 0; k < 2; ++k) {
            const Ended recorded =
                heddle_run({"record", "-m", "gtx480", "-o", name, "alu", "--ctas", "1"}, folder.path());
            EXPECT_EQ(recorded.code, 0) << recorded.err;
        }
}

TEST(DramCommand, AByteOrderMarkIsSkipped) {
    TemporaryFolder folder;
    const std::string file = folder.write("requests",
                                          "\xef\xbb\xbf"
                                          "0x0 R\n0x40 W\n");
    const Ended run = heddle_run({"dram", "--json", file});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(json::parse(run.out)["requests"], 2);
}

TEST(DramCommand, RefreshThatLeavesNoTimeIsAnErrorThatNamesBothTimes) {
    TemporaryFolder folder;
    const std::string file = folder.write("requests", "0x0 R\n");
    const Ended run = heddle_run({"dram", "-m", "h200", file, "--set", "dram.timing.REFI=300 cycles"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("REFI"), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("(RFCpb)"), std::string::npos) << run.err;
}

TEST(DramCommand, ErrorsNameThePlace) {
    TemporaryFolder folder;
    const std::string file = folder.write("bad", "0x0 R\n\n0x40 Q\n");
    const Ended bad = heddle_run({"dram", file});
    EXPECT_EQ(bad.code, 2);
    EXPECT_EQ(bad.out, "");
    EXPECT_TRUE(bad.err.starts_with("heddle: " + file + ":3: kind 'Q'")) << bad.err;
    EXPECT_EQ(heddle_run({"dram", "--memory", "gddr", file}).err,
              "heddle: --memory gddr: machine 'gtx480' has no such memory, did you mean 'gddr5'?\n");
    EXPECT_EQ(heddle_run({"dram"}).err, "heddle: missing FILE: give a file of requests\n");
}

TEST(DramCommand, TheRecordHasTheSettingsAndWhatTheSchedulerCountedOnAllChannels) {
    TemporaryFolder folder;
    const std::string file = stream_file(folder, dram::reference_stream("random_rd", 500));
    const std::vector<std::string> words = {
        "dram", "-m", "maxwell-mask", "--set", "dram.scheduler=mask", "--set", "mask.silver=9", file};
    std::vector<std::string> with_json = words;
    with_json.emplace_back("--json");
    const json r = json::parse(heddle_run(with_json).out);
    EXPECT_EQ(r["settings"]["scheduler"], "mask");
    EXPECT_EQ(r["settings"]["mask"]["silver"], 9);
    const json counted = r["scheduler_counters"];
    EXPECT_EQ(r["channels"], 8);
    EXPECT_EQ(counted["silver_requests"].get<u64>() + counted["normal_requests"].get<u64>(), 500u);
    const std::string text = heddle_run(words).out;
    EXPECT_NE(text.find("scheduler: silver_requests"), std::string::npos) << text;
    EXPECT_NE(text.find("\nscheduler: mask\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace heddle
