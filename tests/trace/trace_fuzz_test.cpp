// Random damage: a trace is read or is one InputError; nothing else can happen.

#include <bit>
#include <gtest/gtest.h>
#include <random>

#include "trace/accelsim/kernels_list.h"
#include "trace/dump.h"
#include "trace/trace_text.h"

using namespace heddle;
using namespace heddle::test;

namespace {

TextKernel sample() {
    TextKernel kernel;
    kernel.binary_version = 80;
    kernel.grid = {3, 1, 1};
    kernel.block = {64, 1, 1};
    for (u32 c = 0; c < 3; ++c) {
        TextCta cta{{c, 0, 0}, {}};
        for (u32 w = 0; w < 2; ++w) {
            TextWarp warp;
            for (u32 n = 0; n < 6; ++n) {
                TextInst i;
                i.pc = n * 16;
                i.dst = "R4";
                i.src = {"R2", "UR4"};
                const char* opcodes[] = {"LDG.E.64", "FFMA", "LD.E", "LDGSTS.E.128", "STL", "BAR.SYNC"};
                i.opcode = opcodes[n];
                if (n != 1 && n != 5) {
                    i.mem_width = 4;
                    i.mask = 0xf0f0u << n;
                    u64 address = n == 2 ? kernel.shared_base : 0x7f0000000000;
                    for (u32 k = 0; k < static_cast<u32>(std::popcount(i.mask)); ++k)
                        i.addresses.push_back(address += 4 + n * k);
                }
                warp.push_back(i);
            }
            TextInst exit;
            exit.pc = 0x100;
            exit.opcode = "EXIT";
            warp.push_back(exit);
            cta.warps.push_back(warp);
        }
        kernel.ctas.push_back(cta);
    }
    return kernel;
}

}  // namespace

TEST(TraceFuzz, ADamagedTraceIsReadOrIsOneInputError) {
    std::mt19937_64 random(20240101);
    auto below = [&](u64 n) { return static_cast<std::size_t>(random() % n); };
    const std::string pieces[] = {"0",
                                  "9",
                                  "-",
                                  "0x",
                                  " ",
                                  "\n",
                                  "\r",
                                  "#END_TB\n",
                                  "warp = 1\n",
                                  "insts = 4294967296\n",
                                  "ffffffff",
                                  "R255",
                                  "18446744073709551616",
                                  std::string(1, '\0'),
                                  "\xff",
                                  "2 0x7f"};
    Folder folder;
    u32 read = 0, refused = 0;
    for (u32 round = 0; round < 2000; ++round) {
        const TextStyle style{round % 6, round % 6 >= 4 && round % 2 == 0,
                              static_cast<TextMode>(round / 6 % 4), round % 7 == 0, false};
        std::string text = to_text(sample(), style);
        for (u64 edits = 1 + below(3); edits != 0; --edits) {
            const std::size_t at = below(text.size());
            switch (below(5)) {
                case 0:
                    text[at] = static_cast<char>(random());
                    break;
                case 1:
                    text.erase(at, 1 + below(30));
                    break;
                case 2:
                    text.insert(at, pieces[below(std::size(pieces))]);
                    break;
                case 3:
                    text.insert(at, text.substr(below(text.size()), 1 + below(200)));
                    break;
                default:
                    text[at] = static_cast<char>('0' + below(10));
                    break;
            }
        }
        const Packing packing = round % 10 == 0 ? static_cast<Packing>(round / 10 % 4) : Packing::plain;
        std::string file = packed(text, packing);
        if (packing != Packing::plain) file[below(file.size())] ^= static_cast<char>(1 << below(8));
        const std::string path = folder.write("k", file);
        const std::string message = input_error([&] {
            auto source = accelsim::KernelsList::open_kernel(path, {.max_cta_words = below(2) * 4096});
            dump_kernels(*source);
        });
        if (message.empty()) {
            ++read;
        } else {
            ++refused;
            ASSERT_TRUE(message.starts_with(path + ":")) << message;
            ASSERT_EQ(message.find('\n'), std::string::npos) << message;
        }
    }
    EXPECT_GT(read, 100u);
    EXPECT_GT(refused, 500u);
}
