// mum: exact matches of many short queries in a reference (MUMmerGPU: Schatz, Trapnell, Delcher, Varshney, BMC
// Bioinformatics 2007). One thread a query: from each of its places on, as far as a match of `least` bases fits, the
// longest match is found by walking down the reference's suffix tree; from one place to the next the tree's suffix links
// lead to where the match of the rest ends, without comparing again.

#include "../common/reader.h"
#include "suffix_tree.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;

/// Where the match from a place of a query ends: on the edge to the node, and its length.
struct Match {
    u32 node, length;
};

extern "C" __global__ void match_queries(const Node* nodes, const Children* children, const u8* reference,
                                         const u8* bases, const u32* start, const u32* result, Match* match,
                                         u32 queries, u32 least) {
    const u32 q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    const u8* const query = bases + start[q];
    const u32 length = start[q + 1] - start[q];
    Match* to = match + result[q];
    u32 node = kRoot, depth = 0;  // the last node that the match passes, and the bases to it
    u32 matched = 0;
    for (u32 at = 0; at + least <= length; ++at) {
        u32 last = node;
        while (at + depth < length) {
            const u32 child = children[node].child[query[at + depth]];
            if (child == kNone) break;
            last = child;
            const Node n = nodes[child];
            const u32 edge = n.end - n.start;
            u32 along = edge;
            if (matched < depth + edge) {  // else all of the edge is known to match
                along = matched - depth;
                while (along < edge && at + depth + along < length &&
                       reference[n.start + along] == query[at + depth + along])
                    ++along;
                matched = depth + along;
                if (along < edge) break;
            }
            node = child;
            depth += edge;
        }
        *to++ = {last, matched};
        if (matched > 0) --matched;
        if (node != kRoot) {
            node = nodes[node].link;
            --depth;
        }
    }
}

/// Bases of a FASTA file; all sequences in a row. What is no base is left out.
std::vector<u8> read_fasta(const std::string& file) {
    static constexpr std::string_view kBases = "ACGTacgt";
    std::vector<u8> bases;
    Reader in(file);
    while (in.next()) {
        if (in.begins(">") || in.begins(";")) continue;
        for (const char c : in.line())
            if (const std::size_t k = kBases.find(c); k != kBases.npos)
                bases.push_back(static_cast<u8>(k % 4));
    }
    return bases;
}

/// Random bases; a part repeats what came before, as genomes do.
std::vector<u8> random_genome(u32 n, u32 repeated, Random& random) {
    std::vector<u8> bases;
    while (bases.size() < n) {
        const u32 piece = std::min(n - static_cast<u32>(bases.size()), 100 + random.below(400));
        const bool copy = bases.size() > 1000 && random.below(100) < repeated;
        const u32 from = copy ? random.below(static_cast<u32>(bases.size()) - piece) : 0;
        for (u32 i = 0; i < piece; ++i)
            bases.push_back(copy && random.below(50) != 0 ? bases[from + i]
                                                          : static_cast<u8>(random.below(4)));
    }
    return bases;
}

/// The suffixes of the text in order, as an array: the reference by another way than the tree.
class SuffixArray {
  public:
    explicit SuffixArray(const std::vector<u8>& text) : text_(text), suffix_(text.size()) {
        for (u32 i = 0; i < suffix_.size(); ++i) suffix_[i] = i;
        std::sort(suffix_.begin(), suffix_.end(), [&](u32 a, u32 b) {
            return std::lexicographical_compare(text_.begin() + a, text_.end(), text_.begin() + b,
                                                text_.end());
        });
    }
    /// Bases at the start of [query, end) that occur in the text, at most.
    u32 longest(const u8* query, const u8* end) const {
        const auto at = std::lower_bound(suffix_.begin(), suffix_.end(), 0u, [&](u32 s, u32) {
            return std::lexicographical_compare(text_.begin() + s, text_.end(), query, end);
        });
        u32 best = 0;
        if (at != suffix_.end()) best = common(*at, query, end);
        if (at != suffix_.begin()) best = std::max(best, common(*(at - 1), query, end));
        return best;
    }
    u32 common(u32 s, const u8* query, const u8* end) const {
        u32 n = 0;
        while (query + n < end && s + n < text_.size() && text_[s + n] == query[n]) ++n;
        return n;
    }

  private:
    const std::vector<u8>& text_;
    std::vector<u32> suffix_;
};

}  // namespace

int main(int argc, char** argv) {
    Arguments args("mum", "exact matches of queries in a reference", argc, argv);
    const std::string input =
        args.text("input", "FILE", "FASTA file with the reference, instead of a generated one");
    const u32 n =
        args.count("reference", "bases of the generated reference", Sizes<u32>{8192, 131'072, 5'000'000});
    const u32 repeated = args.count("repeated", "percentage of the generated reference that repeats",
                                    Sizes<u32>{20, 20, 20}, 0u);
    const u32 queries = args.count("queries", "queries to match", Sizes<u32>{2048, 16'384, 400'000});
    const u32 length = args.count("length", "bases per query", Sizes<u32>{25, 25, 25});
    const u32 least = args.count("least", "shortest match that counts, in bases", Sizes<u32>{20, 20, 20});
    const u32 errors =
        args.count("errors", "errors per thousand bases of a query", Sizes<u32>{20, 20, 20}, 0u);
    args.done();
    if (repeated > 100) args.fail("--repeated: at most 100");
    if (errors > 1000) args.fail("--errors: at most 1000");
    if (least > length) args.fail("--least: queries have " + std::to_string(length) + " bases");
    if (u64{queries} * length > 0x7FFF'FFFFu) args.fail("--queries times --length: at most 2147483647 bases");

    Random random(args.seed());
    std::vector<u8> reference = input.empty() ? random_genome(n, repeated, random) : read_fasta(input);
    const u32 size = static_cast<u32>(reference.size());
    if (size < length || size > 0x7FFF'FFFEu)
        args.fail("the reference has " + std::to_string(size) + " bases; at least those of a query, " +
                  std::to_string(length));
    // Reads of the reference with errors, one after the other.
    std::vector<u8> bases;
    std::vector<u32> start{0}, result{0};
    for (u32 q = 0; q < queries; ++q) {
        const u32 from = random.below(size - length + 1);
        for (u32 i = 0; i < length; ++i)
            bases.push_back(random.below(1000) < errors ? static_cast<u8>(random.below(4))
                                                        : reference[from + i]);
        start.push_back(static_cast<u32>(bases.size()));
        result.push_back(result.back() + length - least + 1);
    }
    reference.push_back(kEnd);
    const SuffixTree tree(reference);

    DeviceArray<Node> nodes(tree.node);
    DeviceArray<Children> children(tree.children);
    DeviceArray<u8> d_reference(reference), d_bases(bases);
    DeviceArray<u32> d_start(start), d_result(result);
    DeviceArray<Match> match(result.back());
    match_queries<<<blocks(queries, kThreads), kThreads>>>(nodes.data(), children.data(), d_reference.data(),
                                                           d_bases.data(), d_start.data(), d_result.data(),
                                                           match.data(), queries, least);
    must(cudaGetLastError());

    const std::vector<Match> got = match.host();
    const SuffixArray suffixes(reference);
    Verdict verdict("mum");
    u64 found = 0;
    for (u32 q = 0; q < queries; ++q) {
        const u8* const end = bases.data() + start[q + 1];
        for (u32 m = result[q]; m < result[q + 1]; ++m) {
            const u8* const query = bases.data() + start[q] + (m - result[q]);
            const std::string name = "match[" + std::to_string(m) + "]";
            verdict.equal("length of " + name, got[m].length, suffixes.longest(query, end));
            // The node's path begins with the match, and its parent's is shorter.
            const bool valid = got[m].node < tree.node.size();
            verdict.holds("node of " + name + " is there", valid);
            if (!valid) continue;
            const u32 where = tree.occurrence[got[m].node];
            verdict.holds("node of " + name + " leads to it",
                          suffixes.common(where, query, end) >= got[m].length);
            const Node& node = tree.node[got[m].node];
            const u32 depth = node.end - where, above = depth - (node.end - node.start);
            verdict.holds("length of " + name + " ends on the edge",
                          got[m].length <= depth && (got[m].node == kRoot || got[m].length > above));
            if (got[m].length >= least) ++found;
        }
    }
    std::printf("mum: %u bases, %zu nodes, %u queries, %llu matches\n", size, tree.node.size(), queries,
                static_cast<unsigned long long>(found));
    return verdict.exit_code();
}
