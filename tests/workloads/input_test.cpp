// Bad input ends a workload with one line that says what is wrong, and exit code 2.

#include <gtest/gtest.h>

#include "built.h"
#include "cli/program.h"
#include "workload_program.h"

namespace heddle {
namespace {

void expect_refused(const std::string& name, const std::string& options, const std::string& text) {
    const Said said = workload_says(name, options);
    EXPECT_EQ(said.code, 2) << name << ' ' << options;
    EXPECT_EQ(said.text, text + "\n") << name << ' ' << options;
}

TEST(Input, ValuesOutOfRangeAreRefused) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    expect_refused("sp", "--size small --fix 101", "sp: --fix: at most 100");
    expect_refused("sp", "--variables 2", "sp: --variables: at least 3");
    expect_refused("blk", "--each 33554432", "blk: --each: at most 1024");
    expect_refused("gups", "--log-table 35", "gups: --log-table: at most 34");
    expect_refused("gups", "--updaters 65536 --updates 65537",
                   "gups: --updaters times --updates: at most 4294967296");
    expect_refused("bh", "--opening 101", "bh: --opening: at most 100");
    expect_refused("nw", "--length 1024 --gap 1000000", "nw: --length times --gap: at most 1000000000");
    expect_refused("nw", "--length 65552 --gap 0", "nw: --length: at most 65536");
    expect_refused("bfs", "--vertices 1000000000 --degree 8",
                   "bfs: --vertices times --degree: at most 4294967295 edges");
    expect_refused("mm", "--rows 2000000000 --depth 2000000000", "an input of this size is too large");
    expect_refused("mm", "--rows 200000000 --depth 20000000",
                   "there is not enough memory for an input of this size");
}

/// What a workload says of a file, without its folder.
std::string says_of(const std::string& name, const std::string& file, const std::string& text) {
    const TemporaryFolder folder;
    const Said said = workload_says(name, "--input " + folder.write(file, text));
    const std::string where = folder.path() + "/";
    const std::size_t at = said.text.find(where);
    return std::to_string(said.code) + ' ' + (at == 0 ? said.text.substr(where.size()) : said.text);
}

TEST(Input, WeightsAreReadWholeOrRefused) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const std::string range = "a weight is a whole number from 0 to 2147483647, found ";
    EXPECT_EQ(says_of("sssp", "g.txt", "0 1 2.5\n"), "2 g.txt:1: " + range + "\"0 1 2.5\"\n");
    EXPECT_EQ(says_of("sssp", "g.txt", "0 1 1\n1 2 -3\n"), "2 g.txt:2: " + range + "\"1 2 -3\"\n");
    EXPECT_EQ(says_of("sssp", "g.gr", "p sp 2 1\na 1 2 4294967296\n"),
              "2 g.gr:2: " + range + "\"a 1 2 4294967296\"\n");
    EXPECT_EQ(says_of("sssp", "g.gr", "p sp 2 1\na 1 2\n"),
              "2 g.gr:2: expected \"a from to weight\", found \"a 1 2\"\n");
    EXPECT_EQ(says_of("sssp", "g.adj", "2\n0 1\n1 0\n0\n1\n1 -7\n"), "2 g.adj:6: " + range + "\"1 -7\"\n");
    EXPECT_EQ(says_of("sssp", "g.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n"),
              "2 g.mtx:3: " + range + "\"1 2 0.5\"\n");
    EXPECT_EQ(says_of("sssp", "g.txt", "0 1 2000000000\n1 2 2000000000\n2 3 2000000000\n"),
              "2 sssp: weights are so large that distances may not fit into 32 bits\n");
    // Weights that are whole, however they are written, and those that nobody reads.
    EXPECT_EQ(says_of("sssp", "g.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3.0e2\n")
                  .substr(0, 26),
              "0 sssp: 2 vertices, 1 edge");
    EXPECT_EQ(says_of("bfs", "g.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -0.5\n")
                  .substr(0, 25),
              "0 bfs: 2 vertices, 1 edge");
}

TEST(Input, WeightsOfAFileAreTheLengthsOfItsPaths) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    // The direct edge of 9 is longer than the way round by 3 + 4, which takes a round more. With weights of 1, or of
    // what stands before the point, the direct one would win and there would be one round less.
    const TemporaryFolder folder;
    const auto rounds = [&](const std::string& direct) {
        const std::string file = folder.write("g.txt", "0 1 3\n1 2 4\n0 2 " + direct + "\n2 3 1\n");
        const Said said = workload_says("sssp", "--source 0 --input " + file);
        const std::size_t at = said.text.find(" edges, ");
        return at == std::string::npos ? said.text : said.text.substr(at + 8, 1);
    };
    EXPECT_EQ(rounds("9e0"), "4");
    EXPECT_EQ(rounds("6"), "3");
}

TEST(Input, CountsThatAFileAnnouncesAreChecked) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const std::string market = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n";
    EXPECT_EQ(says_of("bfs", "m.mtx", market), "2 m.mtx:3: 2 entries are announced, there are 1\n");
    EXPECT_EQ(says_of("spmv", "m.mtx", market), "2 m.mtx:3: 2 entries are announced, there are 1\n");
    EXPECT_EQ(says_of("bfs", "g.gr", "p sp 3 1\na 1 2 1\na 2 3 1\n"),
              "2 g.gr:3: 1 edges are announced, there are 2\n");
    EXPECT_EQ(says_of("bfs", "g.gr", "p sp 3 1\na 1 2 1\np sp 9 1\n"),
              "2 g.gr:3: there is a second line \"p sp VERTICES EDGES\"\n");
    EXPECT_EQ(says_of("bfs", "g.adj", "2\n0 1\n1 0\n0\n1\n1 7\n1 7\n"),
              "2 g.adj:7: expected the end of the file after its last edge\n");
}

TEST(Input, AMatrixMarketHeaderSaysWhatIsRead) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const std::string first = "%%MatrixMarket Matrix Coordinate ";
    EXPECT_EQ(says_of("spmv", "m.mtx", "%%MatrixMarket matrix array real general\n2 2\n"),
              "2 m.mtx:1: expected \"matrix coordinate\", found \"matrix array\"\n");
    EXPECT_EQ(says_of("spmv", "m.mtx", first + "complex general\n"),
              "2 m.mtx:1: values are real, integer or pattern, not 'complex'\n");
    EXPECT_EQ(says_of("spmv", "m.mtx", first + "real hermitian\n"),
              "2 m.mtx:1: a matrix is general, symmetric or skew-symmetric, not 'hermitian'\n");
    EXPECT_EQ(says_of("spmv", "m.mtx", first + "real symmetric\n2 3 1\n2 3 1\n"),
              "2 m.mtx:2: a symmetric matrix is square\n");
    EXPECT_EQ(says_of("spmv", "m.mtx", first + "real general\n2 3 1\n3 1 1\n"),
              "2 m.mtx:3: row 3, column 1 are not in the matrix of 2 x 3\n");
    EXPECT_EQ(says_of("spmv", "m.mtx", first + "real general\n2 3 1\n1 1 nan\n"),
              "2 m.mtx:3: expected \"row column value\", found \"1 1 nan\"\n");
    // Both triangles, and words in any case.
    EXPECT_EQ(says_of("spmv", "m.mtx", first + "Real Skew-Symmetric\n2 2 1\n2 1 5\n").substr(0, 24),
              "0 spmv: 2 x 2, 2 entries");
}

}  // namespace
}  // namespace heddle
