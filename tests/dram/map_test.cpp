// Address maps inside a channel.

#include <algorithm>
#include <gtest/gtest.h>

#include "dram/location_map.h"
#include "machines.h"

namespace heddle::dram {
namespace {

TEST(DramMap, EveryAddressOfAMemoryHasItsOwnPlaceAndComesBack) {
    for (MemorySettings s : {gtx480(), qv100(), gtx480_wg()}) {
        const Resolved r = resolve(s);
        const LocationMap map(r.geometry, s.map, s.bank_hash, s.line_bytes);
        u64 x = 88172645463325252ull;
        for (u32 k = 0; k < 2'000; ++k) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            const u64 address = x % r.geometry.capacity() / r.geometry.access_bytes * r.geometry.access_bytes;
            EXPECT_EQ(map.address(map.locate(address)), address);
            EXPECT_EQ(map.locate_row(address).bank, map.locate(address).bank);
            EXPECT_EQ(map.locate_row(address).row, map.locate(address).row);
        }
    }
}

TEST(DramMap, CountsThatAreNoPowersOfTwoWork) {
    MemorySettings s = qv100();
    s.bank_groups = 3;
    s.rows = 1'000;
    s.bank_hash = BankHash::xor_row;
    const Resolved r = resolve(s);
    const LocationMap map(r.geometry, s.map, s.bank_hash, s.line_bytes);
    std::vector<bool> seen(r.geometry.banks());
    for (u64 address = 0; address < 1 << 20; address += 32) {
        const Location at = map.locate(address);
        ASSERT_LT(at.bank, 12u);
        ASSERT_LT(at.column, r.geometry.columns);
        ASSERT_EQ(map.address(at), address);
        seen[at.bank] = true;
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 12);
}

TEST(DramMap, TheWarpAwareMachinesMapIsThatOfItsDescription) {
    // From block, low to high: 4 bank bits, 4 bits of the 256-byte block in the row, row; bank = bank bits XOR
    // the 4 lowest row bits; bank group = bank mod 4.
    const MemorySettings s = gtx480_wg();
    const Resolved r = resolve(s);
    EXPECT_EQ(r.geometry.row_bytes, 4096u);
    EXPECT_EQ(r.geometry.access_bytes, 64u);
    const LocationMap map(r.geometry, s.map, s.bank_hash, s.line_bytes);
    for (u64 block : {0ull, 1ull, 17ull, 255ull, 256ull, 0x12345ull, 0xfffffull}) {
        const u64 row = block >> 8;
        const u64 bank = (block & 15) ^ (row & 15);
        const Location at = map.locate(block * 256 + 192);
        EXPECT_EQ(at.row, row);
        EXPECT_EQ(at.bank, bank % 4 * 4 + bank / 4) << "flat numbers count groups first";
        EXPECT_EQ(at.column, (block >> 4 & 15) * 4 + 3);
    }
}

TEST(DramMap, MapsThatDoNotFitAreRefused) {
    MemorySettings s = qv100();
    const Resolved r = resolve(s);
    auto error = [&](std::vector<std::string> map) -> std::string {
        try {
            LocationMap(r.geometry, map, BankHash::none, 128);
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_NE(error({"byte:32", "group:4", "column:64", "bank:4", "row"}).find("splits a line"),
              std::string::npos);
    EXPECT_NE(error({"byte:32", "column:64", "bank:4", "row"}).find("'group' 1 values, but there are 4"),
              std::string::npos);
    EXPECT_NE(error({"byte:32", "columns:64", "row"}).find("'columns:64', did you mean 'column'"),
              std::string::npos);
    EXPECT_NE(error({"byte:32", "column", "row"}).find("only the last field"), std::string::npos);
    EXPECT_EQ(error({"byte:32", "column:64", "group:4", "bank:4", "row"}), "");
}

}  // namespace
}  // namespace heddle::dram
