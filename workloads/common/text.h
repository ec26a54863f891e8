#pragma once
// Text inputs of the MapReduce workloads (pvc, pvr, iix) and what their kernels share: hashes, comparison, and an open
// hash table in device memory whose keys are pieces of the text.

#include "workload.h"

namespace workloads {

/// Lines one after the other, each ending in '\n'; start[i] is where line i begins, start.back() the end.
struct Lines {
    std::string text;
    std::vector<u32> start{0};

    /// Without its '\n'.
    std::string line(u32 i) const { return text.substr(start[i], start[i + 1] - start[i] - 1); }
    void add(const std::string& line) {
        if (text.size() + line.size() >= 0xFFFF'0000u) reject("the text is larger than 4 GiB");
        text += line;
        text += '\n';
        start.push_back(static_cast<u32>(text.size()));
    }
    std::vector<char> bytes() const { return {text.begin(), text.end()}; }
};

/// Few of n things are met often, most rarely.
inline u32 skewed(u32 n, Random& random) {
    const float u = random.unit();
    return std::min(n - 1, static_cast<u32>(static_cast<float>(n) * u * u * u));
}

/// The address of page i. The same i gives the same text.
inline std::string page_url(u32 i) {
    Random random(i + 1);
    static const char* const kTops[] = {"com", "org", "net", "edu"};
    std::string url = "http://www.";
    const auto letters = [&](u32 n) {
        for (u32 k = 0; k < n; ++k) url += static_cast<char>('a' + random.below(26));
    };
    letters(4 + random.below(9));
    url += std::string(".") + kTops[random.below(4)] + "/";
    letters(3 + random.below(14));
    return url + "/" + std::to_string(i) + ".html";
}

inline std::string ip_address(Random& random) {
    std::string ip;
    for (int i = 0; i < 4; ++i) ip += (i == 0 ? "" : ".") + std::to_string(random.below(256));
    return ip;
}

/// FNV-1a, one step.
__host__ __device__ inline u32 hash_step(u32 hash, char c) {
    return (hash ^ static_cast<u8>(c)) * 16'777'619u;
}
constexpr u32 kHashStart = 2'166'136'261u;

/// Slots of an open hash table for n keys: a power of two of at least 2 n.
inline u32 table_slots(u32 n) {
    u32 slots = 64;
    while (slots < 2 * n) slots *= 2;
    return slots;
}

/// An intermediate key: a piece of the text.
struct Key {
    u32 offset, length, hash;
};

constexpr u32 kFreeSlot = ~u32{0};

__device__ inline bool same_text(const char* a, const char* b, u32 length) {
    for (u32 i = 0; i < length; ++i)
        if (a[i] != b[i]) return false;
    return true;
}

/// The slot of record `mine`'s key: claimed for it if it is new. A slot holds the number of the record that claimed it;
/// Record has offset, length and hash of the key. *claimed tells whether this call claimed it.
template <class Record>
__device__ u32 find_or_claim(u32* slot, u32 mask, const char* text, const Record* record, u32 mine,
                             bool* claimed) {
    const Record key = record[mine];
    *claimed = false;
    for (u32 s = key.hash & mask;; s = (s + 1) & mask) {
        u32 owner = slot[s];
        if (owner == kFreeSlot) {
            owner = atomicCAS(&slot[s], kFreeSlot, mine);
            if (owner == kFreeSlot) {
                *claimed = true;
                return s;
            }
        }
        const Record other = record[owner];
        if (other.hash == key.hash && other.length == key.length &&
            same_text(text + other.offset, text + key.offset, key.length))
            return s;
    }
}

}  // namespace workloads
