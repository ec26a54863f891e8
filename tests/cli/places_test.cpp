// An installed, a copied and a linked program, and a checkout that can't be written, find what belongs to them.

#include <filesystem>
#include <gtest/gtest.h>

#include "cli/shell.h"
#include "sim/build.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::string build_folder() {
    return fs::path(heddle_binary()).parent_path().string();
}

TEST(Places, AnInstalledProgramRunsWorkloadsWithoutAHomeAndWithoutItsCheckout) {
    const TemporaryFolder folder;
    const std::string prefix = folder.path() + "/moved";
    const Ended install =
        shell_run("cmake --install " + build_folder() + " --prefix " + folder.path() + "/first");
    ASSERT_EQ(install.code, 0) << install.err;
    // The prefix may be moved, and is not the user's.
    fs::rename(folder.path() + "/first", prefix);
    ASSERT_EQ(shell_run("chmod 0755 " + folder.path() + "; chmod -R a-w " + prefix + "; mkdir -m 1777 " +
                        folder.path() + "/tmp")
                  .code,
              0);
    const std::string environment = "TMPDIR=" + folder.path() + "/tmp ";
    const Ended machines = shell_run(environment + prefix + "/bin/heddle list machines", true);
    EXPECT_EQ(machines.out, heddle_run({"list", "machines"}).out) << machines.err;
    EXPECT_EQ(shell_run(prefix + "/bin/heddle list studies", true).out, heddle_run({"list", "studies"}).out);
    const std::string run = environment + prefix + "/bin/heddle run reduction --size small --json";
    const Ended first = shell_run(run, true);
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_NE(first.out.find("\"partial\": false"), std::string::npos);
    EXPECT_NE(first.out.find("\"name\": \"reduction\""), std::string::npos) << first.out;
    // Compiled once, into a folder of this user alone; nothing of it leads to the checkout.
    std::string compiled;
    for (const auto& entry : fs::recursive_directory_iterator(folder.path() + "/tmp"))
        if (entry.path().filename() == "reduction") compiled = entry.path().string();
    ASSERT_NE(compiled, "");
    const Ended runpath = shell_run("grep -c " + prefix + "/lib/heddle " + compiled + "; grep -c " +
                                    build_folder() + " " + compiled);
    EXPECT_EQ(runpath.out, "1\n0\n");
    const auto written = fs::last_write_time(compiled);
    EXPECT_EQ(shell_run(run, true).code, 0);
    EXPECT_EQ(fs::last_write_time(compiled), written);
    EXPECT_EQ(shell_run("chmod -R u+w " + prefix).code, 0);
}

TEST(Places, ACacheThatIsAnothersIsNotUsed) {
    const TemporaryFolder folder;
    const std::string program = folder.path() + "/heddle";
    fs::copy_file(heddle_binary(), program);
    // Whoever may write there could have put a program there.
    const Ended made = shell_run("chmod 0755 " + folder.path() + "; mkdir -m 0777 " + folder.path() +
                                 "/heddle-65534 " + folder.path() + "/heddle-" + std::to_string(geteuid()));
    ASSERT_EQ(made.code, 0);
    const Ended run =
        shell_run("TMPDIR=" + folder.path() + " HOME=/nonexistent " + program + " run reduction", true);
    EXPECT_EQ(run.code, 2) << run.out;
    EXPECT_NE(run.err.find("set XDG_CACHE_HOME to a folder that is"), std::string::npos) << run.err;
}

TEST(Places, ACopiedOrLinkedProgramFindsTheRuntimeMachinesAndWorkloadsOfItsBuild) {
    const TemporaryFolder folder;
    fs::copy_file(heddle_binary(), folder.path() + "/copy");
    fs::create_symlink(heddle_binary(), folder.path() + "/link");
    for (const char* name : {"/copy", "/link"}) {
        EXPECT_EQ(shell_run(folder.path() + name + " list machines").out,
                  heddle_run({"list", "machines"}).out);
        EXPECT_EQ(shell_run(folder.path() + name + " list workloads").out,
                  heddle_run({"list", "workloads"}).out);
        const Ended run = shell_run(folder.path() + name + " run alu --ctas 1");
        EXPECT_EQ(run.code, 0) << run.err;
    }
    EXPECT_FALSE(fs::exists(folder.path() + "/workloads"));
    EXPECT_EQ(library_folder(), build_folder());  // of the test program, which lies elsewhere
}

TEST(Places, WithoutAHomeResultsAreNotKeptAndThatIsSaid) {
    const std::string command = heddle_binary() + " compare alu --ctas 1 --csv";
    const Ended without = shell_run(command);
    EXPECT_EQ(without.code, 0) << without.err;
    EXPECT_TRUE(without.err.starts_with(
        "heddle: note: results are not kept: there is no home folder to keep results in; give --store "
        "FILE\n"))
        << without.err;
    const Ended unwritable = shell_run("HOME=/proc " + command);
    EXPECT_EQ(unwritable.code, 0) << unwritable.err;
    EXPECT_TRUE(unwritable.err.starts_with(
        "heddle: note: results are not kept: cannot open the store /proc/.local/share/heddle/"))
        << unwritable.err;
    EXPECT_EQ(unwritable.out, without.out);
    // Who names a store wants it.
    EXPECT_EQ(shell_run(command + " --store /proc/none/s.db").code, 2);
}

/// A checkout as far as ./heddle looks at it, with a program that says its arguments.
class Checkout {
  public:
    Checkout() {
        const Ended made = shell_run(
            "cd " + root.path() + " && mkdir -p src cmake build/release && cp " + checkout("heddle") +
            " . && cp " + checkout("cmake/build.sh") +
            " cmake && touch CMakeLists.txt CMakePresets.json src/a.cpp && printf '#!/bin/sh\\necho "
            "ran \"$@\"\\n' > build/release/heddle && chmod 0755 . build/release/heddle heddle");
        EXPECT_EQ(made.code, 0) << made.err;
    }
    Ended run() const { return shell_run(root.path() + "/heddle list x", true); }
    const TemporaryFolder root;
};

TEST(Places, TheCheckoutOfAnotherRunsWhatIsBuiltAndWritesNothing) {
    const Checkout of;
    ASSERT_EQ(
        shell_run("touch " + of.root.path() + "/build/release/built; chmod -R a-w " + of.root.path()).code,
        0);
    const Ended current = of.run();
    EXPECT_EQ(current.code, 0) << current.err;
    EXPECT_EQ(current.out, "ran list x\n");
    EXPECT_EQ(current.err, "");
    ASSERT_EQ(shell_run("chmod -R u+w " + of.root.path() + "; touch -d 'now + 1 hour' " + of.root.path() +
                        "/src/a.cpp; chmod -R a-w " + of.root.path())
                  .code,
              0);
    const Ended stale = of.run();
    EXPECT_EQ(stale.out, "ran list x\n");
    EXPECT_NE(stale.err.find("the program is older than its sources and cannot be rebuilt"),
              std::string::npos)
        << stale.err;
    ASSERT_EQ(shell_run("chmod -R u+w " + of.root.path() + "; rm " + of.root.path() +
                        "/build/release/heddle; chmod -R a-w " + of.root.path())
                  .code,
              0);
    const Ended none = of.run();
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("contains no built program"), std::string::npos) << none.err;
    EXPECT_EQ(shell_run("chmod -R u+w " + of.root.path()).code, 0);
}

TEST(Places, WhatIsUpToDateRunsWithoutTheLockOfABuild) {
    const Checkout of;
    const Ended run = shell_run("cd " + of.root.path() + "; touch build/release/built build/release.lock; " +
                                "flock build/release.lock timeout 20 ./heddle list x");
    EXPECT_EQ(run.out, "ran list x\n") << run.err;
}

}  // namespace
}  // namespace heddle
