#include "cuda/fatbin.h"

#include <gtest/gtest.h>

#include "cuda/extract.h"
#include "cuda/fatbin_bytes.h"
#include "sim/error.h"
#include "sim/random.h"

namespace heddle::cuda {
namespace {

const std::string kText =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n" +
    std::string(3000, ' ') + "// end\n";

std::vector<FatbinEntry> read(const std::string& bytes) {
    return read_container(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

/// What reading says; empty if it succeeds.
std::string error_of(const std::string& bytes) {
    try {
        choose_ptx(read(bytes));
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(Fatbin, TextComesBackHoweverItIsPacked) {
    for (const Packing packing : {Packing::plain, Packing::zstd, Packing::lz4}) {
        const auto entries = read(fatbin({{.payload = kText, .packing = packing}}));
        ASSERT_EQ(entries.size(), 1u);
        EXPECT_TRUE(entries[0].is_ptx);
        EXPECT_EQ(entries[0].architecture, 75u);
        EXPECT_EQ(entries[0].text, kText);
    }
}

TEST(Fatbin, TheLongerHeaderOfRelocatablePtxIsSkipped) {
    for (const Packing packing : {Packing::plain, Packing::zstd, Packing::lz4})
        EXPECT_EQ(read(fatbin({{.payload = kText, .packing = packing, .header_bytes = 96}})).at(0).text,
                  kText);
}

TEST(Fatbin, TheHighestPtxIsChosenAndMachineCodeLeftAside) {
    const std::string other = kText + "// newer\n";
    const auto entries = read(fatbin({{.architecture = 60, .payload = kText},
                                      {.architecture = 80, .payload = other, .packing = Packing::lz4},
                                      {.kind = 2,
                                       .architecture = 90,
                                       .payload = "\x7f"
                                                  "ELF",
                                       .header_bytes = 64},
                                      {.architecture = 70, .payload = kText, .packing = Packing::zstd}}));
    EXPECT_EQ(entries.size(), 4u);
    EXPECT_EQ(choose_ptx(entries).text, other);
}

TEST(Fatbin, MachineCodeAloneIsAnErrorThatSaysHowToCompile) {
    EXPECT_EQ(error_of(fatbin({{.kind = 2,
                                .architecture = 90,
                                .payload = "\x7f"
                                           "ELF",
                                .header_bytes = 64}})),
              "the program carries machine code for sm_90 but no PTX; compile with heddle cc, or with nvcc "
              "-arch=compute_75 "
              "-cudart shared");
    EXPECT_NE(error_of(fatbin({})).find("is empty"), std::string::npos);
}

TEST(Fatbin, DamageIsAnErrorThatNamesThePlace) {
    const std::string good = fatbin({{.payload = kText, .packing = Packing::zstd}});
    auto changed = [&](std::size_t at, auto value) {
        std::string bytes = good;
        put_at(bytes, at, value);
        return error_of(bytes);
    };
    EXPECT_EQ(changed(0, 0x12345678u),
              "fat binary, offset 0: not a fat binary: its first bytes do not match");
    EXPECT_EQ(changed(16 + 4, 8u), "fat binary, offset 16: an entry's header has 8 bytes");
    EXPECT_EQ(changed(16 + 8, u64{1} << 20), "fat binary, offset 16: an entry's payload is cut off");
    EXPECT_EQ(changed(16 + 16, 0xffffffffu),
              "fat binary, offset 16: an entry's compressed data is longer than its payload");
    EXPECT_EQ(changed(16 + 56, u64{1} << 40), "fat binary, offset 16: claims 1099511627776 bytes of PTX");
    EXPECT_EQ(changed(16 + 80 + 8, 0xdeadbeefu), "fat binary, offset 16: its zstd data is damaged");
    EXPECT_EQ(changed(16 + 40, u64{0x2011}), "fat binary, offset 16: its LZ4 data is damaged");
    EXPECT_NE(error_of(good.substr(0, good.size() - 1)).find("offset 0: cut off"), std::string::npos);
}

TEST(Fatbin, EveryBeginningOfOneIsRefused) {
    const std::string good = fatbin({{.payload = kText, .packing = Packing::lz4}, {.payload = "x"}});
    for (std::size_t n = 0; n < good.size(); ++n) EXPECT_NE(error_of(good.substr(0, n)), "") << n;
    EXPECT_EQ(error_of(good), "");
}

TEST(Fatbin, RandomDamageIsReadOrRefusedAndNothingElse) {
    Random random(7);
    const std::string good =
        fatbin({{.payload = kText, .packing = Packing::zstd}, {.payload = kText, .packing = Packing::lz4}});
    for (int round = 0; round < 3000; ++round) {
        std::string bytes = good;
        for (u64 k = random.below(4) + 1; k > 0; --k)
            bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
        error_of(bytes);
    }
}

TEST(Extract, FindsWhatNvccAndClangEmbed) {
    const std::string elf(
        "\x7f"
        "ELF\0\0\0\0",
        8);
    const std::string nvcc =
        elf + fatbin({{.payload = kText, .packing = Packing::zstd}}) + std::string(40, '\0');
    const std::string clang = elf + std::string("// made by a compiler\n") + kText + '\0' + "more";
    ASSERT_EQ(extract_ptx(nvcc, "prog").size(), 1u);
    EXPECT_EQ(extract_ptx(nvcc, "prog")[0].text, kText);
    EXPECT_EQ(extract_ptx(nvcc, "prog")[0].name, "prog.ptx");
    EXPECT_EQ(extract_ptx(clang, "prog")[0].text, "// made by a compiler\n" + kText);
    EXPECT_EQ(extract_ptx(kText, "k.ptx")[0].text, kText);
    EXPECT_EQ(extract_ptx(nvcc + clang, "prog")[1].name, "prog.ptx2");
    EXPECT_THROW(extract_ptx(elf, "prog"), InputError);
}

TEST(Extract, FindsEachTextOnceInTheFilesOrder) {
    const std::string commented = "//\n" + kText, zero(1, '\0');
    for (const Packing packing : {Packing::plain, Packing::zstd, Packing::lz4}) {
        const std::string container = fatbin({{.payload = commented, .packing = packing}});
        ASSERT_EQ(extract_ptx(container, "prog").size(), 1u);
        EXPECT_EQ(extract_ptx(container, "prog")[0].text, commented);
        const auto all = extract_ptx(
            "// first\n" + kText + zero + container + "// third\n" + kText + zero + container, "prog");
        ASSERT_EQ(all.size(), 4u);
        EXPECT_EQ(all[0].text, "// first\n" + kText);
        EXPECT_EQ(all[1].text, commented);
        EXPECT_EQ(all[2].text, "// third\n" + kText);
        EXPECT_EQ(all[3].text, commented);
        EXPECT_EQ(all[3].name, "prog.ptx4");
    }
}

TEST(Extract, LeavesOutNvidiasLibraryOfDeviceSideLaunches) {
    const std::string library =
        ".version 9.0\n.target sm_75\n.address_size 64\n"
        "\n.extern .func (.param .b32 func_retval0) cnpSetLastError\n(\n\t.param .b32 p\n)\n;\n";
    const std::string program = fatbin({{.payload = kText, .header_bytes = 96}}) +
                                fatbin({{.payload = library, .packing = Packing::lz4, .header_bytes = 96}});
    ASSERT_EQ(extract_ptx(program, "prog").size(), 1u);
    EXPECT_EQ(extract_ptx(program, "prog")[0].text, kText);
}

}  // namespace
}  // namespace heddle::cuda
