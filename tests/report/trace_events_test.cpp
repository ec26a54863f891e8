// The file of --trace-requests holds to the Trace Event Format and to the run.

#include "report/trace_events.h"

#include <cmath>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <unistd.h>

#include "machine/lab.h"
#include "trace/open.h"

namespace heddle::test {
namespace {

using nlohmann::json;

struct Span {
    std::string name, process, thread;
    u64 begin = 0, end = 0;  // picoseconds
    json args;
    std::vector<Span> inside;
};

/// Microseconds in the file are picoseconds with a decimal point.
u64 picoseconds(const json& event) {
    return static_cast<u64>(std::llround(event.at("ts").get<double>() * 1e6));
}

/// Reads the file as a viewer does, and fails where it breaks the format's rules.
struct Trace {
    explicit Trace(const json& file) : other(file.at("otherData")) { read(file); }
    void read(const json& file) {
        std::map<u64, std::string> processes, threads;
        std::map<u64, u64> process_of, last;
        std::map<u64, std::vector<Span>> open;
        std::map<u64, std::pair<u64, std::string>> arrows;
        for (const json& e : file.at("traceEvents")) {
            const std::string phase = e.at("ph");
            const u64 pid = e.at("pid"), tid = e.at("tid"), at = picoseconds(e);
            EXPECT_EQ(process_of.emplace(tid, pid).first->second, pid) << "a thread of two processes";
            if (phase == "M") {
                if (e["name"] == "process_name") {
                    EXPECT_TRUE(processes.emplace(pid, e["args"]["name"]).second);
                } else if (e["name"] == "thread_name") {
                    EXPECT_TRUE(threads.emplace(tid, e["args"]["name"]).second);
                }
                continue;
            }
            EXPECT_GE(at, last[tid]);
            last[tid] = at;
            auto& stack = open[tid];
            if (phase == "B") {
                ASSERT_EQ(processes.count(pid), 1u);
                ASSERT_EQ(threads.count(tid), 1u);
                stack.push_back(
                    {e.at("name"), processes[pid], threads[tid], at, 0, e.value("args", json::object()), {}});
            } else if (phase == "E") {
                ASSERT_FALSE(stack.empty());
                Span span = std::move(stack.back());
                stack.pop_back();
                EXPECT_EQ(e.at("name"), span.name);
                span.end = at;
                (stack.empty() ? spans : stack.back().inside).push_back(std::move(span));
            } else if (phase == "s") {
                ASSERT_FALSE(stack.empty());
                EXPECT_TRUE(arrows.emplace(e.at("id"), std::pair(at, stack.back().name)).second);
            } else {
                ASSERT_EQ(phase, "f");
                EXPECT_EQ(e.at("bp"), "e");
                ASSERT_FALSE(stack.empty());
                const auto from = arrows.find(e.at("id"));
                ASSERT_NE(from, arrows.end());
                EXPECT_EQ(from->second.first, at);
                const std::string to = stack.back().process;
                EXPECT_EQ(to.substr(0, from->second.second.size()), from->second.second);
                arrows.erase(from);
            }
        }
        EXPECT_TRUE(arrows.empty());
        for (const auto& [tid, stack] : open) EXPECT_TRUE(stack.empty());
    }

    std::vector<const Span*> of(const std::string& process) const {
        std::vector<const Span*> found;
        for (const Span& s : spans)
            if (s.process.substr(0, process.size()) == process) found.push_back(&s);
        return found;
    }

    std::vector<Span> spans;
    json other;
};

/// Stations follow each other from the span's begin to its end; their sum.
u64 stations(const Span& span) {
    u64 at = span.begin, sum = 0;
    for (const Span& s : span.inside) {
        EXPECT_EQ(s.begin, at) << s.name << " in " << span.name;
        at = s.end;
        sum += s.end - s.begin;
    }
    EXPECT_EQ(at, span.end) << span.name;
    return sum;
}

struct Result {
    RunRecord record;
    json file;
};

Result traced(const MachineSettings& machine, const std::vector<std::string>& programs,
              u64 most = Lifetimes::kMost) {
    const std::string path = testing::TempDir() + "heddle_lifetimes_" + std::to_string(getpid()) + ".json";
    Simulation simulation(machine);
    for (u32 k = 0; k < programs.size(); ++k)
        simulation.add(open_source(programs[k]), [=] { return open_source(programs[k]); },
                       {.first_sm = k,
                        .sms = programs.size() == 1 ? 0 : 1u,
                        .part = k,
                        .parts = static_cast<u32>(programs.size())});
    report::TraceEventFile file(path);
    const Lifetimes lives(simulation.machine(), 1, most);
    Result run;
    run.record = simulation.run({});
    file.finish(lives, "small \"machine\"", "1");
    std::ifstream in(path);
    run.file = json::parse(in);
    std::remove(path.c_str());
    return run;
}

TEST(TraceEvents, StationsOfAnUnloadedChaseSumToItsLoadLatency) {
    const Result run = traced(small_machine({"gpu.clock=700MHz", "dram.clock=924MHz"}),
                              {"pattern:chase,ctas=1,threads=32,footprint=1MiB,divergence=1"});
    const Trace trace(run.file);
    u64 count = 0, sum = 0, cycles = 0, far = 0;
    for (const Span* load : trace.of("SM ")) {
        if (load->name.substr(0, 5) != "load ") continue;
        ++count;
        sum += stations(*load);
        cycles += load->args.at("cycles").get<u64>();
        for (const Span& s : load->inside)
            if (s.name.substr(0, 8) == "L2 slice") ++far;
    }
    EXPECT_EQ(count, run.record.load_latency_cycles->count);
    EXPECT_EQ(cycles, run.record.load_latency_cycles->sum);
    // A picosecond is lost at most for each load: begin and end are rounded down.
    const double expected = static_cast<double>(cycles) / 700e6 * 1e12;
    EXPECT_NEAR(static_cast<double>(sum), expected, static_cast<double>(count));
    EXPECT_GT(far, count / 2);
    // The same requests once more in L2 and in DRAM, divided there.
    EXPECT_EQ(trace.of("L2 slice 0 (channel 0)").size(), far);
    for (const Span* s : trace.of("L2 ")) stations(*s);
    const auto dram = trace.of("DRAM channel 0 (dram)");
    EXPECT_GT(dram.size(), far / 2);
    for (const Span* s : dram) {
        stations(*s);
        EXPECT_EQ(s->thread.substr(0, 5), "bank ");
    }
}

TEST(TraceEvents, SpansNestUnderLoadAndNameTheirApplications) {
    const Result run = traced(small_machine({"dram.channels=2", "slices_per_channel=2"}),
                              {"pattern:gather,ctas=2,threads=96,footprint=1MiB",
                               "pattern:random,ctas=2,footprint=1MiB,read_percent=60"},
                              500);
    const Trace trace(run.file);
    std::set<std::string> processes;
    std::map<std::string, u64> names;
    for (const Span& s : trace.spans) {
        processes.insert(s.process);
        ++names[s.name.substr(0, s.name.find(' '))];
        if (s.process.substr(0, 2) == "SM" && s.args.contains("application")) {
            EXPECT_EQ(s.process.substr(s.process.find(':') + 2), s.args["application"]);
        }
        // An instruction of several lines holds its first one; the others have lanes of their own.
        if (!s.inside.empty() && s.inside[0].name.substr(0, 5) == "line ") {
            EXPECT_EQ(s.inside[0].name.substr(0, 10), "line 1 of ");
            stations(s.inside[0]);
        } else {
            stations(s);
        }
    }
    EXPECT_EQ(processes.count("SM 0: pattern:gather"), 1u);
    EXPECT_EQ(processes.count("SM 1: pattern:random"), 1u);
    EXPECT_EQ(processes.count("L2 slice 3 (channel 1)"), 1u);
    EXPECT_EQ(processes.count("DRAM channel 1 (dram)"), 1u);
    EXPECT_GT(names["line"], names["load"]);
    EXPECT_GT(names["store"], 0u);
    EXPECT_EQ(trace.other["machine"], "small \"machine\"");
}

TEST(TraceEvents, TheFileSaysWhatItLeavesOut) {
    const std::string gather = "pattern:gather,ctas=1,threads=64,footprint=1MiB";
    const Result whole = traced(small_machine(), {gather}, ~u64{0}),
                 part = traced(small_machine(), {gather}, 150);
    EXPECT_EQ(whole.file["otherData"]["one_in"], 1);
    EXPECT_EQ(whole.file["otherData"]["traced_instructions"], whole.file["otherData"]["memory_instructions"]);
    const json& other = part.file["otherData"];
    EXPECT_EQ(other["memory_instructions"], whole.file["otherData"]["memory_instructions"]);
    EXPECT_GT(other["one_in"], 1);
    EXPECT_LE(other["traced_requests"], 150);
    u64 instructions = 0;
    const Trace trace(part.file);
    for (const Span* s : trace.of("SM ")) instructions += s->name.substr(0, 5) != "line ";
    EXPECT_EQ(other["traced_instructions"], instructions);
    EXPECT_NE(other["sampled"].get<std::string>().find("left out"), std::string::npos);
}

}  // namespace
}  // namespace heddle::test
