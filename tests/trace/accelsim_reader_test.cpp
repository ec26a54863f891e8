// Accel-Sim traces: what their lines mean, in every version, mode and compression.

#include <cstdio>
#include <gtest/gtest.h>

#include "trace/accelsim/kernels_list.h"
#include "trace/dump.h"
#include "trace/trace_text.h"

using namespace heddle;
using namespace heddle::test;
using accelsim::KernelsList;

namespace {

constexpr u64 kArray = 0x7f0000000000;

TextInst inst(u64 pc, const std::string& opcode, const std::string& dst = "",
              std::vector<std::string> src = {}) {
    TextInst i;
    i.pc = pc;
    i.opcode = opcode;
    i.dst = dst;
    i.src = std::move(src);
    return i;
}

TextInst access(TextInst i, u32 mask, std::vector<u64> addresses, u32 width = 4) {
    i.mask = mask;
    i.mem_width = width;
    i.addresses = std::move(addresses);
    return i;
}

std::vector<u64> lanes(u64 base, i64 stride, u32 count = 32) {
    std::vector<u64> a;
    for (u32 k = 0; k < count; ++k) a.push_back(base + k * static_cast<u64>(stride));
    return a;
}

/// A kernel of one warp with the given instructions and EXIT.
TextKernel one_warp(std::vector<TextInst> insts, u32 binary_version = 80) {
    TextKernel kernel;
    kernel.binary_version = binary_version;
    insts.push_back(inst(0xff0, "EXIT"));
    kernel.ctas = {{{0, 0, 0}, {std::move(insts)}}};
    return kernel;
}

DumpKernel read_text(const std::string& text) {
    Folder folder;
    auto source = KernelsList::open_kernel(folder.write("k.traceg", text));
    return dump_kernels(*source).at(0);
}

DumpKernel read(const TextKernel& kernel, const TextStyle& style = {}) {
    return read_text(to_text(kernel, style));
}

/// Several CTAs and warps with strides, scattered and single addresses, gaps, masks, a delta beyond 32 bits.
TextKernel mixed() {
    TextKernel kernel;
    kernel.grid = {2, 2, 1};
    kernel.block = {16, 3, 1};  // 48 threads: a full warp and a half one
    u64 random = 7;
    auto next = [&] { return random = random * 6364136223846793005u + 1442695040888963407u; };
    for (u32 c = 0; c < 4; ++c) {
        TextCta cta{{c % 2, c / 2, 0}, {}};
        for (u32 w = 0; w < 2; ++w) {
            const u32 full = w == 0 ? 0xffffffff : 0xffff;
            TextWarp warp;
            warp.push_back(inst(0x00, "IMAD.MOV.U32", "R1", {"R255", "R255"}));
            warp.back().mask = full;
            for (u32 turn = 0; turn < 3; ++turn) {
                const u32 count = w == 0 ? 32 : 16;
                warp.push_back(
                    access(inst(0x10, "LDG.E", "R4", {"R2"}), full, lanes(kArray + turn * 128, 4, count)));
                const u32 mask = static_cast<u32>(next() >> 20) & full;
                std::vector<u64> scattered;
                for (int k = 0; k < __builtin_popcount(mask); ++k)
                    scattered.push_back(kArray + (next() >> 40) * 4);
                warp.push_back(access(inst(0x20, "LDG.E.64", "R6", {"R4"}), mask, scattered));
                warp.push_back(access(inst(0x30, "STG.E", "", {"R2", "R6"}), 0x8, {kArray + 64}));
                warp.push_back(access(inst(0x40, "STG.E", "", {"R2", "R6"}), 0x0, {}));
                warp.push_back(
                    access(inst(0x50, "LDG.E", "R6", {"R2"}), 0x7, {kArray, kArray << 1, kArray + 8}));
                warp.push_back(access(inst(0x60, "STS", "", {"R2", "R6"}), 0xff, lanes(4096, -8, 8)));
            }
            warp.push_back(inst(0x70, "EXIT"));
            warp.back().mask = full;
            cta.warps.push_back(warp);
        }
        kernel.ctas.push_back(cta);
    }
    return kernel;
}

}  // namespace

TEST(AccelSimReader, AWorkedExampleGivesItsRegistersMasksAndAddresses) {
    const std::string text =
        "-kernel name = _Z3addPf\n-kernel id = 7\n-grid dim = (1,1,1)\n-block dim = (40,1,1)\n-shmem = 256\n"
        "-nregs = 16\n-binary version = 80\n-cuda stream id = 3\n-shmem base_addr = 0x00007e0000000000\n"
        "-local mem base_addr = 0x00007e0002000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 5\n"
        "-enable lineinfo = 0\n\n#traces format = any\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = "
        "0\ninsts = 3\n"
        "0010 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x7f0000000000 16 0\n"
        "0020 0000000c 0 RED.E.ADD.F32.FTZ.RN.STRONG.GPU 2 R2 R255 4 2 0x7f0000000100 -252 0\n"
        "0030 ffffffff 0 EXIT 0 0 0\n\nwarp = 1\ninsts = 1\n0030 000000ff 0 EXIT 0 0 0\n\n#END_TB\n";
    const DumpKernel k = read_text(text);
    EXPECT_EQ(k.info.name, "_Z3addPf");
    EXPECT_EQ(k.info.id, 7u);
    EXPECT_EQ(k.info.block, (Dim3{40, 1, 1}));
    EXPECT_EQ(k.info.shared_bytes, 256u);
    EXPECT_EQ(k.info.registers, 16u);
    EXPECT_EQ(k.info.stream, 3u);
    ASSERT_EQ(k.static_insts.size(), 3u);
    const StaticInst& load = k.static_insts[0];
    EXPECT_EQ(load.pc, 0x10u);
    EXPECT_EQ(load.op, OpClass::memory);
    EXPECT_EQ(load.mem, MemOp::load);
    EXPECT_EQ(load.space, MemSpace::global);
    EXPECT_EQ(load.access_bytes, 16);
    EXPECT_EQ(load.dst[0], 4);
    EXPECT_EQ(load.dst_width, 4);
    EXPECT_EQ(load.src[0], 2);
    EXPECT_FALSE(load.bypass_l1);
    const StaticInst& red = k.static_insts[1];
    EXPECT_EQ(red.mem, MemOp::reduction);
    EXPECT_EQ(red.dst[0], StaticInst::kNoRegister);
    EXPECT_EQ(red.src, (std::array<u16, 4>{2, StaticInst::kNoRegister, StaticInst::kNoRegister,
                                           StaticInst::kNoRegister}));
    EXPECT_TRUE(red.bypass_l1);
    EXPECT_EQ(k.static_insts[2].op, OpClass::exit);
    ASSERT_EQ(k.ctas.size(), 1u);
    const auto& warps = k.ctas[0].warps;
    ASSERT_EQ(warps.size(), 2u);
    EXPECT_EQ(warps[0][0], (DumpInst{0, 0xffffffff, AddressForm::strided, -1, lanes(0x7f0000000000, 16)}));
    EXPECT_EQ(warps[0][1], (DumpInst{1, 0xc, AddressForm::strided, -1, {0x7f0000000100, 0x7f0000000004}}));
    EXPECT_EQ(warps[1], (std::vector<DumpInst>{{2, 0xff, AddressForm::none, -1, {}}}));
}

TEST(AccelSimReader, TheSameAccessesGiveTheSameWordsInEveryVersionModeAndCompression) {
    const TextKernel kernel = mixed();
    const DumpKernel reference = read(kernel, {5, false, TextMode::list, false, false});
    ASSERT_EQ(reference.ctas.size(), 4u);
    // Checked against the description itself, not only against each other.
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t w = 0; w < 2; ++w) {
            const TextWarp& warp = kernel.ctas[c].warps[w];
            ASSERT_EQ(reference.ctas[c].warps[w].size(), warp.size());
            for (std::size_t k = 0; k < warp.size(); ++k) {
                EXPECT_EQ(reference.ctas[c].warps[w][k].addresses, warp[k].addresses);
                EXPECT_EQ(reference.ctas[c].warps[w][k].mask, warp[k].mask);
            }
        }
    Folder folder;
    for (u32 version = 0; version <= 5; ++version)
        for (TextMode mode : {TextMode::list, TextMode::stride, TextMode::deltas, TextMode::tracer})
            for (Packing packing :
                 {Packing::plain, Packing::xz, Packing::gzip, Packing::zstd, Packing::bzip2, Packing::lz4})
                for (bool odd : {false, true}) {
                    const std::string text = to_text(kernel, {version, odd && version >= 4, mode, odd, odd});
                    auto source = KernelsList::open_kernel(folder.write("any.name", packed(text, packing)));
                    const DumpKernel read = dump_kernels(*source).at(0);
                    EXPECT_EQ(read.words, reference.words) << version << " " << static_cast<int>(mode);
                    EXPECT_EQ(read.static_insts, reference.static_insts);
                }
}

TEST(AccelSimReader, WordsAreThoseOfTheWriterThatPicksTheFormFromTheAddresses) {
    const TextKernel kernel = mixed();
    const DumpKernel k = read(kernel);
    for (const DumpCta& cta : k.ctas)
        for (const auto& warp : cta.warps)
            for (const DumpInst& i : warp) {
                bool strided = true, narrow = true;
                for (std::size_t n = 1; n < i.addresses.size(); ++n) {
                    const i64 delta = static_cast<i64>(i.addresses[n] - i.addresses[n - 1]);
                    strided &= delta == static_cast<i64>(i.addresses[1] - i.addresses[0]);
                    narrow &= delta >= INT32_MIN && delta <= INT32_MAX;
                }
                const AddressForm form = i.addresses.empty() ? AddressForm::none
                                         : !narrow           ? AddressForm::absolute
                                         : strided           ? AddressForm::strided
                                                             : AddressForm::deltas;
                EXPECT_EQ(i.form, form);
            }
}

TEST(AccelSimReader, AGenericAccessGoesWhereItsFirstActiveAddressLies) {
    const TextInst load = inst(0x10, "LD.E", "R4", {"R2"});
    TextKernel kernel = one_warp({access(load, 0x6, {0x7e0000000040, 0x7e0000000044}),
                                  access(load, 0x2, {0x7f0000001000}), access(load, 0x2, {0x7e0002000010}),
                                  access(inst(0x20, "ST.E", "", {"R2", "R4"}), 0x1, {0x7e0000ffffff})});
    DumpKernel k = read(kernel);
    const auto& warp = k.ctas[0].warps[0];
    auto space = [&](std::size_t n) { return k.static_insts[warp[n].static_index].space; };
    EXPECT_EQ(space(0), MemSpace::shared);
    EXPECT_EQ(warp[0].addresses, (std::vector<u64>{0x40, 0x44}));
    EXPECT_EQ(space(1), MemSpace::global);
    EXPECT_EQ(space(2), MemSpace::local);
    EXPECT_EQ(space(3), MemSpace::shared);
    EXPECT_EQ(warp[3].addresses, (std::vector<u64>{0xffffff}));
    // Windows that the header does not give (base 0) hold nothing.
    kernel.shared_base = kernel.local_base = 0;
    k = read(kernel);
    for (std::size_t n = 0; n < 4; ++n)
        EXPECT_EQ(k.static_insts[k.ctas[0].warps[0][n].static_index].space, MemSpace::global);
}

TEST(AccelSimReader, AnAsynchronousCopyCountsOnceByItsGlobalSide) {
    const TextInst copy = inst(0x10, "LDGSTS.E.BYPASS.LTC128B.128", "", {"R4", "R2"});
    const TextKernel kernel = one_warp({
        access(copy, 0xff, lanes(0x400, 16, 8), 16),  // shared side: small offsets
        access(copy, 0xff, lanes(kArray, 16, 8), 16),
        access(copy, 0x3, lanes(kArray + 512, 16, 2), 16),
        access(copy, 0x3, lanes(0x7e0000000000, 16, 2), 16),  // shared side: in the window
        access(copy, 0x0, {}, 16),
        access(copy, 0x0, {}, 16),  // both sides without active lanes
        inst(0x20, "LDGDEPBAR"),
        inst(0x30, "DEPBAR.LE"),
    });
    const DumpKernel k = read(kernel);
    const auto& warp = k.ctas[0].warps[0];
    ASSERT_EQ(warp.size(), 6u);
    EXPECT_EQ(warp[0].addresses, lanes(kArray, 16, 8));
    EXPECT_EQ(warp[1].addresses, lanes(kArray + 512, 16, 2));
    EXPECT_EQ(warp[2].mask, 0u);
    const StaticInst& s = k.static_insts[warp[0].static_index];
    EXPECT_EQ(s.mem, MemOp::async_copy);
    EXPECT_EQ(s.space, MemSpace::global);
    EXPECT_EQ(s.access_bytes, 16);
    EXPECT_TRUE(s.bypass_l1);
    EXPECT_EQ(k.static_insts[warp[3].static_index].async_role, AsyncRole::commit);
    EXPECT_EQ(k.static_insts[warp[4].static_index].async_role, AsyncRole::wait);
}

TEST(AccelSimReader, LocalWordsOfAWarpsLanesLieSideBySideAndEachWarpHasItsOwn) {
    TextKernel kernel;
    kernel.block = {64, 1, 1};
    // All lanes store to the same address of their own local memory: one line of 128 bytes for a 4-byte word.
    const TextInst store = access(inst(0x10, "STL", "", {"R1", "R4"}), 0xffffffff,
                                  std::vector<u64>(32, kernel.local_base + 0xfffc10));
    const TextInst wide = access(inst(0x20, "STL.128", "", {"R1", "R4"}), 0xffffffff,
                                 std::vector<u64>(32, kernel.local_base + 0xfffc10), 16);
    const TextWarp warp{store, wide, inst(0x30, "EXIT")};
    kernel.ctas = {{{0, 0, 0}, {warp, warp}}};
    const DumpKernel k = read(kernel);
    const auto& w0 = k.ctas[0].warps[0];
    const auto& w1 = k.ctas[0].warps[1];
    EXPECT_EQ(k.static_insts[w0[0].static_index].space, MemSpace::local);
    const u64 base = w0[0].addresses[0];
    EXPECT_EQ(base % 128, 0u);
    EXPECT_EQ(w0[0].addresses, lanes(base, 4));
    EXPECT_EQ(w0[1].addresses, lanes(base, 16));
    EXPECT_EQ(w1[0].addresses, lanes(base + 512, 4));
}

TEST(AccelSimReader, OpcodesAreClassedWithTheirModifiers) {
    struct Row {
        const char* opcode;
        const char* dst;
        OpClass op;
        MemOp mem;
        MemSpace space;
        u8 bytes, width;
        bool bypass;
    };
    using enum OpClass;
    const auto none = MemOp::none;
    const auto nowhere = MemSpace::none;
    const Row rows[] = {
        {"IADD3.X", "R4", int_add, none, nowhere, 0, 1, false},
        {"IMAD.WIDE.U32", "R4", int_mad, none, nowhere, 0, 2, false},
        {"IMUL", "R4", int_mul, none, nowhere, 0, 1, false},
        {"FADD.FTZ", "R4", fp32_add, none, nowhere, 0, 1, false},
        {"FFMA", "R4", fp32_mad, none, nowhere, 0, 1, false},
        {"FMUL", "R4", fp32_mul, none, nowhere, 0, 1, false},
        {"DFMA", "R4", fp64, none, nowhere, 0, 2, false},
        {"MUFU.RCP", "R4", sfu, none, nowhere, 0, 1, false},
        {"HMMA.16816.F32", "R4", tensor, none, nowhere, 0, 4, false},
        {"BRA", "", branch, none, nowhere, 0, 1, false},
        {"BSSY", "", branch, none, nowhere, 0, 1, false},
        {"WARPSYNC", "", branch, none, nowhere, 0, 1, false},
        {"TEX.B.LL", "R4", texture, none, nowhere, 0, 1, false},
        {"MEMBAR.SC.GPU", "", fence, none, nowhere, 0, 1, false},
        {"LDC.64", "R4", memory, MemOp::load, MemSpace::constant, 8, 2, false},
        {"LDG.E.U8", "R4", memory, MemOp::load, MemSpace::global, 1, 1, false},
        {"LDG.E.64.CONSTANT", "R4", memory, MemOp::load, MemSpace::global, 8, 2, false},
        {"LDG.E.SYS", "R4", memory, MemOp::load, MemSpace::global, 4, 1, false},
        {"LDG.E.STRONG.CTA", "R4", memory, MemOp::load, MemSpace::global, 4, 1, false},
        {"LDG.E.STRONG.GPU", "R4", memory, MemOp::load, MemSpace::global, 4, 1, true},
        {"STG.E.128.STRONG.SYS", "", memory, MemOp::store, MemSpace::global, 16, 1, true},
        {"ATOMG.E.ADD.STRONG.GPU", "R4", memory, MemOp::atomic, MemSpace::global, 4, 1, true},
        {"ATOM.E.CAS.64", "R4", memory, MemOp::atomic, MemSpace::global, 8, 2, true},
        {"ATOMS.ADD", "R4", memory, MemOp::atomic, MemSpace::shared, 4, 1, false},
        {"LDS.U.64", "R4", memory, MemOp::load, MemSpace::shared, 8, 2, false},
        {"LDSM.16.M88.4", "R4", memory, MemOp::load, MemSpace::shared, 16, 4, false},
        {"STL.64", "", memory, MemOp::store, MemSpace::local, 8, 1, false},
        {"BAR.SYNC.DEFER_BLOCKING", "", barrier, none, nowhere, 0, 1, false},
    };
    std::vector<TextInst> insts;
    u64 pc = 0;
    for (const Row& row : rows) {
        TextInst i = inst(pc += 16, row.opcode, row.dst, {"R2"});
        const bool addressed = row.op == memory && row.space != MemSpace::constant;
        insts.push_back(addressed ? access(i, 0x1, {kArray}) : i);
    }
    const DumpKernel k = read(one_warp(insts));
    ASSERT_EQ(k.static_insts.size(), std::size(rows) + 1);
    for (std::size_t n = 0; n < std::size(rows); ++n) {
        const StaticInst& s = k.static_insts[n];
        EXPECT_EQ(s.op, rows[n].op) << rows[n].opcode;
        EXPECT_EQ(s.mem, rows[n].mem) << rows[n].opcode;
        EXPECT_EQ(s.space, rows[n].space) << rows[n].opcode;
        EXPECT_EQ(s.access_bytes, rows[n].bytes) << rows[n].opcode;
        EXPECT_EQ(s.dst_width, rows[n].width) << rows[n].opcode;
        EXPECT_EQ(s.bypass_l1, rows[n].bypass) << rows[n].opcode;
    }
    EXPECT_TRUE(k.unknown.empty());
}

TEST(AccelSimReader, ABarrierTellsItsNumberWarpsAndWhetherItWaits) {
    auto bar = [](u64 pc, const char* opcode, i64 immediate) {
        TextInst i = inst(pc, opcode);
        i.immediate = immediate;
        return i;
    };
    const DumpKernel k = read(one_warp({bar(0x00, "BAR.SYNC.DEFER_BLOCKING", 0), bar(0x10, "BAR.SYNC", 3),
                                        bar(0x20, "BAR.ARV", 64), bar(0x30, "BAR.RED.POPC", 0)}));
    EXPECT_EQ(k.static_insts[0].barrier_id, 0);
    EXPECT_EQ(k.static_insts[0].barrier_warps, 0);
    EXPECT_EQ(k.static_insts[1].barrier_id, 3);
    EXPECT_TRUE(k.static_insts[2].barrier_arrive_only);
    EXPECT_EQ(k.static_insts[2].barrier_warps, 2);
    EXPECT_FALSE(k.static_insts[3].barrier_arrive_only);
}

TEST(AccelSimReader, UnknownOpcodesArePlainWorkAndCounted) {
    TextInst odd = inst(0x10, "FROBNICATE.X", "R4", {"R2"});
    TextInst far = access(inst(0x20, "ZAP", "R4", {"R2"}), 0x3, {kArray, kArray + 4});
    const DumpKernel k = read(one_warp({odd, odd, far, inst(0x30, "HGMMA.64", "R4", {"UR63"})}, 80));
    EXPECT_EQ(k.unknown,
              (std::vector<std::pair<std::string, u64>>{{"FROBNICATE", 2}, {"ZAP", 1}, {"HGMMA", 1}}));
    EXPECT_EQ(k.static_insts[0].op, OpClass::other);
    EXPECT_EQ(k.static_insts[0].dst[0], 4);
    EXPECT_EQ(k.ctas[0].warps[0][2].form, AddressForm::none);
}

TEST(AccelSimReader, UniformRegistersDoNotMeetVectorRegistersAndZeroRegistersAreDropped) {
    const DumpKernel k = read(one_warp(
        {inst(0x10, "UIADD3", "UR4", {"UR5", "UR63"}), inst(0x20, "IADD3", "R4", {"R255", "UR4", "R5"})}));
    const u16 no = StaticInst::kNoRegister;
    EXPECT_EQ(k.static_insts[0].dst[0], 256 + 4);
    EXPECT_EQ(k.static_insts[0].src, (std::array<u16, 4>{256 + 5, no, no, no}));
    EXPECT_EQ(k.static_insts[1].dst[0], 4);
    EXPECT_EQ(k.static_insts[1].src, (std::array<u16, 4>{256 + 4, 5, no, no}));
    EXPECT_GT(k.info.register_names, 256u + 5u);
}

TEST(AccelSimReader, ANewerGpuIsReadWithTheNearestTableAndSaysSo) {
    const DumpKernel k = read(one_warp({inst(0x10, "FFMA", "R4", {"R2"})}, 120));
    EXPECT_EQ(k.static_insts[0].op, OpClass::fp32_mad);
    ASSERT_EQ(k.warnings.size(), 1u);
    EXPECT_NE(k.warnings[0].find("binary version 120"), std::string::npos);
}

TEST(AccelSimReader, ACtaTooLongToHoldComesBackInChunksWithTheSameInstructions) {
    TextKernel kernel;
    kernel.block = {64, 1, 1};
    u64 random = 3;
    for (u32 w = 0; w < 2; ++w) {
        TextWarp warp;
        for (u32 n = 0; n < 60000; ++n) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            const u32 mask = static_cast<u32>(random >> 33) & 0x1f;
            std::vector<u64> a;
            for (int k = 0; k < __builtin_popcount(mask); ++k)
                a.push_back(kArray + (random >> (5 + 7 * k) & 0xfffff));
            warp.push_back(access(inst(0x10 + n % 7 * 16, "LDG.E", "R4", {"R2"}), mask, a));
        }
        warp.push_back(inst(0xff0, "EXIT"));
        if (kernel.ctas.empty()) kernel.ctas.push_back({{0, 0, 0}, {}});
        kernel.ctas[0].warps.push_back(warp);
    }
    Folder folder;
    const std::string path = folder.write("k", to_text(kernel, {}));
    auto whole = KernelsList::open_kernel(path);
    auto chunked = KernelsList::open_kernel(path, {.max_cta_words = 1000});
    const DumpKernel a = dump_kernels(*whole).at(0), b = dump_kernels(*chunked).at(0);
    EXPECT_FALSE(a.words[0].empty());
    EXPECT_TRUE(b.words[0].empty());
    EXPECT_EQ(a.ctas, b.ctas);
}

TEST(AccelSimReader, AListGivesCopiesAndLaunchesInItsOrder) {
    Folder folder;
    TextKernel kernel = one_warp({});
    folder.write("kernel-1.traceg", to_text(kernel, {}));
    kernel.id = 2;
    folder.write("kernel-2.tracez", packed(to_text(kernel, {3}), Packing::zstd));
    auto source = KernelsList::open_list(folder.write(
        "kernelslist.g",
        "MemcpyHtoD,0x00007fc841500000,32768\r\nkernel-1.traceg\nMemcpyDtoH,0x10,4\nkernel-2.tracez"));
    ProgramEvent event;
    ASSERT_TRUE(source->next(event));
    const auto& copy = std::get<CopyEvent>(event);
    EXPECT_EQ(copy.kind, CopyKind::host_to_device);
    EXPECT_EQ(copy.destination, 0x7fc841500000u);
    EXPECT_EQ(copy.bytes, 32768u);
    ASSERT_TRUE(source->next(event));
    EXPECT_EQ(std::get<LaunchEvent>(event).kernel->info().id, 1u);
    ASSERT_TRUE(source->next(event));
    EXPECT_EQ(std::get<CopyEvent>(event).kind, CopyKind::device_to_host);
    EXPECT_EQ(std::get<CopyEvent>(event).source, 0x10u);
    ASSERT_TRUE(source->next(event));
    EXPECT_EQ(std::get<LaunchEvent>(event).kernel->info().id, 2u);
    EXPECT_FALSE(source->next(event));
}

TEST(AccelSimReader, AListMayHoldCommentsBlanksAndEveryCommandThatTracersWrite) {
    Folder folder;
    folder.write("kernel-1-ctx_0x55d5.traceg", to_text(one_warp({}), {}));
    auto source = KernelsList::open_list(folder.write("kernelslist.g",
                                                      "# made by hand\n\n"
                                                      "cudaMalloc,0x7f0000000000,4096  # a buffer\r\n"
                                                      "// copies\n"
                                                      " cuMemcpyHtoDAsync_v2 , 0x7f0000000000 , 64 \t\n"
                                                      "cudaMemcpyAsyncHtoD,0x00007f227a000000\n"
                                                      "MemcpyDtoD,0x100,0x200,8\n"
                                                      "cudaMemset,0x100,16\n"
                                                      "ncclCommInitAll\nncclGroupStart\nncclCommInitAll\n"
                                                      "kernel-1-ctx_0x55d5.traceg \t\n"
                                                      "cudaDeviceSynchronize\n"
                                                      "cudaFree,0x7f0000000000"));
    ProgramEvent event;
    const auto next = [&] { return source->next(event); };
    ASSERT_TRUE(next());
    EXPECT_EQ(std::get<AllocEvent>(event).address, 0x7f0000000000u);
    EXPECT_EQ(std::get<AllocEvent>(event).bytes, 4096u);
    ASSERT_TRUE(next());
    EXPECT_EQ(std::get<CopyEvent>(event).kind, CopyKind::host_to_device);
    EXPECT_EQ(std::get<CopyEvent>(event).destination, 0x7f0000000000u);
    EXPECT_EQ(std::get<CopyEvent>(event).bytes, 64u);
    ASSERT_TRUE(next());
    EXPECT_EQ(std::get<CopyEvent>(event).kind, CopyKind::device_to_device);
    EXPECT_EQ(std::get<CopyEvent>(event).source, 0x200u);
    ASSERT_TRUE(next());
    EXPECT_EQ(std::get<CopyEvent>(event).kind, CopyKind::set);
    ASSERT_TRUE(next());
    EXPECT_TRUE(std::holds_alternative<LaunchEvent>(event));
    ASSERT_TRUE(next());
    EXPECT_EQ(std::get<SyncEvent>(event).kind, SyncEvent::Kind::host_device);
    ASSERT_TRUE(next());
    EXPECT_EQ(std::get<FreeEvent>(event).address, 0x7f0000000000u);
    EXPECT_FALSE(next());
    ASSERT_EQ(source->warnings().size(), 1u);
    EXPECT_TRUE(source->warnings()[0].ends_with(
        "were skipped: cudaMemcpyAsyncHtoD (1), ncclCommInitAll (2), ncclGroupStart (1)"))
        << source->warnings()[0];
}
