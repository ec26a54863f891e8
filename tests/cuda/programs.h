#pragma once
// The programs under tests/cuda/programs, compiled once by the test program with `heddle cc`, and those of tests/cuda/conformance.

#include <cstdlib>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "built.h"
#include "cli/program.h"

namespace heddle {

inline bool clang_is_there() {
    return std::system("command -v clang++-14 >/dev/null 2>&1 || command -v clang++ >/dev/null 2>&1") == 0;
}

/// Compiles `sources` (paths below the repository) to a program named `name`, once; empty if that failed.
inline std::string compiled(const std::string& name, const std::vector<std::string>& sources) {
    static const auto folder = std::make_unique<TemporaryFolder>();
    const std::string program = folder->path() + "/" + name;
    if (access(program.c_str(), X_OK) == 0) return program;
    std::vector<std::string> words{"cc"};
    for (const std::string& s : sources) words.push_back(s);
    words.insert(words.end(), {"-o", program});
    const Ended run = heddle_run(words);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.code == 0 ? program : std::string();
}

inline std::string host_program() {
    return compiled("host", {checkout("tests/cuda/programs/host.cu")});
}

inline std::string device_program() {
    const std::string folder = checkout("tests/cuda/programs/");
    return compiled("device", {folder + "device.cu", folder + "other.cu", folder + "plain.cpp"});
}

/// Compiles the conformance program NAME.cu with the options and records it: it has to print "NAME done".
inline void expect_program_works(const std::string& name, const std::vector<std::string>& options = {}) {
    const TemporaryFolder folder;
    const std::string program = folder.path() + "/" + name;
    std::vector<std::string> words{"cc", checkout("tests/cuda/conformance/" + name + ".cu"), "-o", program};
    words.insert(words.end(), options.begin(), options.end());
    const Ended built = heddle_run(words);
    ASSERT_EQ(built.code, 0) << built.err;
    EXPECT_EQ(built.err, "");
    const Ended run = heddle_run({"record", "-o", folder.path() + "/r", program});
    EXPECT_EQ(run.code, 0) << run.out << run.err;
    EXPECT_NE(run.out.find(name + " done\n"), std::string::npos) << run.out << run.err;
}

#define HEDDLE_NEEDS_CLANG() ASSERT_TRUE(clang_is_there()) << "clang is not installed: cmake/setup.sh does"

}  // namespace heddle
