// Opening by content, and the streams made of streams: selected kernels, first instructions.

#include "trace/open.h"

#include <gtest/gtest.h>
#include <sstream>

#include "built.h"
#include "trace/dump.h"
#include "trace/filters.h"
#include "trace/pattern.h"
#include "trace/recording.h"
#include "trace/script_source.h"
#include "trace/trace_text.h"

using namespace heddle;
using namespace heddle::test;

namespace {

TextKernel small(u64 id) {
    TextKernel kernel;
    kernel.id = id;
    TextInst exit;
    exit.opcode = "EXIT";
    kernel.ctas = {{{0, 0, 0}, {{exit}}}};
    return kernel;
}

std::string open_error(const std::string& what, const OpenOptions& options = {}) {
    return input_error([&] {
        const auto source = open_source(what, options);
        dump_kernels(*source);
    });
}

/// Instructions of each warp in the order in which they are given.
std::vector<u64> lengths(StreamSource& source) {
    std::vector<u64> out;
    for (const DumpKernel& kernel : dump_kernels(source))
        for (const DumpCta& cta : kernel.ctas)
            for (const auto& warp : cta.warps) out.push_back(warp.size());
    return out;
}

}  // namespace

TEST(OpenSource, TellsWhatAFileIsByItsContent) {
    Folder folder;
    folder.write("kernel-1.traceg", to_text(small(1), {}));
    const std::string renamed = folder.write("anything", packed(to_text(small(5), {}), Packing::xz));
    const std::string list = folder.write("list", "kernel-1.traceg\nMemcpyHtoD,0x100,8\nkernel-1.traceg\n");
    const auto pattern = open_source("pattern:stream,ctas=3,threads=32");
    record(*pattern, folder.path("rec"));
    EXPECT_EQ(dump_kernels(*open_source(renamed)).at(0).info.id, 5u);
    EXPECT_EQ(dump_kernels(*open_source(list)).size(), 2u);
    EXPECT_EQ(dump_kernels(*open_source(folder.path("rec"))).at(0).ctas.size(), 3u);
    for (const std::string& file : {renamed, list, folder.path("rec")}) EXPECT_TRUE(is_stream_file(file));
    EXPECT_FALSE(is_stream_file(folder.write("notes", "hello\n")));
    EXPECT_FALSE(is_stream_file(folder.path("none")));
    EXPECT_FALSE(is_stream_file(folder.path(".")));
    EXPECT_FALSE(is_stream_file(heddle_binary()));
}

TEST(OpenSource, WhatItCannotReadItNamesWithTheNearestRightThing) {
    Folder folder;
    folder.write("kernelslist.g", "kernel-1.traceg\n");
    folder.write("kernel-1.traceg", to_text(small(1), {}));
    const std::string dir = folder.path("");
    EXPECT_EQ(
        open_error(folder.path("kernelslist")),
        folder.path("kernelslist") + ": no such file, did you mean '" + folder.path("kernelslist.g") + "'?");
    EXPECT_EQ(open_error(dir), dir + ": is a folder; did you mean '" + folder.path("kernelslist.g") + "'?");
    EXPECT_EQ(open_error(folder.path("no/file")),
              folder.path("no/file") + ": no such file; there is no folder '" + folder.path("no") + "'");
    EXPECT_NE(open_error(folder.write("empty", "")).find(": the file is empty"), std::string::npos);
    EXPECT_NE(open_error(heddle_binary()).find(":1: is a program (ELF), not a trace"), std::string::npos);
    EXPECT_NE(open_error(folder.write("bin", std::string("\x01\x02\x03\n", 4))).find(":1: is binary data"),
              std::string::npos);
    EXPECT_NE(open_error(folder.write("txt", "some words\n")).find(":1: is text, but neither a list"),
              std::string::npos);
    EXPECT_NE(open_error(folder.write("elf", std::string("\x7f"
                                                         "ELF\0",
                                                         5)))
                  .find("chmod +x"),
              std::string::npos);
    EXPECT_NE(open_error(folder.write("a.cu", "int main() {}\n")).find("compile it with 'heddle cc"),
              std::string::npos);
    EXPECT_NE(open_error("pattern:strem").find("did you mean 'stream'?"), std::string::npos);
}

TEST(OpenSource, AListIsOneWhateverItsFirstLine) {
    Folder folder;
    folder.write("kernel-1.traceg", to_text(small(1), {}));
    for (const char* first : {"# comment\n", "cudaMalloc,0x100,8\n", "ncclCommInitAll\n", "\n  \n"}) {
        const std::string list = folder.write("list", std::string(first) + "kernel-1.traceg\n");
        EXPECT_EQ(open_error(list), "") << first;
        EXPECT_EQ(files_of_list(list), std::vector<std::string>{folder.path("kernel-1.traceg")});
    }
    EXPECT_NE(open_error(folder.write("list", "Frobnicate,1\nkernel-1.traceg\n"))
                  .find(":1: 'Frobnicate,1' is not a command"),
              std::string::npos);
    EXPECT_NE(open_error(folder.write("raw",
                                      "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                                      "-binary version = 70\n#traces format = x\n"
                                      "0 0 0 0 0000 ffffffff 0 EXIT 0 0\n"))
                  .find(":6: an instruction outside a thread block"),
              std::string::npos);
}

TEST(OpenSource, DamagedAndEmptyContainersAreToldAsSuch) {
    Folder folder;
    const std::string text = to_text(small(1), {});
    const char* const names[] = {"xz", "gzip", "zstd", "bzip2", "lz4"};
    for (std::size_t k = 0; k < std::size(kPackings); ++k) {
        const std::string whole = packed(text, kPackings[k]);
        const std::string twice =
            packed(text.substr(0, 100), kPackings[k]) + packed(text.substr(100), kPackings[k]);
        EXPECT_EQ(open_error(folder.write("twice.txt", twice)), "") << names[k];
        for (const std::size_t kept :
             {std::size_t{3}, std::size_t{6}, whole.size() / 4, whole.size() / 2, whole.size() - 1}) {
            const std::string error = open_error(folder.write("cut.zst", whole.substr(0, kept)));
            EXPECT_NE(error.find(std::string("the ") + names[k] + " data is truncated"), std::string::npos)
                << names[k] << " " << kept << " " << error;
        }
        std::string flipped = whole;
        flipped[whole.size() / 2] ^= 0x10;
        EXPECT_NE(
            open_error(folder.write("flipped", flipped)).find(std::string("the ") + names[k] + " data is "),
            std::string::npos)
            << names[k];
        EXPECT_NE(open_error(folder.write("nothing", packed("", kPackings[k]))).find("is empty"),
                  std::string::npos)
            << names[k];
    }
    EXPECT_NE(open_error(folder.write("a.zip", std::string("PK\x03\x04", 4) + text))
                  .find("is a zip archive: unpack"),
              std::string::npos);
}

TEST(KernelSelection, TakesNumbersAndRanges) {
    const KernelSelection s("3-5,9");
    std::string taken;
    for (u64 k = 1; k <= 10; ++k) taken += s.contains(k) ? 'x' : '.';
    EXPECT_EQ(taken, "..xxx...x.");
    EXPECT_EQ(s.last(), 9u);
    EXPECT_TRUE(KernelSelection().contains(1));
    auto error = [](const char* text) { return input_error([&] { KernelSelection{text}; }); };
    EXPECT_EQ(error("5-3"), "--kernels 5-3: '5-3' ends before it begins, did you mean '3-5'?");
    for (const char* bad : {"", "0", "a", "1,", "1-", "-3", "1-2-3", "1,,2", "1 2", "99999999999999999999"})
        EXPECT_NE(error(bad).find("is not a launch number or range"), std::string::npos) << bad;
}

TEST(KernelSelection, SkippedKernelsAreNotReadAndMissingOnesAreAnError) {
    Folder folder;
    for (u64 k = 1; k <= 4; ++k) {
        std::string text = to_text(small(k), {});
        // The body of the second kernel is damaged: nobody may notice.
        if (k == 2) text.replace(text.find("#BEGIN_TB"), 9, "#BEGIN_XX");
        folder.write("kernel-" + std::to_string(k) + ".traceg", text);
    }
    const std::string list = folder.write("kernelslist.g",
                                          "kernel-1.traceg\nMemcpyHtoD,0x100,8\nkernel-2.traceg\n"
                                          "kernel-3.traceg\nkernel-4.traceg\n");
    const auto source = open_source(list, {KernelSelection("3-4,1"), 0});
    std::string order;
    for (ProgramEvent event; source->next(event);) {
        if (auto* launch = std::get_if<LaunchEvent>(&event)) {
            order += std::to_string(launch->kernel->info().id);
            dump(*launch->kernel);
        } else {
            order += "c";
        }
    }
    EXPECT_EQ(order, "1c34");
    EXPECT_NE(open_error(list, {KernelSelection("4-6"), 0})
                  .find("--kernels 4-6 names launch 6, but the program has 4"),
              std::string::npos);
}

TEST(MaxInstructions, CutsExactlyInLaunchOrderAndEvenlyWithinACta) {
    // Two kernels of one CTA: warps of 5, 2 and 5 instructions.
    const auto program = [] {
        auto kernel = std::make_shared<ScriptKernel>();
        kernel->info.block = {96, 1, 1};
        kernel->table.resize(1);
        CtaStream& cta = kernel->ctas.emplace_back();
        CtaWriter writer(cta, kernel->info);
        writer.begin({0, 0, 0});
        for (const u32 n : {5u, 2u, 5u}) {
            writer.begin_warp();
            for (u32 k = 0; k < n; ++k) writer.add_strided(0, k == 1 ? 0xff : 0xffffffff, 64, 4);
            writer.end_warp();
        }
        std::shared_ptr<const ScriptKernel> shared = kernel;
        return std::make_unique<ScriptSource>(std::vector<ScriptSource::Event>{shared, CopyEvent{}, shared});
    };
    const auto cut = [&](u64 count) {
        const auto source = first_instructions(program(), count);
        return lengths(*source);
    };
    using V = std::vector<u64>;
    EXPECT_EQ(cut(24), (V{5, 2, 5, 5, 2, 5}));
    EXPECT_EQ(cut(100), (V{5, 2, 5, 5, 2, 5}));
    EXPECT_EQ(cut(12), (V{5, 2, 5}));
    EXPECT_EQ(cut(13), (V{5, 2, 5, 1, 0, 0}));
    EXPECT_EQ(cut(21), (V{5, 2, 5, 4, 2, 3}));
    EXPECT_EQ(cut(7), (V{3, 2, 2}));
    EXPECT_EQ(cut(1), (V{1, 0, 0}));
}

TEST(MaxInstructions, IsExactForAnyProgramAlsoInChunks) {
    std::mt19937_64 random(8);
    for (u32 round = 0; round < 20; ++round) {
        const std::vector<ScriptSource::Event> events{random_kernel(random, 32, round % 3 == 0),
                                                      random_kernel(random, 64, round % 3 == 1)};
        ScriptSource whole(events);
        u64 all = 0;
        for (const u64 n : lengths(whole)) all += n;
        const u64 bound = random() % (all + 1);
        const auto source = first_instructions(std::make_unique<ScriptSource>(events), bound);
        u64 given = 0;
        for (const u64 n : lengths(*source)) given += n;
        EXPECT_EQ(given, bound);
    }
}
