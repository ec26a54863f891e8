#include "sim/child_process.h"

#include <csignal>
#include <gtest/gtest.h>
#include <thread>

#include "sim/error.h"

namespace heddle {
namespace {

ChildEnd shell(const std::string& script, ChildOptions options = {}) {
    options.keep_output = true;
    return run_child({"sh", "-c", script}, options);
}

TEST(ChildProcess, GivesItsCodeAndWhatItWrote) {
    ChildOptions options;
    options.input = std::string(100'000, 'x');
    options.environment = {{"HEDDLE_TEST_WORD", "a b"}};
    const ChildEnd end = shell("wc -c; echo \"$HEDDLE_TEST_WORD\" >&2; exit 7", options);
    EXPECT_EQ(end.code, 7);
    EXPECT_EQ(end.signal, 0);
    EXPECT_EQ(end.out, "100000\n");
    EXPECT_EQ(end.error, "a b\n");
}

TEST(ChildProcess, SaysWhichSignalKilledIt) {
    EXPECT_EQ(shell("kill -TERM $$").signal, SIGTERM);
    // What this program ignores, it does not ignore.
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    EXPECT_EQ(shell("kill -XFSZ $$").signal, SIGXFSZ);
    std::signal(SIGXFSZ, before);
}

TEST(ChildProcess, ThatCannotBeStartedIsAnErrorWithTheReason) {
    for (const char* name : {"/no/such/program", "no-such-program"}) {
        try {
            run_child({name});
            FAIL() << name;
        } catch (const InputError& error) {
            EXPECT_EQ(std::string(error.what()),
                      std::string("'") + name + "' cannot be started: No such file or directory");
        }
    }
    EXPECT_THROW(run_child({"/"}), InputError);
}

TEST(ChildProcess, IsPolledAndKilledByItsEnd) {
    pid_t sleeper = 0;
    {
        ChildOptions options;
        options.keep_output = true;
        options.worker = true;
        ChildProcess sleeping({"sh", "-c", "echo $$; exec sleep 1000"}, options);
        ChildProcess quick({"sh", "-c", "exit 3"}, options);
        std::optional<ChildEnd> end;
        while (!(end = quick.poll())) std::this_thread::yield();
        EXPECT_EQ(end->code, 3);
        EXPECT_FALSE(sleeping.poll());
        ChildProcess moved = std::move(sleeping);
        EXPECT_FALSE(moved.poll());
        sleeper = moved.pid();
        EXPECT_EQ(kill(sleeper, 0), 0);
    }
    EXPECT_EQ(kill(sleeper, 0), -1);
}

}  // namespace
}  // namespace heddle
