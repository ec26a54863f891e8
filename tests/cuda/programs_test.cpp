#include "cuda/programs.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <variant>

#include "built.h"
#include "trace/recording.h"

namespace heddle {
namespace {

/// A case of a program that checks itself, run by `heddle record` (its kernels execute, nothing is timed).
void expect_done(const std::string& program, const std::string& name) {
    TemporaryFolder folder;
    const std::string file = folder.path() + "/r";
    const Ended run = heddle_run({"record", "-o", file, program, name});
    EXPECT_EQ(run.code, 0) << name << ": " << run.err;
    EXPECT_NE(run.out.find(name + " done\n"), std::string::npos) << name << ": " << run.err;
    EXPECT_EQ(verify_recording(file).kernels == 0, name == "copies") << name;
}

TEST(CudaHost, EveryCaseHoldsItsOwnChecks) {
    HEDDLE_NEEDS_CLANG();
    for (const char* name :
         {"copies", "memory_kinds", "symbols", "graphs", "captured_kernel", "captured_events", "forks"})
        expect_done(host_program(), name);
}

TEST(CudaDevice, EveryCaseHoldsItsOwnChecks) {
    HEDDLE_NEEDS_CLANG();
    for (const char* name : {"textures", "cooperative", "groups", "barriers", "mathematics", "two_files"})
        expect_done(device_program(), name);
}

/// One line an event, as short as it can be.
std::string events_of(const std::string& program, const std::string& name) {
    TemporaryFolder folder;
    const std::string file = folder.path() + "/r";
    const Ended run = heddle_run({"record", "-o", file, program, name});
    EXPECT_EQ(run.code, 0) << run.err;
    std::string out;
    const auto source = open_recording(file);
    for (ProgramEvent event; source->next(event);) {
        if (const auto* l = std::get_if<LaunchEvent>(&event))
            out += "launch " + std::to_string(l->kernel->info().stream);
        if (const auto* c = std::get_if<CopyEvent>(&event)) {
            constexpr const char* kinds[] = {"to device", "to host", "on device", "set"};
            out += std::string("copy ") + kinds[static_cast<int>(c->kind)] + " " + std::to_string(c->bytes);
        }
        if (const auto* a = std::get_if<AllocEvent>(&event)) out += "allocate " + std::to_string(a->bytes);
        if (std::holds_alternative<FreeEvent>(event)) out += "free";
        if (const auto* s = std::get_if<SyncEvent>(&event)) {
            constexpr const char* kinds[] = {"record", "wait", "host waits for event",
                                             "host waits for stream", "host waits for everything"};
            out += kinds[static_cast<int>(s->kind)] + (" " + std::to_string(s->stream)) + "/" +
                   std::to_string(s->event);
        }
        out += "\n";
    }
    return out;
}

TEST(CudaHost, TheRecordingTellsTheOrderThatStreamsAndEventsState) {
    HEDDLE_NEEDS_CLANG();
    // Streams are numbered from 3; 0 is the default stream. The event got number 2 when recorded (1 was its handle).
    EXPECT_EQ(events_of(host_program(), "streams"),
              "allocate 1024\n"
              "copy to device 1024\n"
              "host waits for stream 0/0\n"
              "launch 3\n"
              "record 3/3\n"
              "wait 4/3\n"
              "launch 4\n"
              "host waits for event 0/3\n"
              "host waits for stream 4/0\n"
              "copy to host 1024\n"
              "host waits for stream 0/0\n"
              "host waits for stream 0/0\n"
              "free\n");
}

TEST(CudaHost, TheDefaultStreamAndABlockingOneWaitForEachOther) {
    HEDDLE_NEEDS_CLANG();
    const std::string events = events_of(host_program(), "default_stream");
    const std::size_t first = events.find("launch 3"), second = events.find("launch 0"),
                      third = events.rfind("launch 3");
    ASSERT_LT(first, second);
    ASSERT_LT(second, third);
    const std::string between = events.substr(first, second - first),
                      after = events.substr(second, third - second);
    EXPECT_NE(between.find("record 3/"), std::string::npos) << events;
    EXPECT_NE(between.find("wait 0/"), std::string::npos) << events;
    EXPECT_NE(after.find("record 0/"), std::string::npos) << events;
    EXPECT_NE(after.find("wait 3/"), std::string::npos) << events;
}

TEST(CudaHost, TheDefaultStreamWaitsForABlockingOneThatIsGone) {
    HEDDLE_NEEDS_CLANG();
    const std::string events = events_of(host_program(), "destroyed_stream");
    const std::size_t first = events.find("launch 3"), second = events.find("launch 0");
    ASSERT_LT(first, second);
    const std::string between = events.substr(first, second - first);
    EXPECT_NE(between.find("record 3/"), std::string::npos) << events;
    EXPECT_NE(between.find("wait 0/"), std::string::npos) << events;
}

TEST(CudaHost, EventTimesComeFromExecutedWorkAndAreTheSameInEveryRun) {
    HEDDLE_NEEDS_CLANG();
    const Ended first = heddle_run({"run", host_program(), "events"});
    const Ended second = heddle_run({"run", "-m", "qv100", host_program(), "events"});
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(first.out.substr(0, first.out.find("events done")),
              second.out.substr(0, second.out.find("events done")));
}

TEST(CudaHost, WrongCallsAreErrorCodesAndTheProgramGoesOn) {
    HEDDLE_NEEDS_CLANG();
    const Ended run = heddle_run({"run", host_program(), "errors", "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    for (const char* note :
         {"'--json' after ", "options for heddle go before it",
          "a block of 2048 threads; the device takes 1024",
          "a grid of 1 by 65536 by 1 blocks; a device takes 2147483647 by 65535 by 65535",
          "a block 65 threads deep; a device takes 64",
          "100000000 bytes of dynamic shared memory a block; the device has 49152",
          "cudaGraphicsUnmapResources is not supported by Heddle (it needs a graphics interface)",
          "cudaFree of an address that is not the start of an allocation: byte 4 of the 1,024-byte device "
          "allocation",
          "a copy or fill of 8 bytes leaves its allocation: byte 1,020 of the 1,024-byte device allocation"})
        EXPECT_NE(run.err.find(note), std::string::npos) << run.err;
}

TEST(CudaHost, AKernelsFaultNamesKernelThreadAddressAndAllocationAndEndsTheRun) {
    HEDDLE_NEEDS_CLANG();
    const Ended run = heddle_run({"run", host_program(), "fault"});
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(run.out, "");
    EXPECT_NE(
        run.err.find("illegal address 0x20000000040c, access of 4 bytes: 12 bytes after the end of the "
                     "1,024-byte device "
                     "allocation at 0x200000000000 (kernel '_Z4wildPii', block (0,0,0), thread (5,0,0))"),
        std::string::npos)
        << run.err;
    EXPECT_NE(run.err.find("host' failed with exit code 3\n"), std::string::npos) << run.err;
    // A program that looks at no error code still does not count as done.
    const Ended ignored = heddle_run({"run", host_program(), "ignored_fault"});
    EXPECT_EQ(ignored.code, 1);
    EXPECT_NE(ignored.err.find("illegal address"), std::string::npos) << ignored.err;
}

TEST(CudaHost, AProgramThatFailsIsOneMessageAndLeavesNoRecording) {
    HEDDLE_NEEDS_CLANG();
    const struct {
        const char *name, *message;
    } cases[] = {
        {"crash", "was killed by signal 6 (Aborted)\n"},
        {"leave", "ended without returning from main or calling exit(), so its recording is incomplete\n"},
        {"exit_code", "failed with exit code 42\n"},
        {"machine_code", "the program carries machine code for sm_90 but no PTX"},
        {"no_such_case", "failed with exit code 8\n"},
    };
    TemporaryFolder folder;
    const std::string file = folder.path() + "/r";
    for (const auto& c : cases) {
        const Ended run = heddle_run({"record", "-o", file, host_program(), c.name});
        EXPECT_EQ(run.code, 1) << c.name;
        EXPECT_NE(run.err.find(c.message), std::string::npos) << c.name << ": " << run.err;
        EXPECT_FALSE(std::filesystem::exists(file)) << c.name;
    }
}

TEST(CudaProgram, AFaultsLineIsThatOfItsFilesText) {
    HEDDLE_NEEDS_CLANG();
    // The second file's code is the first that this case needs.
    const Ended run = heddle_run({"run", device_program(), "other_fault"});
    EXPECT_EQ(run.code, 1);
    unsigned line = 0;
    ASSERT_EQ(std::sscanf(run.err.c_str(), "heddle: device.ptx2:%u: illegal address", &line), 1) << run.err;
    const Ended texts = heddle_run({"ptx", "--text", device_program()});
    EXPECT_TRUE(texts.out.starts_with("// device.ptx\n")) << texts.out.substr(0, 100);
    const std::string head = "\n// device.ptx2\n";
    std::size_t at = texts.out.find(head);
    ASSERT_NE(at, std::string::npos);
    at += head.size();
    for (unsigned k = 1; k < line; ++k) at = texts.out.find('\n', at) + 1;
    EXPECT_TRUE(texts.out.substr(at).starts_with("\tst.global.u32 ")) << texts.out.substr(at, 100);
    // One text alone is as it was compiled.
    EXPECT_TRUE(heddle_run({"ptx", "--text", host_program()}).out.starts_with("//\n// Generated"));
}

TEST(CudaProgram, ItsOutputIsKeptAndGoesToStandardErrorBesideJson) {
    HEDDLE_NEEDS_CLANG();
    const std::string said =
        "before\nthread 2 of block 0: text 1.25\nthread 2 of block 1: text 1.25\nafter\ntalking done\n";
    const Ended text = heddle_run({"run", device_program(), "talking"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_TRUE(text.out.starts_with(said)) << text.out;
    // Notes of an input too small for the machine come behind.
    const std::string note = "heddle: note: ";
    EXPECT_TRUE(text.err.starts_with(note)) << text.err;
    const Ended json = heddle_run({"run", "--json", device_program(), "talking"});
    EXPECT_EQ(json.code, 0) << json.err;
    EXPECT_TRUE(json.out.starts_with("{")) << json.out.substr(0, 100);
    EXPECT_TRUE(json.err.starts_with(said + note)) << json.err;
}

TEST(CudaProgram, AMissingTemporaryFolderDoesNotMatter) {
    HEDDLE_NEEDS_CLANG();
    const std::string program = host_program();
    setenv("TMPDIR", "/no/such/folder", 1);
    const Ended run = heddle_run({"run", program, "streams"});
    unsetenv("TMPDIR");
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("streams done\n"), std::string::npos) << run.out;
}

TEST(CudaProgram, ARecordingWithoutRoomIsAnErrorOfTheRunAndNotOfTheProgram) {
    HEDDLE_NEEDS_CLANG();
    const std::string program = host_program();
    // No file may hold a byte, so neither memory nor the disk takes the recording.
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    const pid_t child = fork();
    if (child == 0) {
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        const rlimit none{100, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &none);
        execl(heddle_binary().c_str(), "heddle", "run", program.c_str(), "streams", nullptr);
        _exit(99);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(CudaProgram, EveryRunGivesTheSameRecording) {
    HEDDLE_NEEDS_CLANG();
    TemporaryFolder folder;
    for (const char* name : {"a", "b"})
        ASSERT_EQ(
            heddle_run({"record", "-o", folder.path() + "/" + name, device_program(), "cooperative"}).code,
            0);
    EXPECT_TRUE(folder.read("a") == folder.read("b"));
}

TEST(CudaProgram, ItRunsByItselfToo) {
    HEDDLE_NEEDS_CLANG();
    EXPECT_EQ(std::system((host_program() + " copies >/dev/null").c_str()), 0);
}

TEST(HeddleCc, ErrorsKeepTheirPlaceInTheUsersFile) {
    HEDDLE_NEEDS_CLANG();
    TemporaryFolder folder;
    const std::string file =
        folder.write("bad.cu", "__global__ void k(int* p) {\n    *p = undefined_name;\n}\nint main() {}\n");
    const Ended run = heddle_run({"cc", file, "-o", folder.path() + "/bad"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("bad.cu:2:10: error: use of undeclared identifier 'undefined_name'"),
              std::string::npos)
        << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path() + "/bad"));
}

TEST(HeddleCc, MissingClangIsSaidWithThePackageThatHasIt) {
    TemporaryFolder folder;
    const std::string file = folder.write("a.cu", "int main() {}\n");
    const std::string command =
        "PATH=/nonexistent '" + heddle_binary() + "' cc " + file + " 2>" + folder.path() + "/err";
    EXPECT_NE(std::system(command.c_str()), 0);
    EXPECT_EQ(folder.read("err"),
              "heddle: compiling CUDA needs clang, which is not installed: apt-get install clang\n");
}

TEST(HeddlePtx, ListsKernelsAndFailsIfSomethingIsNotSupported) {
    HEDDLE_NEEDS_CLANG();
    const Ended good = heddle_run({"ptx", device_program()});
    EXPECT_EQ(good.code, 0) << good.err;
    EXPECT_NE(good.out.find("_Z6rotatePii "), std::string::npos) << good.out;
    EXPECT_NE(good.out.find("_Z6triplePi "), std::string::npos) << good.out;
    TemporaryFolder folder;
    const std::string file =
        folder.write("s.ptx",
                     ".version 7.0\n.target sm_75\n.address_size 64\n"
                     ".visible .entry k(.param .u64 p) {\n.reg .b64 %rd<2>;\n.reg .b32 %r<2>;\n"
                     "ld.param.u64 %rd1, [p];\nwgmma.fence.sync.aligned;\nret;\n}\n");
    const Ended bad = heddle_run({"ptx", file});
    EXPECT_EQ(bad.code, 2);
    EXPECT_NE(bad.out.find("s.ptx:8: not supported in k: wgmma.fence.sync.aligned"), std::string::npos)
        << bad.out;
}

}  // namespace
}  // namespace heddle
