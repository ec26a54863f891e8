// Damaged traces: each is one InputError that names file and line.

#include <gtest/gtest.h>

#include "trace/accelsim/kernels_list.h"
#include "trace/dump.h"
#include "trace/trace_text.h"

using namespace heddle;
using namespace heddle::test;
using accelsim::KernelsList;

namespace {

// Two CTAs of two warps; line numbers below count from the first header line.
const std::string kTrace =
    "-kernel name = k\n"              // 1
    "-kernel id = 1\n"                // 2
    "-grid dim = (2,1,1)\n"           // 3
    "-block dim = (64,1,1)\n"         // 4
    "-shmem = 0\n"                    // 5
    "-nregs = 16\n"                   // 6
    "-binary version = 80\n"          // 7
    "-cuda stream id = 0\n"           // 8
    "-accelsim tracer version = 5\n"  // 9
    "\n"                              // 10
    "#traces format = x\n"            // 11
    "#BEGIN_TB\n"                     // 12
    "thread block = 0,0,0\n"          // 13
    "warp = 0\n"                      // 14
    "insts = 3\n"                     // 15
    "0000 ffffffff 1 R4 LDG.E 1 R2 4 2 0x7f00 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 "
    "0\n"
    "0010 0000000f 1 R4 FADD 2 R4 R5 0 0\n"              // 17
    "0020 ffffffff 0 EXIT 0 0 0\n"                       // 18
    "warp = 1\n"                                         // 19
    "insts = 2\n"                                        // 20
    "0010 00000001 1 R4 FADD 2 R4 R5 0 0\n"              // 21
    "0020 ffffffff 0 EXIT 0 0 0\n"                       // 22
    "#END_TB\n"                                          // 23
    "#BEGIN_TB\n"                                        // 24
    "thread block = 1,0,0\n"                             // 25
    "warp = 0\ninsts = 1\n0020 ffffffff 0 EXIT 0 0 0\n"  // 28
    "warp = 1\ninsts = 1\n0020 ffffffff 0 EXIT 0 0 0\n"  // 31
    "#END_TB\n";                                         // 32

std::string error_of(const std::string& text) {
    Folder folder;
    const std::string path = folder.write("k.traceg", text);
    std::string message = input_error([&] {
        auto source = KernelsList::open_kernel(path);
        dump_kernels(*source);
    });
    // What follows the path: ":LINE: what".
    return message.starts_with(path) ? message.substr(path.size()) : message;
}

std::string with(const std::string& from, const std::string& to) {
    std::string text = kTrace;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST(BadTrace, TheUndamagedTraceIsRead) {
    EXPECT_EQ(error_of(kTrace), "");
}

TEST(BadTrace, EachFaultNamesItsLineAndWhatWasExpected) {
    struct Row {
        std::string from, to;
        const char* line;
        const char* text;
    };
    const Row rows[] = {
        {"version = 5", "version = 6", ":9:", "tracer version 6 is not supported: versions 0 to 5 are"},
        {"version = 5", "version = five",
         ":9:", "'five' is not a valid value for '-accelsim tracer version'"},
        {"-grid dim = (2,1,1)\n", "", ":10:", "the header ends without '-grid dim = ...'"},
        {"-block dim = (64,1,1)\n", "", ":10:", "'-block dim = ...'"},
        {"-binary version = 80\n", "", ":10:", "'-binary version = ...'"},
        {"(2,1,1)", "(2,1)", ":3:", "expected (X,Y,Z)"},
        {"(2,1,1)", "(2,0,1)", ":3:", "at least 1"},
        {"(2,1,1)", "(-2,1,1)", ":3:", "a number"},
        {"(2,1,1)", "(99999999999999999999,1,1)", ":3:", "a number"},
        {"(64,1,1)", "(64,64,1)", ":4:", "a block of 4096 threads"},
        {"-shmem = 0", "-shmem = 0x", ":5:", "'-shmem'"},
        {"version = 80", "version = 8", ":7:", "binary version 8 is invalid"},
        {"-shmem = 0", "-kernel id = 1", ":5:", "given twice; first on line 2"},
        {"-kernel id = 1", "kernel id = 1", ":2:", "not a kernel trace of Accel-Sim"},
        {"#traces format = x\n", "", ":12:", "expected #BEGIN_TB, found 'thread block"},
        {"(2,1,1)", "(3,1,1)", ":32:", "the file ends after 2 of the grid's 3 thread blocks"},
        {"(2,1,1)", "(1,1,1)", ":24:", "the grid is smaller than the trace"},
        {"thread block = 1,0,0", "thread block = 2,0,0", ":25:", "lies outside the grid of 2,1,1"},
        {"thread block = 1,0,0", "thread block = 0,0,0", ":25:", "appears in the file twice"},
        {"thread block = 1,0,0", "thread block = 1,0", ":25:", "expected 'thread block = x,y,z'"},
        {"insts = 3", "insts = 0", ":15:", "insts = 0"},
        {"insts = 3", "insts = 4", ":19:", "found 3 instruction lines of a warp that has insts = 4"},
        {"insts = 3", "insts = 2", ":17:", "warp 0 does not end with EXIT"},
        {"insts = 2", "insts = 1", ":21:", "warp 1 does not end with EXIT"},
        {"insts = 3", "insts = 3x", ":15:", "expected 'insts = n'"},
        {"insts = 3\n", "", ":15:", "expected 'insts = n'"},
        {"warp = 1", "warp = 2", ":19:", "warp 2 in a block of 64 threads, which has 2 warps"},
        {"warp = 1", "warp = 0", ":19:", "warp 0 appears in the block twice"},
        {"warp = 1\ninsts = 2\n0010 00000001 1 R4 FADD 2 R4 R5 0 0\n0020 ffffffff 0 EXIT 0 0 0\n", "",
         ":19:", "the block ends after 1 of its 2 warps"},
        {"0020 ffffffff 0 EXIT 0 0 0\nwarp = 1",
         "0020 ffffffff 0 EXIT 0 0 0\n0020 ffffffff 0 EXIT 0 0 0\nwarp = 1",
         ":19:", "'insts' before it is too small"},
        {"4 2 0x7f00", "4 3 0x7f00", ":16:", "unknown address mode"},
        {"4 2 0x7f00", "4 22 0x7f00", ":16:", "unknown address mode"},
        {"4 2 0x7f00 4 4 4", "4 2 0x7f00 4", ":16:", "fewer addresses than active lanes"},
        {"4 2 0x7f00 4 4", "4 2 0x7f00 4 4 4", ":16:", "something other than the immediate follows"},
        {"4 2 0x7f00 4 4", "4 2 0x7f00 4 x", ":16:", "fewer addresses than active lanes"},
        {"4 2 0x7f00", "4 2 0x7f00.", ":16:", "no base address"},
        {"2 R4 R5 0 0", "5 R4 R5 R6 R7 R8 0 0", ":17:", "the number of sources (0 to 4)"},
        {"1 R4 FADD", "2 R4 R5 FADD", ":17:", "the number of destinations (0 or 1)"},
        {"2 R4 R5 0 0", "2 R4 P5 0 0", ":17:", "'P5' is not a register"},
        {"2 R4 R5 0 0", "2 R4 R256 0 0", ":17:", "'R256' is not a register"},
        {"2 R4 R5 0 0", "2 R4 R5 0", ":17:", "the immediate"},
        {"2 R4 R5 0 0", "2 R4 R5 0 0 0", ":17:", "unexpected text at the end"},
        {"0010 0000000f", "0010 000000f", ":17:", "a mask of eight hexadecimal digits"},
        {"0010 0000000f", "001g 0000000f", ":17:", "the PC"},
        {"LDG.E 1 R2 4 2", "LDG.E 1 R2 4 1", ":16:", "something other than the immediate follows"},
        {"1 R4 FADD 2 R4 R5 0 0", "1 R4 LDG.E 1 R2 0 0", ":17:", "its addresses are missing"},
        {"1 R4 FADD 2 R4 R5 0 0", "1 R4 LDG.E 1 R2 4 1 0x10 4",
         ":17:", "something other than the immediate follows"},
        {"#END_TB\n#BEGIN_TB", "#BEGIN_TB", ":23:", "expected 'warp = w' or #END_TB, found '#BEGIN_TB'"},
    };
    for (const Row& row : rows) {
        const std::string message = error_of(with(row.from, row.to));
        EXPECT_TRUE(message.starts_with(row.line)) << row.from << " -> " << row.to << ": " << message;
        EXPECT_NE(message.find(row.text), std::string::npos)
            << row.from << " -> " << row.to << ": " << message;
    }
}

TEST(BadTrace, StrideOverGapsIsNotGuessed) {
    const std::string message =
        error_of(with("0010 0000000f 1 R4 FADD 2 R4 R5 0 0", "0010 00000105 1 R4 LDG.E 1 R2 4 1 0x100 4 0"));
    EXPECT_EQ(message, ":17: address mode 1 (base and stride) with gaps between the active lanes");
}

TEST(BadTrace, AFileCutOffAnywhereIsAnError) {
    for (std::size_t size = 0; size < kTrace.size(); ++size) {
        const std::string message = error_of(kTrace.substr(0, size));
        EXPECT_NE(message, "") << size;
    }
    EXPECT_NE(
        error_of(kTrace.substr(0, kTrace.size() - 1)).find(":32: the file ends in the middle of a line"),
        std::string::npos);
}

TEST(BadTrace, CompressedDataCutOffOrCorruptIsAnErrorAtTheLineReached) {
    for (Packing packing : kPackings) {
        const std::string whole = packed(kTrace, packing);
        EXPECT_EQ(error_of(whole), "");
        for (std::size_t size = 1; size < whole.size(); ++size)
            EXPECT_NE(error_of(whole.substr(0, size)), "") << static_cast<int>(packing) << " " << size;
        std::string corrupt = whole;
        corrupt[corrupt.size() / 2] = static_cast<char>(corrupt[corrupt.size() / 2] ^ 0x55);
        EXPECT_NE(error_of(corrupt), "") << static_cast<int>(packing);
    }
    const std::string xz = packed(kTrace, Packing::xz);
    EXPECT_EQ(error_of(xz.substr(0, xz.size() - 4)), ":32: the xz data is truncated");
}

TEST(BadTrace, AFaultFarInsideABigFileNamesItsLine) {
    TextKernel kernel;
    kernel.grid = {200, 1, 1};
    for (u32 c = 0; c < 200; ++c) {
        TextWarp warp;
        for (u32 n = 0; n < 300; ++n) {
            TextInst i;
            i.pc = n * 16;
            i.opcode = n == 299 ? "EXIT" : "FFMA";
            warp.push_back(i);
        }
        kernel.ctas.push_back({{c, 0, 0}, {warp}});
    }
    std::string text = to_text(kernel, {});
    // The last instruction but one of the last CTA gets a register too many.
    const auto at = text.rfind("FFMA 0");
    text.replace(at, 6, "FFMA 9");
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    EXPECT_TRUE(error_of(text).starts_with(":" + std::to_string(line) + ": ")) << error_of(text);
}

TEST(BadTrace, AListNamesWhatIsMissing) {
    Folder folder;
    folder.write("kernel-2.traceg.xz", "x");
    folder.write("kernel-3.traceg", "x");
    auto error = [&](const std::string& list) {
        const std::string path = folder.write("kernelslist.g", list);
        const std::string message = input_error([&] { KernelsList::open_list(path); });
        return message.starts_with(path) ? message.substr(path.size()) : message;
    };
    EXPECT_EQ(error("kernel-3.traceg\nkernel-1.traceg\n"),
              ":2: there is no kernel file 'kernel-1.traceg'; it should be next to the list");
    EXPECT_EQ(
        error("kernel-2.traceg\n"),
        ":1: there is no kernel file 'kernel-2.traceg'; kernel-2.traceg.xz exists: name it in the list");
    EXPECT_EQ(
        error("kernel-3.traceg.xz\n"),
        ":1: there is no kernel file 'kernel-3.traceg.xz'; kernel-3.traceg exists: name it in the list");
    EXPECT_EQ(error("MemcpyHtoD,0x10,4\n"), ":1: the list names no kernel: there is nothing to run");
    EXPECT_NE(error("MemcpyHtoD,0x10\n").find(":1: expected 'MemcpyHtoD,0xADDRESS,BYTES'"),
              std::string::npos);
    EXPECT_EQ(error("MemcpyHtoD,0x10000000000000000,4\n"),
              ":1: '0x10000000000000000' is too large: addresses and sizes have 64 bits");
    EXPECT_EQ(error("MemcpyHtoD,0x10,18446744073709551616\n"),
              ":1: '18446744073709551616' is too large: addresses and sizes have 64 bits");
    EXPECT_NE(error("MemcpyHtoD,zz,4\n").find(":1: expected"), std::string::npos);
    EXPECT_NE(error("MemcpyPeer,0x10,4\n").find(":1: 'MemcpyPeer,0x10,4' is not a command"),
              std::string::npos);
    EXPECT_NE(error("MemcpyHtoX,0x10,4\n").find(", did you mean 'MemcpyHtoD'?"), std::string::npos);
    EXPECT_NE(error("MemcpyHtoD,0xfffffffffffffff0,17\n").find("past the end of the address space"),
              std::string::npos);
    EXPECT_EQ(error("# comment\n"), ":1: the list names no kernel: there is nothing to run");
    EXPECT_NE(error("").find(": the file is empty"), std::string::npos);
}
