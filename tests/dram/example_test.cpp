// The scheduler of examples/my_scheduler, built apart from the program, works.

#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "build_plugin.h"
#include "built.h"
#include "cli/program.h"
#include "config/plugin.h"
#include "service_order.h"

namespace heddle::dram {
namespace {

TEST(DramExample, ASchedulerOutOfTreeIsBuiltLoadedAndUsed) {
    // Of this process alone: other checkouts may be tested at the same time.
    const std::string object = ::testing::TempDir() + "my_scheduler." + std::to_string(getpid()) + ".so";
    const std::string source = checkout("examples/my_scheduler/my_scheduler.cpp");
    build_plugin(source, object);
    config::load_plugin(object);
    // The program exports less of itself than this one does.
    const Ended run = heddle_run({"run", "gather", "--ctas", "2", "--accesses", "2", "--plugin", object,
                                  "--set", "dram.scheduler=oldest-app"});
    EXPECT_EQ(run.code, 0) << run.err;
    std::remove(object.c_str());
    MemorySettings s = small_memory();
    s.scheduler = scheduler_choice("oldest-app");
    ServiceOrder order(s);
    order.open(0, 1, 1);
    // Application 1 was served last: 2 goes first although its request is younger.
    order.add({{"a", 0, 2, 1}, {"b", 0, 3, 2}, {"hit", 0, 1, 1}});
    order.run();
    EXPECT_EQ(order.served(), "hit b a");
}

TEST(DramExample, ErrorsPassBetweenTheProgramAndWhatIsBuiltApart) {
    // The program has a C++ runtime of its own: an error of each side must be caught on the other.
    const std::string base = ::testing::TempDir() + "strict." + std::to_string(getpid());
    std::ofstream(base + ".cpp") << R"(
#include "dram/scheduler/queue_scheduler.h"
#include "sim/error.h"
using namespace heddle;
using namespace heddle::dram;
struct Strict final : QueueScheduler {
    explicit Strict(const SchedulerContext& c) : QueueScheduler(c) {
        MemorySettings other = c.settings;
        other.drain.choose("no such rule");
        try {
            make_write_drain(other);
        } catch (const InvariantError& error) {
            throw InputError(std::string("caught, ") + error.what());
        }
    }
};
const bool done = schedulers().add<Strict>("strict", "refuses", "a test");
)";
    build_plugin(base + ".cpp", base + ".so");
    const Ended run =
        heddle_run({"run", "gather", "--plugin", base + ".so", "--set", "dram.scheduler=strict"});
    std::remove((base + ".cpp").c_str());
    std::remove((base + ".so").c_str());
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, "heddle: caught, no write drain rule called 'no such rule'\n");
}

}  // namespace
}  // namespace heddle::dram
