#include "cuda/handover.h"

#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <random>
#include <sys/resource.h>
#include <sys/wait.h>

#include "cli/program.h"

namespace heddle::cuda {
namespace {

std::string some_bytes(std::size_t size) {
    std::mt19937_64 random(size);
    std::string out(size, '\0');
    for (char& c : out) c = static_cast<char>(random());
    return out;
}

std::string file_text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// TMPDIR is `folder` while it lives.
class Temporary {
  public:
    explicit Temporary(const std::string& folder) {
        if (const char* old = std::getenv("TMPDIR")) old_ = old;
        setenv("TMPDIR", folder.c_str(), 1);
    }
    ~Temporary() { old_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", old_.c_str(), 1); }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;

  private:
    std::string old_;
};

void write_in_parts(ByteSink& sink, const std::string& bytes) {
    for (std::size_t at = 0; at < bytes.size(); at += 77'777)
        sink.write(std::string_view(bytes).substr(at, 77'777));
}

TEST(Handover, GivesWhatWasWrittenFromMemoryAndFromDisk) {
    const std::string bytes = some_bytes(3'000'000);
    for (const u64 memory : {u64{0}, u64{1'000'000}, u64{3'000'000}, kMemoryBytes}) {
        const Handover heddle(memory);
        EXPECT_EQ(heddle.outcome(), Outcome::not_loaded);
        HandoverWriter runtime(heddle.text());
        EXPECT_EQ(heddle.outcome(), Outcome::unfinished);
        const auto sink = runtime.recording();
        write_in_parts(*sink, bytes);
        EXPECT_EQ(heddle.outcome(), Outcome::unfinished);
        sink->finish();
        EXPECT_EQ(heddle.outcome(), Outcome::recorded);
        EXPECT_EQ(heddle.report(), "");
        EXPECT_EQ(file_text(heddle.recording()), bytes) << memory;
        EXPECT_EQ(file_text(heddle.recording()), bytes) << memory;
    }
}

TEST(Handover, TheFirstOutcomeCounts) {
    const Handover heddle;
    HandoverWriter runtime(heddle.text());
    runtime.tell(Outcome::failed, "one\ntwo");
    runtime.tell(Outcome::unwritten, "three");
    runtime.recording()->finish();
    EXPECT_EQ(heddle.outcome(), Outcome::failed);
    EXPECT_EQ(heddle.report(), "one\ntwo");
}

TEST(Handover, ARecordingThatFitsMemoryNeedsNoTemporaryFolder) {
    const Temporary folder("/no/such/folder");
    const std::string bytes = some_bytes(1'000'000);
    const Handover heddle;
    HandoverWriter runtime(heddle.text());
    const auto sink = runtime.recording();
    write_in_parts(*sink, bytes);
    sink->finish();
    EXPECT_EQ(file_text(heddle.recording()), bytes);
}

TEST(Handover, ALargerOneWithoutAFolderIsAnErrorThatNamesIt) {
    const Temporary folder("/no/such/folder");
    const Handover heddle(u64{1} << 20);
    HandoverWriter runtime(heddle.text());
    const auto sink = runtime.recording();
    std::string said;
    try {
        write_in_parts(*sink, some_bytes(2'000'000));
    } catch (const WriteError& error) {
        said = error.what();
    }
    EXPECT_EQ(
        said,
        "the program's recording takes more than 1 MiB and can't be written to '/no/such/folder': No such "
        "file or directory; set TMPDIR to a folder with more room");
}

TEST(Handover, NoRoomIsAnErrorAndNoSignal) {
    const Handover heddle(u64{1} << 20);
    const pid_t child = fork();
    if (child == 0) {
        HandoverWriter runtime(heddle.text());
        const rlimit limit{1'500'000, 1'500'000};
        setrlimit(RLIMIT_FSIZE, &limit);
        try {
            const auto sink = runtime.recording();
            write_in_parts(*sink, some_bytes(2'000'000));
            sink->finish();
        } catch (const WriteError& error) {
            runtime.tell(Outcome::unwritten, error.what());
        }
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(heddle.outcome(), Outcome::unwritten);
    EXPECT_NE(heddle.report().find("File too large (see ulimit -f); set TMPDIR"), std::string::npos)
        << heddle.report();
}

}  // namespace
}  // namespace heddle::cuda
