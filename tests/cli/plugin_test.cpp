// Policies of every point, built apart from the program, are loaded and used; a plugin that does not fit is refused.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "build_plugin.h"
#include "built.h"
#include "cli/program.h"
#include "study/sha256.h"

namespace heddle {
namespace {

constexpr const char* kOneOfEach = R"(
#include <cstdio>
#include <set>
#include "cache/settings.h"
#include "core/warp_scheduler.h"
#include "dram/scheduler/application_order.h"
#include "dram/write_drain.h"
#include "vm/fill_policy.h"
#include "vm/memory_manager.h"
#include "vm/shootdown_policy.h"
namespace {
using namespace heddle;
// Tells at the program's end which of them were asked.
struct Asked {
    std::set<std::string> points;
    ~Asked() {
        for (const std::string& point : points) std::fprintf(stderr, "asked: %s\n", point.c_str());
    }
} asked;
struct FirstWay final : ReplacementPolicy {
    explicit FirstWay(const CacheContext&) {}
    void on_hit(u32, u32) override {}
    void on_fill(u32, u32, u32) override {}
    u32 victim(u32, u64 evictable) override {
        asked.points.insert("replacement");
        return static_cast<u32>(std::countr_zero(evictable));
    }
};
struct InFront final : InsertionPolicy {
    explicit InFront(const CacheContext&) {}
    u32 position(const Request&) override {
        asked.points.insert("insertion");
        return 0;
    }
};
struct Writes final : BypassPolicy {
    explicit Writes(const CacheContext&) {}
    bool bypass(const Request& r, Cycle) override {
        asked.points.insert("bypass");
        return r.is_write();
    }
};
struct Lowest final : WarpScheduler {
    explicit Lowest(const WarpSchedulerContext& c) : age(c.age) {}
    u32 pick(u64 ready, u64) override {
        asked.points.insert("warp scheduler");
        return oldest(ready, age);
    }
    std::span<const u64> age;
};
struct Full final : dram::WriteDrain {
    explicit Full(const dram::MemorySettings& s) : most(s.write_queue / 2) {}
    bool update(u32 reads, u32 writes) override {
        asked.points.insert("write drain");
        return writes > most || reads == 0;
    }
    u32 most;
};
struct LastApp final : dram::ApplicationOrder {
    explicit LastApp(const dram::SchedulerContext& c) : ApplicationOrder(c, 0) {
        const u8 first[] = {1, 0};
        set_ranks(first);
    }
    void on_command(const dram::Issued& issued) override {
        asked.points.insert("DRAM scheduler");
        ApplicationOrder::on_command(issued);
    }
};
struct Even final : TlbFillPolicy {
    explicit Even(const FillContext&) {}
    bool fills(u8, std::span<const FillRequester> r, Cycle) override {
        asked.points.insert("TLB fill");
        return r.front().sm % 2 == 0;
    }
};
struct Blocks final : MemoryManager {
    explicit Blocks(const MemoryManagerContext& c) : blocks(*c.blocks) {}
    u32 take(u32 part, PageSize) override {
        asked.points.insert("memory manager");
        return blocks.next(part);
    }
    void give(u32, u32, PageSize) override {}
    FrameBlocks& blocks;
};
struct Forget final : ShootdownPolicy {
    Forget() { asked.points.insert("shootdown"); }
    ShootdownScope scope(const TranslationChange&, Cycle) override { return ShootdownScope::everything; }
};
const bool done = replacement_policies().add<FirstWay>("first-way", "a", "b") &&
                  insertion_policies().add<InFront>("in-front", "a", "b") &&
                  bypass_policies().add<Writes>("all-writes", "a", "b") &&
                  warp_schedulers().add<Lowest>("launched-first", "a", "b") &&
                  dram::write_drains().add<Full>("half-full", "a", "b") &&
                  dram::schedulers().add<LastApp>("last-app", "a", "b") &&
                  tlb_fill_policies().add<Even>("even-sms", "a", "b") &&
                  memory_managers().add<Blocks>("a-block-each", "a", "b") &&
                  shootdown_policies().add<Forget>("all-forget", "a", "b");
}  // namespace
)";

std::string built(const TemporaryFolder& folder, const std::string& name, const std::string& text,
                  const std::string& include = checkout("src")) {
    const std::string object = folder.path() + '/' + name + ".so";
    build_plugin(folder.write(name + ".cpp", text), object, include);
    return object;
}

TEST(PluginCommand, APolicyOfEveryPointIsBuiltLoadedAndUsed) {
    TemporaryFolder folder;
    const std::string object = built(folder, "each", kOneOfEach);
    const Ended run = heddle_run({"run",
                                  "random",
                                  "--ctas",
                                  "4",
                                  "--read-percent",
                                  "50",
                                  "-m",
                                  "maxwell-mask",
                                  "--json",
                                  "--plugin",
                                  object,
                                  "--set",
                                  "dram.scheduler=last-app",
                                  "--set",
                                  "dram.drain=half-full",
                                  "--set",
                                  "dram.queues=separate",
                                  "--set",
                                  "l1.replacement=first-way",
                                  "--set",
                                  "l2.insertion=in-front",
                                  "--set",
                                  "l2.bypass=all-writes",
                                  "--set",
                                  "sm.warp_scheduler=launched-first",
                                  "--set",
                                  "translation.fill=even-sms",
                                  "--set",
                                  "translation.memory_manager=a-block-each",
                                  "--set",
                                  "translation.shootdown=all-forget"});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto record = nlohmann::json::parse(run.out);
    EXPECT_EQ(record["partial"], false);
    ASSERT_TRUE(record.contains("plugins"));
    ASSERT_EQ(record["plugins"].size(), 1u);
    EXPECT_EQ(record["plugins"][0]["file"], object);
    EXPECT_EQ(record["plugins"][0]["sha256"], study::sha256_of_file(object));
    EXPECT_NE(
        run.err.find("asked: DRAM scheduler\nasked: TLB fill\nasked: bypass\nasked: insertion\n"
                     "asked: memory manager\nasked: replacement\nasked: shootdown\nasked: warp scheduler\n"
                     "asked: write drain\n"),
        std::string::npos)
        << run.err;
}

/// Pages of odd numbers begin with the GPU; a page moves at its second access, all of its allocation with it.
constexpr const char* kOfPages = R"(
#include "vm/migration_policy.h"
namespace {
using namespace heddle;
struct Odd final : PlacementPolicy {
    explicit Odd(const PlacementContext& c) : own(c.first(false)), host(c.first(true)) {}
    u32 memory_of(const NewPage& page) override { return page.page.page() % 2 == 1 ? own : host; }
    u32 own, host;
};
struct WholeAllocation final : MigrationPolicy {
    explicit WholeAllocation(const MigrationContext&) {}
    bool on_touch(PageKey, u64 touches) override { return touches == 2; }
    void expand(u64, PageRange all, std::vector<u64>& to) override {
        for (u64 page = all.first; page < all.end; ++page) to.push_back(page);
    }
};
const bool done = placement_policies().add<Odd>("odd-pages", "a", "b") &&
                  migration_policies().add<WholeAllocation>("whole-allocation", "a", "b");
}  // namespace
)";

TEST(PluginCommand, PagesArePlacedAndMovedByOnesOwnPolicies) {
    TemporaryFolder folder;
    const std::string object = built(folder, "pages", kOfPages);
    const auto run = [&](const std::string& migration) {
        const Ended end = heddle_run({"run", "stream", "--ctas", "8", "--footprint", "1MiB", "-m", "cc-numa",
                                      "--json", "--plugin", object, "--set", "placement=odd-pages", "--set",
                                      "migration=" + migration});
        EXPECT_EQ(end.code, 0) << end.err;
        return nlohmann::json::parse(end.out);
    };
    const auto bytes = [](const nlohmann::json& record, const char* memory, const char* what) {
        return record["memories"][memory][what].get<u64>();
    };
    const auto still = run("none"), moving = run("whole-allocation");
    EXPECT_EQ(bytes(still, "gddr5", "read_bytes"), bytes(still, "ddr4", "read_bytes"));
    EXPECT_EQ(bytes(still, "gddr5", "write_bytes"), 0u);
    EXPECT_GT(bytes(moving, "gddr5", "write_bytes"), 0u);
}

TEST(PluginCommand, WhatIsNoPluginIsRefused) {
    const TemporaryFolder folder;
    auto error = [](const std::string& file) {
        const Ended run = heddle_run({"explain", "dram.scheduler", "--plugin", file});
        EXPECT_EQ(run.code, 2) << file << run.out;
        return run.err;
    };
    const std::string library = built(folder, "library", "int nothing() { return 0; }\n");
    EXPECT_EQ(error(library),
              "heddle: plugin '" + library + "': it registers no policy, so it is not a Heddle plugin\n");
    const std::string text = folder.write("text.so", "no program\n");
    EXPECT_NE(error(text).find("': it is not a shared object (file too short)"), std::string::npos)
        << error(text);
    const std::string long_text = folder.write("long.so", std::string(5'000, 'x'));
    EXPECT_NE(error(long_text).find("': it is not a shared object (invalid ELF header)"), std::string::npos)
        << error(long_text);
    EXPECT_NE(error(folder.path()).find("': it is a directory"), std::string::npos);
    EXPECT_NE(error("/dev/null").find("': it is not a regular file"), std::string::npos);
    EXPECT_NE(error(folder.path() + "/none.so").find("': no such file"), std::string::npos);
    const std::string needy =
        built(folder, "needy", "namespace heddle { int none(); }\nint x = heddle::none();\n");
    EXPECT_NE(error(needy).find("undefined symbol"), std::string::npos) << error(needy);
    // The same plugin again is not a mistake.
    const std::string each = built(folder, "each", kOneOfEach);
    EXPECT_EQ(heddle_run({"explain", "dram.scheduler", "--plugin", each, "--plugin", each}).code, 0);
}

TEST(PluginCommand, OneOfAnotherVersionIsRefused) {
    TemporaryFolder folder;
    std::ifstream in(checkout("src/config/policy.h"));
    std::stringstream text;
    text << in.rdbuf();
    std::string header = text.str();
    const std::string now = "using CurrentInterface = Interface<";
    ASSERT_NE(header.find(now), std::string::npos);
    header.insert(header.find(now) + now.size(), "1000 + ");
    std::filesystem::create_directory(folder.path() + "/config");
    folder.write("config/policy.h", header);
    const std::string object = built(folder, "stale", kOneOfEach, folder.path());
    const Ended run = heddle_run({"explain", "dram.scheduler", "--plugin", object});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, "heddle: plugin '" + object +
                           "': it was compiled for another version of Heddle; compile it again\n");
}

TEST(PluginCommand, ASchedulerThatOffersNothingIsNamedWhileRefreshesGoOn) {
    TemporaryFolder folder;
    const std::string object = built(folder, "mute", R"(
#include "dram/scheduler.h"
namespace {
using namespace heddle;
struct Mute final : dram::Scheduler {
    explicit Mute(const dram::SchedulerContext&) {}
    bool can_accept(const Request&) const override { return true; }
    void accept(Request*, Cycle) override {}
    void on_command(const dram::Issued&) override {}
    bool wants_row(u32, const Request*) const override { return false; }
    void report(std::vector<dram::PolicyCounter>& to) const override { to.push_back({"said", "words", 0}); }
};
const bool done = dram::schedulers().add<Mute>("mute", "a", "b");
}  // namespace
)");
    const std::string stream = folder.write("stream.txt", "0x0 R\n0x1000 R\n");
    const Ended run = heddle_run({"dram", "-m", "hbm2-1pc-matched", "--plugin", object, "--set",
                                  "dram.scheduler=mute", "--set", "dram.refresh=all_bank", stream});
    EXPECT_EQ(run.code, 3);
    EXPECT_NE(run.err.find("none of 2 waiting requests was served in 10000000 clocks: DRAM scheduler 'mute' "
                           "offers none"),
              std::string::npos)
        << run.err;
}

TEST(PluginCommand, ARankThatDoesNotFitItsPlaceIsRefused) {
    TemporaryFolder folder;
    const std::string object = built(folder, "high", R"(
#include "dram/scheduler/queue_scheduler.h"
namespace {
using namespace heddle;
struct High final : dram::QueueScheduler {
    explicit High(const dram::SchedulerContext& c) : QueueScheduler(c) {}
    Rank rank(const Request& r, u8) const override { return {static_cast<u16>(r.row != 0 ? 32768 : 32767), 255}; }
};
const bool done = dram::schedulers().add<High>("high", "a", "b");
}  // namespace
)");
    auto run = [&](const char* requests) {
        return heddle_run({"dram", "-m", "hbm2-1pc-matched", "--plugin", object, "--set",
                           "dram.scheduler=high", folder.write("stream.txt", requests)});
    };
    EXPECT_EQ(run("0x0 R\n").code, 0);
    const Ended json = heddle_run(
        {"dram", "-m", "hbm2-1pc-matched", "--plugin", object, "--json", folder.path() + "/stream.txt"});
    EXPECT_EQ(nlohmann::json::parse(json.out)["plugins"][0]["file"], object);
    const Ended refused = run("0x10000000 R\n");
    EXPECT_EQ(refused.code, 3);
    EXPECT_NE(refused.err.find("ranks a request by `above` 2^15 or more"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace heddle
