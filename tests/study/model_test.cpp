// heddle model, and schedulers that want to know their applications' runs alone.

#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"

namespace heddle::study {
namespace {

using nlohmann::json;
using Strings = std::vector<std::string>;

/// Two applications that both miss: few instructions a miss, and many.
const Strings kApps{"pattern:gather,ctas=6,footprint=2MiB", "+", "pattern:stream,ctas=30,footprint=8MiB"};

double ipc(const json& app) {
    return app["thread_instructions"].get<double>() / app["cycles"].get<double>();
}

TEST(Model, SaysOfAnApplicationAloneWhatItsMissesAndBandwidthGive) {
    const TemporaryFolder folder;
    const Ended o = heddle_run({"model", "gather", "stream", "--ctas", "4", "--footprint", "2MiB", "--json",
                                "--store", folder.path() + "/s.db"});
    ASSERT_EQ(o.code, 0) << o.err;
    const json m = json::parse(o.out);
    ASSERT_EQ(m["alone"].size(), 2u);
    double errors = 0;
    for (const json& a : m["alone"]) {
        const json r =
            json::parse(heddle_run({"run", a["name"], "--ctas", "4", "--footprint", "2MiB", "--json"}).out);
        const json& app = r["apps"][0];
        const double bytes = app["counters"]["dram.read_bytes"]["value"].get<double>() +
                             app["counters"]["dram.write_bytes"]["value"].get<double>();
        const double misses = app["counters"]["l2.misses"]["value"].get<double>();
        // IPC = 1000 BW / (MPKI 128): instructions / cycles scaled by how far a miss is from 128 bytes.
        const double want = ipc(app) * bytes / (128 * misses);
        EXPECT_NEAR(a["model_ipc"].get<double>(), want, want * 1e-4);
        EXPECT_NEAR(a["ipc"].get<double>(), ipc(app), ipc(app) * 1e-4);
        errors += std::abs(a["error"].get<double>());
    }
    EXPECT_NEAR(m["mean_error"].get<double>(), errors / 2, 1e-9);
}

TEST(Model, PutsSimulationOfEachWayToDivideBesideWhatItExpects) {
    const TemporaryFolder folder;
    const Strings store{"--store", folder.path() + "/s.db"};
    const Ended o =
        heddle_run(with(with({"model", "--json", "--sms", "8,7", "--capacity", "60GB/s"}, kApps), store));
    ASSERT_EQ(o.code, 0) << o.err;
    const json mix = json::parse(o.out)["mixes"].at(0);
    ASSERT_EQ(mix["divisions"].size(), 4u);
    EXPECT_EQ(mix["capacity"], 60.0);
    EXPECT_FALSE(mix["divisions"][0].contains("model"));
    EXPECT_EQ(mix["divisions"][0]["name"], "fr-fcfs");
    const Strings settings[] = {{},
                                {"--set", "dram.scheduler=prior-app", "--set", "prior-app.order=[1]"},
                                {"--set", "dram.scheduler=prior-app", "--set", "prior-app.order=[2]"},
                                {"--set", "dram.scheduler=rr-fr-fcfs"}};
    for (std::size_t k = 0; k < 4; ++k) {
        const json r =
            json::parse(heddle_run(with(with({"run", "--json", "--sms", "8,7"}, settings[k]), kApps)).out);
        const json& simulated = mix["divisions"][k]["simulated"];
        double it = 0, ws = 0;
        for (std::size_t a = 0; a < 2; ++a) {
            it += ipc(r["apps"][a]);
            ws += ipc(r["apps"][a]) / mix["applications"][a]["ipc"].get<double>();
        }
        EXPECT_NEAR(simulated["it"].get<double>(), it, it * 1e-4) << k;
        EXPECT_NEAR(simulated["ws"].get<double>(), ws, ws * 1e-4) << k;
    }
    const auto bandwidth = [&](std::size_t app) {
        return mix["applications"][app]["bandwidth"].get<double>();
    };
    const json& first = mix["divisions"][1]["model"];
    EXPECT_DOUBLE_EQ(first["bandwidth"][0].get<double>(), std::min(60.0, bandwidth(0)));
    EXPECT_NEAR(first["bandwidth"][1].get<double>(),
                std::min(60.0 - first["bandwidth"][0].get<double>(), bandwidth(1)), 1e-9);
    // Everything was in the store: the same again is the same.
    EXPECT_EQ(
        heddle_run(with(with({"model", "--json", "--sms", "8,7", "--capacity", "60GB/s"}, kApps), store)).out,
        o.out);
}

TEST(Model, RefusesWhatItCanNotUse) {
    EXPECT_EQ(heddle_run({"model"}).code, 2);
    const Ended o = heddle_run({"model", "gather", "--capacity", "80"});
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("--capacity 80"), std::string::npos) << o.err;
    EXPECT_EQ(heddle_run({"model", "gather", "--max-instructions", "0"}).err,
              "heddle: --max-instructions: 0 instructions; give at least 1\n");
}

TEST(Profiles, AreFoundOutFromRunsAloneByCompareAndWantedByRun) {
    const TemporaryFolder folder;
    const Strings apps = with(kApps, {"--sms", "8,7"});
    const Ended run = heddle_run(with({"run", "--set", "dram.scheduler=prior-low-bw"}, apps));
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("prior-low-bw.profile has 0 values for 2 applications"), std::string::npos)
        << run.err;

    const Ended compared = heddle_run(
        with({"compare", "--json", "--metric", "cycles.1,cycles.2", "--set",
              "dram.scheduler=fr-fcfs,prior-low-mpki,prior-low-bw", "--store", folder.path() + "/s.db"},
             apps));
    ASSERT_EQ(compared.code, 0) << compared.err;
    const json c = json::parse(compared.out);
    EXPECT_EQ(c["runs"].size(), 5u);
    std::array<double, 2> mpki{}, bandwidth{};
    for (int k = 0; k < 2; ++k) {
        const json r = json::parse(
            heddle_run(with({"run", "--json", "--alone", std::to_string(k + 1)}, apps)).out)["apps"][0];
        auto counter = [&](const char* name) { return r["counters"][name]["value"].get<double>(); };
        mpki[static_cast<std::size_t>(k)] = counter("l2.misses") / r["thread_instructions"].get<double>();
        bandwidth[static_cast<std::size_t>(k)] =
            (counter("dram.read_bytes") + counter("dram.write_bytes")) / r["cycles"].get<double>();
    }
    auto order = [](const std::array<double, 2>& x) { return x[0] <= x[1] ? "[1, 2]" : "[2, 1]"; };
    const std::pair<const char*, const char*> policies[] = {{"prior-low-mpki", order(mpki)},
                                                            {"prior-low-bw", order(bandwidth)}};
    for (const auto& [policy, as] : policies) {
        const json r = json::parse(heddle_run(with({"run", "--json", "--set", "dram.scheduler=prior-app",
                                                    "--set", std::string("prior-app.order=") + as},
                                                   apps))
                                       .out);
        for (std::size_t k = 0; k < 2; ++k)
            EXPECT_EQ(c["metrics"][k]["values"].begin().value()[policy], r["apps"][k]["cycles"]) << policy;
    }
}

TEST(Profiles, AnOrderThatNamesAnApplicationThatIsNotThereIsRefused) {
    const Ended o =
        heddle_run(with({"run", "--set", "dram.scheduler=prior-app", "--set", "prior-app.order=[3]"}, kApps));
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("prior-app.order names application 3, but there are 2"), std::string::npos) << o.err;
}

}  // namespace
}  // namespace heddle::study
