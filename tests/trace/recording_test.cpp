// Recordings replay what was recorded, are small, and know when they are damaged.

#include "trace/recording.h"

#include <gtest/gtest.h>
#include <lzma.h>

#include "trace/accelsim/kernels_list.h"
#include "trace/dump.h"
#include "trace/pattern.h"
#include "trace/recording/cta_block.h"
#include "trace/script_source.h"
#include "trace/trace_text.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// Events without their kernels, as text, and the kernels.
struct Program {
    std::string name;
    std::vector<std::string> events;
    std::vector<DumpKernel> kernels;
};

std::string text_of(const ProgramEvent& event) {
    auto join = [](std::initializer_list<u64> values) {
        std::string text;
        for (const u64 v : values) text += " " + std::to_string(v);
        return text;
    };
    if (const auto* e = std::get_if<CopyEvent>(&event))
        return "copy" + join({static_cast<u64>(e->kind), e->destination, e->source, e->bytes, e->stream});
    if (const auto* e = std::get_if<AllocEvent>(&event))
        return "alloc" + join({e->address, e->bytes, static_cast<u64>(e->kind)});
    if (const auto* e = std::get_if<FreeEvent>(&event)) return "free" + join({e->address});
    if (const auto* e = std::get_if<SyncEvent>(&event))
        return "sync" + join({static_cast<u64>(e->kind), e->stream, e->event});
    if (const auto* e = std::get_if<PageHintEvent>(&event))
        return "hint" + join({static_cast<u64>(e->kind), e->to_host, e->address, e->bytes, e->stream});
    return "launch";
}

Program drain(StreamSource& source) {
    Program program{source.name(), {}, {}};
    for (ProgramEvent event; source.next(event);) {
        program.events.push_back(text_of(event));
        if (auto* launch = std::get_if<LaunchEvent>(&event)) program.kernels.push_back(dump(*launch->kernel));
    }
    return program;
}

void expect_same(const Program& a, const Program& b) {
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.events, b.events);
    ASSERT_EQ(a.kernels.size(), b.kernels.size());
    for (std::size_t k = 0; k < a.kernels.size(); ++k) {
        const KernelInfo &x = a.kernels[k].info, &y = b.kernels[k].info;
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.place, y.place);
        EXPECT_EQ(x.grid, y.grid);
        EXPECT_EQ(x.block, y.block);
        EXPECT_EQ(std::tie(x.id, x.shared_bytes, x.registers, x.stream, x.warp_lanes, x.register_names,
                           x.cooperative),
                  std::tie(y.id, y.shared_bytes, y.registers, y.stream, y.warp_lanes, y.register_names,
                           y.cooperative));
        EXPECT_EQ(a.kernels[k].static_insts, b.kernels[k].static_insts);
        EXPECT_EQ(a.kernels[k].ctas, b.kernels[k].ctas);
        EXPECT_EQ(a.kernels[k].words, b.kernels[k].words);
        EXPECT_EQ(a.kernels[k].unknown, b.kernels[k].unknown);
        EXPECT_EQ(a.kernels[k].warnings, b.kernels[k].warnings);
    }
}

std::vector<ScriptSource::Event> random_program(u64 seed) {
    std::mt19937_64 random(seed);
    std::vector<ScriptSource::Event> events;
    for (u32 n = 0; n < 12; ++n) {
        const u64 a = random() >> (random() % 64), b = random() >> (random() % 64);
        switch (random() % 7) {
            case 0:
                events.emplace_back(CopyEvent{static_cast<CopyKind>(random() % 4), a, b, a ^ b, random()});
                break;
            case 1:
                events.emplace_back(AllocEvent{a, b, static_cast<AllocEvent::Kind>(random() % 3)});
                break;
            case 2:
                events.emplace_back(FreeEvent{a});
                break;
            case 3:
                events.emplace_back(SyncEvent{static_cast<SyncEvent::Kind>(random() % 5), a, b});
                break;
            case 4:
                events.emplace_back(PageHintEvent{static_cast<PageHintEvent::Kind>(random() % 3),
                                                  random() % 2 == 0, a, b, random()});
                break;
            default:
                events.emplace_back(random_kernel(random, random() % 2 == 0 ? 32 : 64, random() % 3 == 0));
        }
    }
    return events;
}

std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST(Recording, ReplaysAnyProgramWordForWord) {
    Folder folder;
    const std::string path = folder.path("r");
    for (u64 seed = 1; seed <= 12; ++seed) {
        const auto events = random_program(seed);
        ScriptSource original(events), recorded(events);
        const RecordingSummary summary =
            record(recorded, path, seed % 2 == 0 ? Compression::fast : Compression::small);
        const auto replay = open_recording(path);
        const Program a = drain(original), b = drain(*replay);
        expect_same(a, b);
        EXPECT_EQ(summary.events, a.events.size());
        EXPECT_EQ(summary.kernels, a.kernels.size());
        EXPECT_EQ(summary.bytes, std::filesystem::file_size(path));
        u64 instructions = 0;
        for (const auto& kernel : a.kernels)
            for (const auto& cta : kernel.ctas)
                for (const auto& warp : cta.warps) instructions += warp.size();
        EXPECT_EQ(summary.warp_instructions, instructions);
        EXPECT_EQ(verify_recording(path).warp_instructions, instructions);
    }
}

TEST(Recording, MarksAndRangesStandBehindTheEvents) {
    Folder folder;
    const std::string path = folder.path("r"), again = folder.path("again");
    const std::vector<ProgramRange> ranges{{"a", "domain", 0xff00ff00, false, 1, u64{1} << 40},
                                           {"", "", 0, true, 3, 0}};
    RecordingWriter writer(std::make_unique<OutputFile>(path, "the recording"), "program",
                           Compression::small);
    writer.add(ranges[0]);
    writer.add(ProgramEvent(AllocEvent{4096, 64, AllocEvent::Kind::device}));
    writer.add(ranges[1]);
    EXPECT_EQ(writer.finish().events, 1u);
    const auto source = open_recording(path);
    EXPECT_EQ(record(*source, again).events, 1u);
    EXPECT_EQ(bytes_of(again), bytes_of(path));
    const auto read = open_recording(again)->ranges();
    ASSERT_EQ(read.size(), ranges.size());
    for (std::size_t k = 0; k < read.size(); ++k) {
        EXPECT_EQ(read[k].name, ranges[k].name);
        EXPECT_EQ(read[k].domain, ranges[k].domain);
        EXPECT_EQ(read[k].color, ranges[k].color);
        EXPECT_EQ(read[k].is_mark, ranges[k].is_mark);
        EXPECT_EQ(read[k].first_launch, ranges[k].first_launch);
        EXPECT_EQ(read[k].launches, ranges[k].launches);
    }
    EXPECT_EQ(verify_recording(again).events, 1u);
}

TEST(Recording, FastCompressionLeavesMoreToRead) {
    Folder folder;
    auto bytes = [&](Compression compression) {
        const auto source =
            make_pattern(parse_pattern("pattern:random,ctas=8,threads=64,accesses=200,divergence=4"));
        return record(*source, folder.path("r"), compression).bytes;
    };
    EXPECT_LT(bytes(Compression::small), bytes(Compression::fast));
}

TEST(Recording, IsTheSameFileEachTime) {
    Folder folder;
    ScriptSource a(random_program(3)), b(random_program(3));
    record(a, folder.path("a"));
    record(b, folder.path("b"));
    EXPECT_EQ(bytes_of(folder.path("a")), bytes_of(folder.path("b")));
}

TEST(Recording, ALongCtaIsReadInPieces) {
    Folder folder;
    const auto source =
        make_pattern(parse_pattern("pattern:random,ctas=1,threads=64,accesses=6000,divergence=4"));
    record(*source, folder.path("r"));
    const auto again =
        make_pattern(parse_pattern("pattern:random,ctas=1,threads=64,accesses=6000,divergence=4"));
    const auto replay = open_recording(folder.path("r"));
    const Program a = drain(*again), b = drain(*replay);
    EXPECT_TRUE(b.kernels[0].words[0].empty());  // in pieces, not whole
    expect_same(a, b);
}

TEST(Recording, AnyChangedByteIsAnInputErrorNamingTheFile) {
    Folder folder;
    const std::string path = folder.path("r");
    ScriptSource source(random_program(5));
    record(source, path);
    const std::string whole = bytes_of(path);
    std::mt19937_64 random(9);
    for (u32 round = 0; round < 300; ++round) {
        std::string bad = whole;
        const std::size_t at = random() % bad.size();
        bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
        folder.write("r", bad);
        const std::string message = input_error([&] { verify_recording(path); });
        EXPECT_TRUE(message.starts_with(path + ": ")) << at << " " << message;
    }
}

TEST(Recording, AFileCutOffAnywhereIsAnInputError) {
    Folder folder;
    const std::string path = folder.path("r");
    ScriptSource source(random_program(6));
    record(source, path);
    const std::string whole = bytes_of(path);
    for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 300) {
        folder.write("r", whole.substr(0, size));
        const std::string message = input_error([&] { verify_recording(path); });
        EXPECT_TRUE(message.starts_with(path + ": ")) << size << " " << message;
    }
}

TEST(Recording, DamageToABlockNamesTheBlockAndOtherKernelsStillRead) {
    Folder folder;
    const std::string path = folder.path("r");
    std::mt19937_64 random(1);
    ScriptSource source({random_kernel(random, 32, false), random_kernel(random, 32, false)});
    record(source, path);
    std::string bad = bytes_of(path);
    bad[40] = static_cast<char>(bad[40] ^ 1);  // in the first block: the first kernel's CTAs
    folder.write("r", bad);
    const auto replay = open_recording(path);
    ProgramEvent first, second;
    ASSERT_TRUE(replay->next(first));
    ASSERT_TRUE(replay->next(second));
    EXPECT_EQ(input_error([&] { dump(*std::get<LaunchEvent>(first).kernel); }),
              path + ": block 0: its checksum is wrong: the recording is damaged");
    EXPECT_FALSE(dump(*std::get<LaunchEvent>(second).kernel).ctas.empty());
}

TEST(Recording, VersionOneIsStillRead) {
    // heddle record stream --ctas 1 --threads 32 --accesses 2 --footprint 4KiB, when a kernel's block held its table.
    constexpr std::string_view hex =
        "484544444c45520a01000000010400000000000000000000000000030001010103000401040000000000000000000000"
        "000000000000000000000000000002000501020000800100000100000100000100010000000200010001000400000000"
        "000000000000000000000000020001010200020600000000000000010000000000000000000003000501010001000100"
        "0e7061747465726e3a73747265616d010101012001010010002010000e7061747465726e3a73747265616d054b050000"
        "202020201e011928b52ffd0000850000e20103883001010100ffc3c71cf55d000f000600000d01010d01010d02011000"
        "00280214000069b6b5064ab52985d4db6d347fffdd3e4000000001000e7061747465726e3a73747265616d0200808080"
        "80108020000103038401aeab91f1ba227bd4027c7ceadc8c5617c524011accbe7ad7afdaca0026010000000000002000"
        "0000000000008c769332b0252d53484544444c45520a";
    std::string bytes;
    for (std::size_t k = 0; k < hex.size(); k += 2)
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(k, 2)), nullptr, 16));
    Folder folder;
    const auto replay = open_recording(folder.write("r", bytes));
    const auto source =
        make_pattern(parse_pattern("pattern:stream,ctas=1,threads=32,accesses=2,footprint=4KiB"));
    const Program a = drain(*source), b = drain(*replay);
    ASSERT_EQ(a.kernels.size(), 1u);
    expect_same(a, b);
}

TEST(Recording, LaunchesOfOneKernelShareItsStaticInstructions) {
    std::mt19937_64 random(2);
    const auto kernel = random_kernel(random, 32, false);
    const auto bytes = [](u64 launches, const std::shared_ptr<const ScriptKernel>& of) {
        Folder folder;
        ScriptSource source(std::vector<ScriptSource::Event>(launches, of));
        return record(source, folder.path("r")).bytes;
    };
    // What a further launch takes does not hold the table: a hundred times as many instructions change nothing.
    const auto larger = std::make_shared<ScriptKernel>(*kernel);
    larger->table.resize(kernel->table.size() * 100, kernel->table.back());
    EXPECT_EQ(bytes(101, larger) - bytes(1, larger), bytes(101, kernel) - bytes(1, kernel));
}

TEST(Recording, OfTwoKernelsWithOneNameEachKeepsItsTable) {
    std::mt19937_64 random(4);
    const auto a = random_kernel(random, 32, false);
    const auto b = std::make_shared<ScriptKernel>(*random_kernel(random, 32, false));
    b->info.name = a->info.name;
    const std::vector<ScriptSource::Event> launches{a, b, a, a, b};
    Folder folder;
    ScriptSource source(launches), again(launches);
    record(source, folder.path("r"));
    const auto replay = open_recording(folder.path("r"));
    expect_same(drain(again), drain(*replay));
}

TEST(Recording, ASourceThatFailsLeavesNoFileBehind) {
    Folder folder;
    const std::string trace = folder.write("k.traceg",
                                           "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                                           "-binary version = 80\n#x\n#BEGIN_TB\n");
    const auto source = accelsim::KernelsList::open_kernel(trace);
    EXPECT_NE(input_error([&] { record(*source, folder.path("r")); }), "");
    EXPECT_FALSE(std::filesystem::exists(folder.path("r")));
    for (const auto& left : std::filesystem::directory_iterator(folder.path("")))
        EXPECT_NE(left.path().extension(), ".partial") << left.path();
    ScriptSource any({});
    EXPECT_NE(input_error([&] { record(any, folder.path("no/such/folder")); }), "");
}

TEST(Recording, IsSmallerThanTheCompressedText) {
    // Divergent loops with scattered loads: the kind of kernel that compresses worst.
    TextKernel kernel;
    kernel.grid = {16, 1, 1};
    kernel.block = {128, 1, 1};
    std::mt19937_64 random(4);
    for (u32 c = 0; c < 16; ++c) {
        TextCta cta{{c, 0, 0}, {}};
        for (u32 w = 0; w < 4; ++w) {
            TextWarp warp;
            const auto put = [&](u64 pc, const char* opcode, u32 mask, std::vector<u64> addresses) {
                TextInst i;
                i.pc = pc;
                i.opcode = opcode;
                i.mask = mask;
                i.mem_width = addresses.empty() ? 0 : 4;
                i.addresses = std::move(addresses);
                warp.push_back(i);
            };
            std::vector<u64> edge(32);
            for (u64& e : edge) e = 0x7f0000000000 + random() % (1 << 20) * 4;
            for (u32 mask = 0xffffffff; mask != 0; mask &= static_cast<u32>(random() | random())) {
                std::vector<u64> walk, node;
                for (u32 lane = 0; lane < 32; ++lane)
                    if ((mask >> lane & 1) != 0)
                        walk.push_back(edge[lane] += 4),
                            node.push_back(0x7f1000000000 + random() % (1 << 18) * 4);
                put(0x10, "LDG.E", mask, walk);
                put(0x20, "IMAD", mask, {});
                put(0x30, "LDG.E", mask, node);
                put(0x40, "ISETP.GE.AND", mask, {});
                put(0x50, "BRA", mask, {});
            }
            put(0x60, "EXIT", 0xffffffff, {});
            cta.warps.push_back(warp);
        }
        kernel.ctas.push_back(cta);
    }
    Folder folder;
    const std::string text = to_text(kernel, {});
    std::string xz(text.size() + 4096, '\0');
    std::size_t xz_size = 0;
    ASSERT_EQ(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const u8*>(text.data()),
                                      text.size(), reinterpret_cast<u8*>(xz.data()), &xz_size, xz.size()),
              LZMA_OK);
    const auto source = accelsim::KernelsList::open_kernel(folder.write("k", text));
    EXPECT_LT(record(*source, folder.path("r")).bytes, xz_size);
}

TEST(Recording, ADamagedBlockThatPassesItsChecksumIsStillReadSafely) {
    // The decoder itself, without the file's checksums: any bytes are instructions or an InputError.
    std::mt19937_64 random(11);
    const auto kernel = random_kernel(random, 64, false);
    recording::StreamPacker packer(Compression::small);
    recording::BlockEncoder encoder(kernel->info, packer);
    for (const CtaStream& cta : kernel->ctas) encoder.add(cta, kernel->table);
    recording::Bytes whole;
    encoder.finish(whole);
    u32 refused = 0;
    for (u32 round = 0; round < 400; ++round) {
        recording::Bytes bad = whole;
        for (u64 edits = 1 + random() % 3; edits != 0; --edits)
            bad[random() % bad.size()] = static_cast<u8>(random());
        refused +=
            !input_error([&] {
                 recording::BlockDecoder decoder(recording::ByteReader(bad), kernel->info, kernel->table);
                 CtaStream cta;
                 while (decoder.next(cta)) dump(cta, kernel->info);
             }).empty();
    }
    EXPECT_GT(refused, 20u);
}
