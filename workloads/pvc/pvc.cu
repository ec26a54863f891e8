// pvc: page view count, how many visitors each page of a web log had, as two MapReduce passes (Mars, PACT 2008): the
// first keeps one of equal log lines (address, IP, cookie), the second counts the lines of each address. Grouping is by
// hashing. One thread a line: the lanes of a warp read 32 lines byte by byte.

#include <map>
#include <set>

#include "../common/text.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 256;

extern "C" __global__ void map_lines(const char* text, const u32* start, Key* whole, Key* address,
                                     u32 lines) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines) return;
    const u32 begin = start[i], end = start[i + 1] - 1;
    u32 hash = kHashStart, address_hash = 0, address_end = begin;
    for (u32 at = begin; at < end; ++at) {
        const char c = text[at];
        if (c == '\t' && address_end == begin) {
            address_end = at;
            address_hash = hash;
        }
        hash = hash_step(hash, c);
    }
    whole[i] = {begin, end - begin, hash};
    address[i] = {begin, address_end - begin, address_hash};
}

/// first[i] = 1 for one of the lines with equal text.
extern "C" __global__ void group_equal_lines(const char* text, const Key* whole, u32* slot, u32 mask,
                                             u8* first, u32 lines) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines) return;
    bool claimed = false;
    find_or_claim(slot, mask, text, whole, i, &claimed);
    first[i] = claimed ? 1 : 0;
}

extern "C" __global__ void count_addresses(const char* text, const Key* address, const u8* first, u32* slot,
                                           u32 mask, u32* count, u32 lines) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= lines || first[i] == 0) return;
    bool claimed = false;
    atomicAdd(&count[find_or_claim(slot, mask, text, address, i, &claimed)], 1u);
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("pvc", "page view count of a web log", argc, argv);
    const u32 lines = args.count("lines", "lines of the log", Sizes<u32>{4096, 40'960, 2'080'000});
    const u32 pages = args.count("pages", "pages visited", Sizes<u32>{1024, 16'384, 700'000});
    const u32 repeated =
        args.count("repeated", "percentage of lines that repeat another", Sizes<u32>{20, 20, 20}, 0u);
    args.done();

    Random random(args.seed());
    Lines log;
    for (u32 i = 0; i < lines; ++i) {
        if (i > 0 && random.below(100) < repeated) {
            log.add(log.line(random.below(i)));
            continue;
        }
        char cookie[16];
        std::snprintf(cookie, sizeof cookie, "%08x", static_cast<u32>(random.next() >> 32));
        log.add(page_url(skewed(pages, random)) + '\t' + ip_address(random) + '\t' + cookie);
    }

    const u32 slots = table_slots(lines);
    DeviceArray<char> text(log.bytes());
    DeviceArray<u32> start(log.start), line_slot(slots), address_slot(slots), count(slots);
    DeviceArray<Key> whole(lines), address(lines);
    DeviceArray<u8> first(lines);
    line_slot.clear(0xFF);
    address_slot.clear(0xFF);
    count.clear();
    const u32 ctas = blocks(lines, kThreads);
    map_lines<<<ctas, kThreads>>>(text.data(), start.data(), whole.data(), address.data(), lines);
    must(cudaGetLastError());
    group_equal_lines<<<ctas, kThreads>>>(text.data(), whole.data(), line_slot.data(), slots - 1,
                                          first.data(), lines);
    must(cudaGetLastError());
    count_addresses<<<ctas, kThreads>>>(text.data(), address.data(), first.data(), address_slot.data(),
                                        slots - 1, count.data(), lines);
    must(cudaGetLastError());

    std::map<std::string, u32> expected, got;
    std::set<std::string> seen;
    for (u32 i = 0; i < lines; ++i) {
        const std::string line = log.line(i);
        if (seen.insert(line).second) ++expected[line.substr(0, line.find('\t'))];
    }
    const std::vector<u32> owner = address_slot.host(), counts = count.host();
    const std::vector<Key> keys = address.host();
    Verdict verdict("pvc");
    for (u32 s = 0; s < slots; ++s) {
        if (owner[s] == kFreeSlot) continue;
        const Key& key = keys[owner[s]];
        const bool fresh = got.emplace(log.text.substr(key.offset, key.length), counts[s]).second;
        verdict.holds("each address has one slot", fresh);
    }
    std::printf("pvc: %u lines, %zu different, %zu addresses\n", lines, seen.size(), expected.size());
    verdict.equal("number of addresses", got.size(), expected.size());
    for (const auto& page : expected) verdict.equal("count of " + page.first, got[page.first], page.second);
    return verdict.exit_code();
}
