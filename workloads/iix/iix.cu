// iix: inverted index of the links in a set of web pages: for each address the places that link to it, as MapReduce
// (Mars, PACT 2008). One thread a piece of the text: a first pass counts the links that begin in it, sums tell where
// the second puts its records (hash, address, place); grouping is by hashing, each address with a list of places.

#include <map>

#include "../common/text.h"

using namespace workloads;

namespace {

constexpr u32 kThreads = 128;
constexpr u32 kMark = 9;  // letters of <a href="

/// Calls found(begin of the address) for each link that begins in [begin, end).
template <class Found>
__device__ void scan(const char* text, u32 begin, u32 end, u32 size, const Found& found) {
    const char mark[kMark + 1] = "<a href=\"";
    for (u32 at = begin; at < end; ++at) {
        if (text[at] != '<') continue;
        u32 same = 1;
        while (same < kMark && at + same < size && text[at + same] == mark[same]) ++same;
        if (same == kMark) found(at + kMark);
    }
}

extern "C" __global__ void count_links(const char* text, u32 size, u32 piece, u32 pieces, u32* count) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pieces) return;
    u32 links = 0;
    scan(text, i * piece, min((i + 1) * piece, size), size, [&](u32) { ++links; });
    count[i] = links;
}

extern "C" __global__ void map_links(const char* text, u32 size, u32 piece, u32 pieces, const u32* first,
                                     Key* link) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pieces) return;
    u32 at = first[i];
    scan(text, i * piece, min((i + 1) * piece, size), size, [&](u32 begin) {
        u32 end = begin, hash = kHashStart;
        for (; end < size && text[end] != '"'; ++end) hash = hash_step(hash, text[end]);
        link[at++] = {begin, end - begin, hash};
    });
}

/// head[slot] is the last link of an address, next[link] the one before.
extern "C" __global__ void group(const char* text, const Key* link, u32* slot, u32 mask, u32* head, u32* next,
                                 u32 links) {
    const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= links) return;
    bool claimed = false;
    next[i] = atomicExch(&head[find_or_claim(slot, mask, text, link, i, &claimed)], i);
}

/// Pages of words and links; one link in about `words` words.
std::string web_pages(u32 bytes, u32 pages, u32 words, Random& random) {
    std::string text;
    while (text.size() < bytes) {
        if (random.below(words) == 0) {
            text += "<a href=\"" + page_url(skewed(pages, random)) + "\">here</a> ";
            continue;
        }
        if (random.below(100) == 0) text += "<p> ";
        for (u32 n = 2 + random.below(8); n > 0; --n) text += static_cast<char>('a' + random.below(26));
        text += ' ';
    }
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    Arguments args("iix", "inverted index of links", argc, argv);
    const u32 bytes = args.count("text", "bytes of text", Sizes<u32>{131'072, 3'145'728, 268'435'456});
    const u32 pages = args.count("pages", "pages that are linked to", Sizes<u32>{512, 8192, 500'000});
    const u32 piece = args.count("piece", "bytes of text per thread", Sizes<u32>{128, 256, 256});
    const u32 words = args.count("words", "words of text between two links", Sizes<u32>{60, 140, 140});
    args.done();

    Random random(args.seed());
    const std::string pages_text = web_pages(bytes, pages, words, random);
    const u32 size = static_cast<u32>(pages_text.size());
    const u32 pieces = (size + piece - 1) / piece;
    DeviceArray<char> text(std::vector<char>(pages_text.begin(), pages_text.end()));
    DeviceArray<u32> count(pieces), first(pieces);
    count_links<<<blocks(pieces, kThreads), kThreads>>>(text.data(), size, piece, pieces, count.data());
    must(cudaGetLastError());
    std::vector<u32> begin;
    u32 links = 0;
    for (const u32 c : count.host()) {
        begin.push_back(links);
        links += c;
    }
    first.set(begin);
    const u32 slots = table_slots(links);
    DeviceArray<Key> link(links);
    DeviceArray<u32> slot(slots), head(slots), next(links);
    slot.clear(0xFF);
    head.clear(0xFF);
    map_links<<<blocks(pieces, kThreads), kThreads>>>(text.data(), size, piece, pieces, first.data(),
                                                      link.data());
    must(cudaGetLastError());
    if (links > 0)
        group<<<blocks(links, kThreads), kThreads>>>(text.data(), link.data(), slot.data(), slots - 1,
                                                     head.data(), next.data(), links);
    must(cudaGetLastError());

    std::map<std::string, std::vector<u32>> expected, got;
    u32 expected_links = 0;
    for (std::size_t at = pages_text.find("<a href=\""); at != std::string::npos;
         at = pages_text.find("<a href=\"", at + 1), ++expected_links) {
        const std::size_t from = at + kMark;
        const std::size_t to = std::min<std::size_t>(pages_text.find('"', from), size);
        expected[pages_text.substr(from, to - from)].push_back(static_cast<u32>(from));
    }
    Verdict verdict("iix");
    verdict.equal("number of links", links, expected_links);
    const std::vector<u32> owner = slot.host(), heads = head.host(), nexts = next.host();
    const std::vector<Key> all = link.host();
    for (u32 s = 0; s < slots; ++s) {
        if (owner[s] == kFreeSlot) continue;
        const Key& key = all[owner[s]];
        std::vector<u32>& places = got[pages_text.substr(key.offset, key.length)];
        verdict.holds("each address has one slot", places.empty());
        for (u32 l = heads[s]; l != kFreeSlot && places.size() <= links; l = nexts[l])
            places.push_back(all[l].offset);
        std::sort(places.begin(), places.end());
    }
    verdict.equal("number of addresses", got.size(), expected.size());
    for (const auto& page : expected)
        verdict.equal("places that link to " + page.first, got[page.first], page.second);
    std::printf("iix: %u bytes, %u links, %zu addresses\n", size, links, expected.size());
    return verdict.exit_code();
}
