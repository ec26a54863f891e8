#include "sim/output_file.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/program.h"
#include "sim/error.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const TemporaryFolder& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), {}));
}

/// Calls `act` in a process whose files may hold so many bytes, as a full disk; what its InputError says.
template <class Act>
std::string with_room_for(rlim_t bytes, Act act) {
    TemporaryFolder folder;
    const pid_t child = fork();
    if (child == 0) {
        const rlimit limit{bytes, bytes};
        setrlimit(RLIMIT_FSIZE, &limit);
        std::string said = "none";
        try {
            act();
        } catch (const InputError& error) {
            said = error.what();
        }
        const rlimit none{4096, bytes};
        setrlimit(RLIMIT_FSIZE, &none);
        folder.write("said", said.substr(0, bytes));
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status)) << "a signal ended it";
    return folder.read("said");
}

TEST(OutputFile, AppearsWhenItIsWholeAndReplacesWhatWasThere) {
    TemporaryFolder folder;
    const std::string path = folder.write("f", "old");
    {
        OutputFile file(path, "the text");
        file.write("new");
        file.write(" text");
        EXPECT_EQ(folder.read("f"), "old");
        file.finish();
    }
    EXPECT_EQ(folder.read("f"), "new text");
    EXPECT_EQ(files_in(folder), 1u);
}

TEST(OutputFile, WithoutItsEndLeavesNothing) {
    TemporaryFolder folder;
    const std::string path = folder.write("f", "old");
    OutputFile(path, "the text").write(std::string(1 << 20, 'x'));
    EXPECT_EQ(folder.read("f"), "old");
    EXPECT_EQ(files_in(folder), 1u);
}

TEST(OutputFile, NoRoomIsAnErrorThatSaysSoAndNeitherASignalNorHalfAFile) {
    TemporaryFolder folder;
    const std::string path = folder.path() + "/f";
    const std::string said = with_room_for(600'000, [&] {
        OutputFile file(path, "the text");
        for (int k = 0; k < 64; ++k) file.write(std::string(16 << 10, 'x'));
        file.finish();
    });
    EXPECT_EQ(said, path + ": cannot write the text: File too large (see ulimit -f)");
    EXPECT_EQ(files_in(folder), 0u);
}

TEST(OutputFile, TouchesNoFileButItsOwn) {
    TemporaryFolder folder;
    const std::string path = folder.path() + "/f";
    folder.write("f.partial", "of the user");
    OutputFile one(path, "the text"), other(path, "the text");
    one.write("one");
    other.write("the other");
    one.finish();
    EXPECT_EQ(folder.read("f"), "one");
    other.finish();
    EXPECT_EQ(folder.read("f"), "the other");
    EXPECT_EQ(folder.read("f.partial"), "of the user");
    EXPECT_EQ(files_in(folder), 2u);
}

TEST(OutputFile, ASymbolicLinkStaysOne) {
    TemporaryFolder folder;
    const std::string target = folder.write("target", "old"), link = folder.path() + "/link";
    fs::create_symlink(target, link);
    write_file(link, "new", "the text");
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(folder.read("target"), "new");
}

TEST(OutputFile, DevicesAndMissingFoldersAreErrors) {
    const auto said = [](const std::string& path) {
        try {
            write_file(path, "x", "the text");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(said("/dev/null"), "/dev/null: cannot write the text: not a regular file");
    EXPECT_EQ(said("/no/such/f"), "/no/such/f: cannot write the text: No such file or directory");
}

}  // namespace
}  // namespace heddle
