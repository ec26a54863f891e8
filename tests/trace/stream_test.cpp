#include <gtest/gtest.h>

#include "trace/cta_writer.h"

using namespace heddle;

TEST(Stream, WhatAWriterPutsACursorGives) {
    KernelInfo kernel;
    kernel.block = {40, 1, 1};
    CtaStream cta;
    CtaWriter writer(cta, kernel);
    writer.begin({3, 0, 0});
    writer.begin_warp();
    writer.add(7, 0xffffffff);
    writer.add_strided(8, 0xf0, 1ull << 40, -4);
    writer.end_warp();
    writer.begin_warp();
    const u64 scattered[] = {5, 1ull << 50, 6};
    writer.edge(EdgeKind::wait, 12);
    writer.add(9, 0x07, scattered);
    writer.end_warp();

    DynInst inst;
    auto first = cta.cursor(0, kernel);
    ASSERT_TRUE(first.next(inst));
    EXPECT_EQ(inst.static_index, 7u);
    EXPECT_EQ(inst.mask, 0xffffffffu);
    ASSERT_TRUE(first.next(inst));
    std::vector<std::pair<int, u64>> seen;
    for_each_address(inst, [&](int lane, u64 address) { seen.emplace_back(lane, address); });
    const u64 base = 1ull << 40;
    EXPECT_EQ(seen,
              (std::vector<std::pair<int, u64>>{{4, base}, {5, base - 4}, {6, base - 8}, {7, base - 12}}));
    EXPECT_FALSE(first.next(inst));

    auto second = cta.cursor(1, kernel);
    EXPECT_EQ(second.full_mask(), 0xffu);
    ASSERT_TRUE(second.next(inst));
    EXPECT_TRUE(inst.has_edge);
    EXPECT_EQ(inst.edge_number(), 12u);
    EXPECT_EQ(inst.edge_kind(), EdgeKind::wait);
    seen.clear();
    for_each_address(inst, [&](int lane, u64 address) { seen.emplace_back(lane, address); });
    EXPECT_EQ(seen, (std::vector<std::pair<int, u64>>{{0, 5}, {1, 1ull << 50}, {2, 6}}));
}
