// The workload bfs on graphs whose levels are known.

#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "built.h"
#include "cli/program.h"
#include "trace/open.h"
#include "workload_program.h"

namespace heddle {
namespace {

/// The level sizes that bfs prints.
std::string level_sizes(const std::vector<std::string>& options) {
    std::vector<std::string> arguments{"run", "bfs"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Ended outcome = heddle_run(arguments);
    if (outcome.code != 0) return outcome.err;
    const std::string mark = "level sizes ";
    const std::size_t at = outcome.out.find(mark);
    if (at == std::string::npos) return outcome.out;
    return outcome.out.substr(at + mark.size(), outcome.out.find('\n', at) - at - mark.size());
}

TEST(Bfs, ReadsOneTreeInFourFormatsAndFindsItsLevels) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    // A complete ternary tree of 5 levels: vertex v has the children 3 v + 1 to 3 v + 3.
    constexpr u32 vertices = 1 + 3 + 9 + 27 + 81, inner = 1 + 3 + 9 + 27;
    std::string list = "# a tree\n", dimacs = "c a tree\np sp 121 120\n", adjacency = "121\n", edges;
    std::string market = "%%MatrixMarket matrix coordinate pattern general\n121 121 120\n";
    for (u32 v = 0; v < vertices; ++v) {
        adjacency += std::to_string(std::min(3 * v, 3 * inner)) + (v < inner ? " 3\n" : " 0\n");
        for (u32 k = 1; k <= 3 && v < inner; ++k) {
            const u32 to = 3 * v + k;
            list += std::to_string(v) + ' ' + std::to_string(to) + '\n';
            dimacs += "a " + std::to_string(v + 1) + ' ' + std::to_string(to + 1) + " 7\n";
            market += std::to_string(v + 1) + ' ' + std::to_string(to + 1) + '\n';
            edges += std::to_string(to) + " 7\n";
        }
    }
    adjacency += "\n0\n\n120\n" + edges;
    const TemporaryFolder folder;
    for (const auto& [name, text] :
         {std::pair{"tree.txt", list}, {"tree.gr", dimacs}, {"tree.mtx", market}, {"tree.adj", adjacency}})
        EXPECT_EQ(level_sizes({"--input", folder.write(name, text), "--source", "0"}), "1 3 9 27 81") << name;
    EXPECT_EQ(level_sizes({"--input", folder.path() + "/tree.gr", "--source", "0", "--variant", "frontier"}),
              "1 3 9 27 81");
}

TEST(Bfs, NamesTheLineOfAnInputFileThatIsWrong) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const TemporaryFolder folder;
    const auto says = [&](const std::string& name, const std::string& text) {
        const Ended outcome = heddle_run({"run", "bfs", "--input", folder.write(name, text)});
        EXPECT_EQ(outcome.code, 2);
        return outcome.err;
    };
    EXPECT_NE(says("a.gr", "p sp 3 1\na 1 4 1\n").find("a.gr:2: vertex 4 is not in 1 to 3"),
              std::string::npos);
    EXPECT_NE(says("b.txt", "0 1\n1 x\n").find("b.txt:2: expected \"from to [weight]\""), std::string::npos);
    EXPECT_NE(says("c.adj", "2\n0 1\n").find("c.adj:2: the file ends"), std::string::npos);
}

/// A distinct 32-byte sector of an array, for each launch of a kernel.
class Sectors {
  public:
    /// Counts loads and stores of [begin, begin + bytes) in the launches of kernels whose names start with `kernel`.
    Sectors(const std::string& file, const std::string& kernel) {
        const auto source = open_source(file, {});
        ProgramEvent event;
        while (source->next(event)) {
            if (const auto* allocation = std::get_if<AllocEvent>(&event))
                allocations.push_back(allocation->address);
            auto* launch = std::get_if<LaunchEvent>(&event);
            if (launch == nullptr) continue;
            const bool wanted = launch->kernel->info().name.starts_with(kernel);
            auto& set = launches.emplace_back();
            read(*launch->kernel, set);
            if (!wanted) launches.pop_back();
        }
    }

    std::vector<u64> count(u64 begin, u64 bytes, MemOp op) const {
        std::vector<u64> out;
        for (const auto& launch : launches) {
            u64 n = 0;
            for (const auto& [sector, by] : launch)
                n += by == op && sector >= begin / 32 && sector < (begin + bytes + 31) / 32;
            out.push_back(n);
        }
        return out;
    }

    std::vector<u64> allocations;

  private:
    using Set = std::set<std::pair<u64, MemOp>>;

    static void read(KernelStream& kernel, Set& set) {
        const auto cta = kernel.make_cta();
        while (kernel.next_cta(*cta))
            for (u32 w = 0; w < kernel.info().warps_per_cta(); ++w) {
                WarpCursor cursor = cta->cursor(w, kernel.info());
                DynInst inst;
                while (cursor.next(inst)) {
                    const StaticInst& s = kernel.static_insts()[inst.static_index];
                    if (s.mem != MemOp::load && s.mem != MemOp::store) continue;
                    for_each_address(inst, [&](int, u64 address) { set.insert({address / 32, s.mem}); });
                }
            }
    }

    std::vector<Set> launches;
};

TEST(Bfs, TouchesTheSectorsOfEdgesAndLevelsThatHardwareTouchesOnTheSameGraph) {
    if (sanitized()) GTEST_SKIP() << "takes too long with sanitizers";
    const std::string shared = checkout("../shared/traces/");
    if (!std::filesystem::exists(shared + "graph4096.txt")) GTEST_SKIP() << "needs the reference traces";
    const std::string graph = shared + "graph4096.txt";
    // The levels of a plain search (the traces' own notes).
    EXPECT_EQ(level_sizes({"--input", graph}), "1 10 60 340 1456 1982 245 2");

    const TemporaryFolder folder;
    const std::string recording = folder.path() + "/bfs.heddle";
    const Ended recorded = heddle_run({"record", "-o", recording, "bfs", "--input", graph});
    ASSERT_EQ(recorded.code, 0) << recorded.err;
    const Sectors ours(recording, "expand_topology");
    // Rodinia's first kernel, one launch a level; its copies say where its arrays are.
    const Sectors theirs(shared + "bfs-rodinia/kernelslist.g", "_Z6Kernel");
    constexpr u64 their_edges = 0x7fc841508000, their_costs = 0x7fc841523000;
    constexpr u64 edge_bytes = 24'576 * 4, vertex_bytes = 4096 * 4;
    ASSERT_GE(ours.allocations.size(), 3u);  // row, column, level
    EXPECT_EQ(ours.count(ours.allocations[1], edge_bytes, MemOp::load),
              theirs.count(their_edges, edge_bytes, MemOp::load));
    EXPECT_EQ(ours.count(ours.allocations[2], vertex_bytes, MemOp::store),
              theirs.count(their_costs, vertex_bytes, MemOp::store));
}

}  // namespace
}  // namespace heddle
