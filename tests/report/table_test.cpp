#include "report/table.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

#include "sim/random.h"
#include "sim/text.h"

namespace heddle::report {
namespace {

using enum Table::Align;

Table sample() {
    Table table({left, right, right, left});
    table.add({"workload", "cycles", "bandwidth", "what it is"});
    table.add({"bfs", "1,234,567", "12.5 GB/s", "breadth-first search"});
    table.add({"streamcluster", "7", "170.2 GB/s", "clusters points"});
    return table;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

TEST(Table, WithoutALimitOrWhereItFitsARowIsALine) {
    const std::string whole =
        "  workload          cycles   bandwidth  what it is\n"
        "  bfs            1,234,567   12.5 GB/s  breadth-first search\n"
        "  streamcluster          7  170.2 GB/s  clusters points\n";
    EXPECT_EQ(sample().text(2, 0), whole);
    EXPECT_EQ(sample().text(2, 80), whole);
}

TEST(Table, WordsAreBrokenFirst) {
    const auto lines = lines_of(sample().text(2, 55));
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[1], "  bfs            1,234,567   12.5 GB/s  breadth-first");
    EXPECT_EQ(lines[2], "                                        search");
}

TEST(Table, ThenColumnsStandBelowEachOtherEachWithTheFirst) {
    EXPECT_EQ(sample().text(0, 30),
              "workload          cycles\n"
              "bfs            1,234,567\n"
              "streamcluster          7\n"
              "\n"
              "workload        bandwidth\n"
              "bfs             12.5 GB/s\n"
              "streamcluster  170.2 GB/s\n"
              "\n"
              "workload       what it is\n"
              "bfs            breadth-first\n"
              "               search\n"
              "streamcluster  clusters points\n");
}

TEST(Table, IsNeverWiderThanTheScreenAndLosesNothing) {
    Random random(7);
    for (int round = 0; round < 200; ++round) {
        const std::size_t columns = 1 + random.below(8);
        std::vector<Table::Align> align;
        for (std::size_t c = 0; c < columns; ++c) align.push_back(random.below(2) == 0 ? left : right);
        Table table(align);
        std::size_t letters = 0;
        for (int r = 0; r < 5; ++r) {
            std::vector<std::string> row;
            for (std::size_t c = 0; c < columns; ++c) {
                std::string cell;
                for (u64 n = random.below(30); n > 0; --n) cell += random.below(6) == 0 ? " " : "x";
                if (c != 0)
                    letters += static_cast<std::size_t>(std::count(cell.begin(), cell.end(), 'x'));
                else
                    cell = "k";
                row.push_back(cell);
            }
            table.add(row);
        }
        const std::size_t width = 20 + random.below(60);
        const std::string text = table.text(2, width);
        for (const std::string& line : lines_of(text)) EXPECT_LE(width_of(line), width) << text;
        EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), 'x')), letters) << text;
    }
}

TEST(Table, ControlCharactersOfACellDoNotBreakTheRow) {
    Table table({left, left});
    table.add({"a\nb", "\x1b[2J"});
    EXPECT_EQ(table.text(0, 0), "a\\x0ab  \\x1b[2J\n");
}

}  // namespace
}  // namespace heddle::report
