// pvr: page view rank, the most viewed pages out of several servers' view counts, as MapReduce (Mars, PACT 2008): map
// reads a line (address, count), grouping by hashing adds up the counts of an address, and the sums are sorted with a
// bitonic network. One thread a line, then one a pair of records.

#include <map>

#include "../common/text.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;
constexpr u32 kShown = 10;

struct View {
    u32 offset, length, hash, count;
};

/// What is ranked. `view` tells the page.
struct Rank {
    u32 count, view;
};

extern "C" __global__ void map_lines(const char* text, const u32* start, View* view, u32 lines) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines) return;
    const u32 begin = start[i], end = start[i + 1] - 1;
    u32 at = begin, hash = kHashStart, count = 0;
    for (; text[at] != '\t'; ++at) hash = hash_step(hash, text[at]);
    const u32 length = at - begin;
    for (++at; at < end; ++at) count = count * 10 + static_cast<u32>(text[at] - '0');
    view[i] = {begin, length, hash, count};
}

extern "C" __global__ void add_counts(const char* text, const View* view, u32* slot, u32 mask, u32* sum,
                                      u32 lines) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines) return;
    bool claimed = false;
    atomicAdd(&sum[find_or_claim(slot, mask, text, view, i, &claimed)], view[i].count);
}

/// The used slots as records, in any order.
extern "C" __global__ void collect(const u32* slot, const u32* sum, u32 slots, Rank* rank, u32* ranks) {
    __shared__ u32 used, base;
    if (threadIdx.x == 0) used = 0;
    __syncthreads();
    const u32 s = blockIdx.x * blockDim.x + threadIdx.x;
    const bool mine = s < slots && slot[s] != kFreeSlot;
    const u32 place = mine ? atomicAdd(&used, 1u) : 0;
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(ranks, used);
    __syncthreads();
    if (mine) rank[base + place] = {sum[s], slot[s]};
}

/// One step of a bitonic network that sorts by falling count.
extern "C" __global__ void sort_step(Rank* rank, u32 half, u32 distance, u32 run) {
    const u32 t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= half) return;
    const u32 a = (t / distance) * 2 * distance + t % distance, b = a + distance;
    const Rank left = rank[a], right = rank[b];
    const bool falling = (a & run) == 0;
    if ((left.count < right.count) == falling && left.count != right.count) {
        rank[a] = right;
        rank[b] = left;
    }
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("pvr", "page view rank", argc, argv);
    const u32 lines =
        args.count("lines", "lines with the counts of all servers", Sizes<u32>{4096, 49'152, 3'000'000});
    const u32 pages = args.count("pages", "pages viewed", Sizes<u32>{1024, 12'000, 1'000'000});
    args.done();

    Random random(args.seed());
    Lines log;
    for (u32 i = 0; i < lines; ++i)
        log.add(page_url(random.below(pages)) + '\t' + std::to_string(1 + skewed(10'000, random)));

    const u32 slots = table_slots(lines);
    DeviceArray<char> text(log.bytes());
    DeviceArray<u32> start(log.start), slot(slots), sum(slots), ranks(1);
    DeviceArray<View> view(lines);
    slot.clear(0xFF);
    sum.clear();
    ranks.clear();
    const u32 ctas = blocks(lines, kThreads);
    map_lines<<<ctas, kThreads>>>(text.data(), start.data(), view.data(), lines);
    must(cudaGetLastError());
    add_counts<<<ctas, kThreads>>>(text.data(), view.data(), slot.data(), slots - 1, sum.data(), lines);
    must(cudaGetLastError());
    u32 width = 2;
    while (width < std::min(pages, lines)) width *= 2;
    DeviceArray<Rank> rank(width);
    rank.clear();  // what is not used sorts last
    collect<<<blocks(slots, kThreads), kThreads>>>(slot.data(), sum.data(), slots, rank.data(), ranks.data());
    must(cudaGetLastError());
    for (u32 run = 2; run <= width; run *= 2)
        for (u32 distance = run / 2; distance > 0; distance /= 2) {
            // The last run falls as a whole: bit `width` of an index is never set.
            sort_step<<<blocks(width / 2, kThreads), kThreads>>>(rank.data(), width / 2, distance, run);
            must(cudaGetLastError());
        }

    std::map<std::string, u32> expected;
    for (u32 i = 0; i < lines; ++i) {
        const std::string line = log.line(i);
        const auto tab = line.find('\t');
        expected[line.substr(0, tab)] += static_cast<u32>(std::stoul(line.substr(tab + 1)));
    }
    std::vector<u32> sorted;
    for (const auto& page : expected) sorted.push_back(page.second);
    std::sort(sorted.rbegin(), sorted.rend());
    const std::vector<Rank> got = rank.host();
    const std::vector<View> views = view.host();
    Verdict verdict("pvr");
    verdict.equal("number of pages", ranks.host(0), static_cast<u32>(expected.size()));
    std::map<std::string, u32> met;
    for (u32 i = 0; i < std::min<std::size_t>(sorted.size(), width); ++i) {
        const View& v = views[std::min(got[i].view, lines - 1)];
        const std::string page = log.text.substr(v.offset, v.length);
        verdict.equal("views of rank " + std::to_string(i + 1), got[i].count, sorted[i]);
        verdict.equal("views of " + page, got[i].count, expected[page]);
        verdict.equal("times " + page + " is ranked", ++met[page], 1u);
        if (i < kShown) std::printf("pvr: %2u. %s, %u views\n", i + 1, page.c_str(), got[i].count);
    }
    return verdict.exit_code();
}
