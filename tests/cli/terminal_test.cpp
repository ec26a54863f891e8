// What a terminal shows fits it; a file or a pipe gets whole lines.

#include "cli/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <sstream>

#include "cli/program.h"
#include "sim/text.h"

namespace heddle::cli {
namespace {

/// Everything that the program writes on a terminal of so many columns.
std::string on_terminal(const std::vector<std::string>& arguments, unsigned short columns) {
    winsize size{24, columns, 0, 0};
    int terminal = -1;
    const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
    if (pid == 0) {
        unsetenv("COLUMNS");
        const std::string program = heddle_binary();
        std::vector<std::string> words{program};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> argv;
        for (std::string& w : words) argv.push_back(w.data());
        argv.push_back(nullptr);
        execv(program.c_str(), argv.data());
        _exit(127);
    }
    std::string out;
    char buffer[4096];
    // A terminal whose program has ended gives an error.
    for (ssize_t n = 0; (n = read(terminal, buffer, sizeof buffer)) > 0;)
        for (ssize_t k = 0; k < n; ++k)
            if (buffer[k] != '\r') out += buffer[k];
    close(terminal);
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << out;
    return out;
}

std::size_t widest(const std::string& text) {
    std::size_t width = 0;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        // A progress line goes before what is written over it.
        const std::size_t erase = line.rfind("\x1b[K");
        width = std::max(width, width_of(erase == std::string::npos ? line : line.substr(erase + 3)));
    }
    return width;
}

TEST(Terminal, EveryCommandFitsFortyColumns) {
    const TemporaryFolder folder;
    const std::string store = folder.path() + "/s.db";
    const std::string stream = folder.write("stream.txt", "0x0 R\n0x1000 W\n");
    folder.write(
        "m.yaml",
        "about: a study whose description is longer than forty columns\n"
        "workloads: ['pattern:stream,ctas=1,accesses=2']\nvariants: {a: , b: gpu.clock=350MHz}\n"
        "claims:\n  - {id: T-1, statement: a statement that is longer than forty columns are, measure: "
        "min(cycles@a), paper: '> 0'}\n");
    const std::vector<std::string> commands[] = {
        {"help"},
        {"run", "--help"},
        {"run", "alu", "--ctas", "1", "--stats", "gpu.l2"},
        {"run", "stream", "+", "gather", "--ctas", "2", "--accesses", "2"},
        {"compare", "stream", "gather", "--ctas", "1", "--accesses", "2", "--set",
         "dram.scheduler=fr-fcfs,fcfs,par-bs", "--store", store},
        {"results", "--store", store},
        {"study", folder.path() + "/m.yaml", "--store", store},
        {"list", "machines"},
        {"list", "metrics"},
        {"list", "policies"},
        {"list", "workloads"},
        {"explain"},
        {"explain", "l1.size", "dram.scheduler", "mask"},
        {"model", "stream", "--ctas", "2", "--accesses", "2", "--store", store},
        {"dram", stream},
    };
    for (const auto& command : commands)
        for (const unsigned short columns : std::vector<unsigned short>{40, 60}) {
            const std::string text = on_terminal(command, columns);
            EXPECT_LE(widest(text), columns) << text;
        }
}

TEST(Terminal, APipeAndAWideTerminalGetTheSame) {
    const std::vector<std::string> command{"list", "metrics"};
    const std::string piped = heddle_run(command).out;
    EXPECT_GT(widest(piped), 80u);
    EXPECT_EQ(on_terminal(command, 300), piped);
}

TEST(Terminal, BarsShrinkWithIt) {
    const TemporaryFolder folder;
    const std::vector<std::string> command{"compare",    "stream",
                                           "--ctas",     "1",
                                           "--accesses", "2",
                                           "--set",      "gpu.clock=350MHz,700MHz",
                                           "--store",    folder.path() + "/s.db"};
    auto longest = [](const std::string& text) {
        std::size_t most = 0, now = 0;
        for (const char c : text) most = std::max(most, now = c == '#' ? now + 1 : 0);
        return most;
    };
    setenv("LC_ALL", "C", 1);
    EXPECT_EQ(longest(heddle_run(command).out), 40u);
    // Two of indentation, a name of 6, two gaps of 2, a number of up to 6.
    EXPECT_EQ(longest(on_terminal(command, 40)), 40u - 2 - 6 - 4 - 6);
    unsetenv("LC_ALL");
}

TEST(Terminal, AProgressLineLosesItsLastPartsFirst) {
    const std::string text = "42 % of 512 CTAs, cycle 1,234,567, 1,000,000 warp instructions/s, 3 s left";
    EXPECT_EQ(progress_line(text, 0), text);
    EXPECT_EQ(progress_line(text, 80), text);
    EXPECT_EQ(progress_line(text, 70), "42 % of 512 CTAs, cycle 1,234,567, 1,000,000 warp instructions/s");
    EXPECT_EQ(progress_line(text, 39), "42 % of 512 CTAs, cycle 1,234,567");
    EXPECT_EQ(progress_line(text, 5), "42 % ");
}

}  // namespace
}  // namespace heddle::cli
