#include "dram/reference_sets.h"

#include "sim/error.h"

namespace heddle::dram {

namespace {

MemorySettings common() {
    MemorySettings s;
    s.line_bytes = 32;
    s.read_queue = s.write_queue = 32;
    s.release_at_activate = true;  // as Ramulator's active buffer
    s.write_high = 25;             // a drain starts at 26 of 32, 80 %
    s.write_low = 6;               // and ends at 20 %
    s.refresh = RefreshMode::all_bank;
    return s;
}

MemorySettings hbm2(u32 pseudo_channels) {
    MemorySettings s = common();
    s.standard = "hbm2";
    s.part = "hbm2_8gb";
    s.speed = "hbm2_2000";
    s.pseudo_channels = pseudo_channels;
    s.timing.RFC = config::Duration{260, true};
    s.map = {"byte:32", "group:4", "column:32", "bank:4", "row"};
    if (pseudo_channels == 2) s.map.insert(s.map.begin() + 1, "pseudo:2");
    return s;
}

MemorySettings gddr6() {
    MemorySettings s = common();
    s.standard = "gddr6";
    s.part = "gddr6_8gb_x16";
    s.speed = "gddr6_14000_1350mv";
    s.map = {"byte:32", "group:4", "column:64", "bank:4", "row"};
    return s;
}

struct Xorshift {
    u64 state;
    u64 operator()() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    }
};

}  // namespace

std::vector<ReferenceSet> reference_sets() {
    return {
        {"hbm2", hbm2(1), {{"stream_rd", 2'165'877}, {"random_rd", 4'382'925}, {"random_rw70", 4'956'281}}},
        {"hbm2-2pc",
         hbm2(2),
         {{"stream_rd", 1'087'900}, {"random_rd", 3'242'742}, {"random_rw70", 3'427'027}}},
        {"gddr6", gddr6(), {{"stream_rd", 2'178'299}, {"random_rd", 8'740'276}, {"random_rw70", 9'134'828}}}};
}

std::vector<StreamEntry> reference_stream(std::string_view name, u64 requests) {
    constexpr u64 kBytes = 32, kSpan = 256 << 20;
    std::vector<StreamEntry> stream(requests);
    if (name == "stream_rd") {
        for (u64 k = 0; k < requests; ++k) stream[k].address = k * kBytes % kSpan;
    } else if (name == "random_rd") {
        Xorshift next{0x9E3779B97F4A7C15};
        for (StreamEntry& e : stream) e.address = next() % (kSpan / kBytes) * kBytes;
    } else if (name == "random_rw70") {
        Xorshift next{0xD1B54A32D192ED03};
        for (StreamEntry& e : stream) {
            e.address = next() % (kSpan / kBytes) * kBytes;
            e.write = next() % 10 < 3;
        }
    } else {
        throw InputError("there is no reference stream '" + std::string(name) + "'");
    }
    return stream;
}

}  // namespace heddle::dram
