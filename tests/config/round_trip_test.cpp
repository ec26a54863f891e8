// What is written out reads back as the same machine, for random machines; and garbage is refused, never
// worse.

#include <gtest/gtest.h>
#include <random>

#include "config/toy_machine.h"

namespace toy {
namespace {

class RandomMachine {
  public:
    explicit RandomMachine(u64 seed) : random_(seed) {}

    Machine machine() {
        Machine m;
        m.note = text();
        m.seed = random_();
        for (u64 i = 0, n = below(3); i < n; ++i) m.memories[name()] = memory();
        for (u64 i = 0, n = below(3); i < n; ++i) m.gpus[name()] = gpu(m);
        for (u64 i = 0, n = m.gpus.empty() ? 0 : below(3); i < n; ++i) {
            Link l;
            l.from = any(m.gpus);
            for (u64 k = 0, ends = m.memories.empty() ? 0 : below(3); k < ends; ++k)
                l.to.push_back(any(m.memories));
            l.skew = static_cast<i64>(below(17)) - 8;
            m.links[name()] = l;
        }
        return m;
    }

  private:
    u64 below(u64 n) { return random_() % n; }
    u64 wide() { return random_() >> below(64); }
    u32 small(u64 most) { return static_cast<u32>(1 + below(most)); }
    std::string name() {
        static constexpr std::string_view kLetters = "abcXYZ019_-";
        std::string s;
        for (u64 i = 0, n = 1 + below(6); i < n; ++i) s += kLetters[below(kLetters.size())];
        return s;
    }
    std::string text() {
        static constexpr std::string_view kLetters = "ab 1~:#-'\"\\[]{},&*!|>%@`\t\n.?=\xC3\xA9\x01";
        std::string s;
        for (u64 i = 0, n = 1 + below(12); i < n; ++i) s += kLetters[below(kLetters.size() - 3)];
        return below(4) ? s : s + "\xC3\xA9";
    }
    template <class Map>
    std::string any(const Map& map) {
        return std::next(map.begin(), static_cast<std::ptrdiff_t>(below(map.size())))->first;
    }
    Gpu gpu(const Machine& m) {
        Gpu g;
        g.sms = small(1024);
        g.clock = wide();
        g.l1.size = 1024 + below(1 << 20) / 2 * 2 % (1023 * 1024);
        g.l1.ways = 1U << below(4);
        g.l1.latency = Cycle(wide());
        g.l1.write = below(2) ? Write::back : Write::through;
        if (below(2)) g.l1.mshrs = static_cast<u32>(wide());
        if (!m.memories.empty() && below(2)) g.tlb = Tlb{small(99), any(m.memories)};
        return g;
    }
    Memory memory() {
        Memory d;
        d.channels = small(64);
        d.bandwidth = wide();
        d.trcd = {wide(), below(2) == 0};
        d.refresh = wide();
        static constexpr std::string_view kPickers[] = {"first", "capped", "paper"};
        d.picker = pickers().choose(kPickers[below(3)]);
        if (d.picker.name() == "capped" && below(2))
            d.picker = pickers().choose("capped", "{cap: 3, age: 77}");
        const std::string epoch = "epoch: " + std::to_string(d.picker.name() == "paper" ? 1000 : wide());
        d.rows = below(2) ? rowers().choose("open") : rowers().choose("paper", epoch);
        for (u64 i = 0, n = below(5); i < n; ++i) d.bits.push_back(static_cast<u32>(below(64)));
        return d;
    }

    std::mt19937_64 random_;
};

TEST(RoundTrip, ARandomMachineSurvivesYamlAndJson) {
    for (u64 seed = 0; seed < 500; ++seed) {
        const Machine m = RandomMachine(seed).machine();
        const std::string yaml = yaml_of(m);
        const std::string json = config::to_json(config::describe(Machine::schema(), m));
        const Machine from_yaml = config::parse(Machine::schema(), yaml, "yaml");
        ASSERT_EQ(yaml_of(from_yaml), yaml) << "seed " << seed;
        ASSERT_EQ(from_yaml.note, m.note) << "seed " << seed;
        ASSERT_EQ(from_yaml.links.size(), m.links.size());
        for (const auto& [name, d] : m.memories) {
            const Memory& back = from_yaml.memories.at(name);
            ASSERT_TRUE(back.trcd == d.trcd && back.bits == d.bits && back.bandwidth == d.bandwidth) << yaml;
        }
        for (const auto& [name, g] : m.gpus) {
            const Gpu& back = from_yaml.gpus.at(name);
            ASSERT_TRUE(back.l1.mshrs == g.l1.mshrs && back.l1.latency == g.l1.latency &&
                        back.clock == g.clock)
                << yaml;
            ASSERT_EQ(back.tlb.has_value(), g.tlb.has_value());
        }
        // JSON is YAML.
        ASSERT_EQ(yaml_of(config::parse(Machine::schema(), json, "json")), yaml) << "seed " << seed;
    }
}

TEST(RoundTrip, DamagedFilesAreRefusedWithAPlaceOrRead) {
    std::mt19937_64 random(3);
    const std::string whole = yaml_of(RandomMachine(5).machine()) + "# end\n";
    static constexpr std::string_view kBytes = "{}[]:,-#'\"\\&*!|>%@`~?\n\t a1\x01\xFF";
    for (int i = 0; i < 3000; ++i) {
        std::string text = whole;
        for (u64 k = 0, n = 1 + random() % 4; k < n; ++k) {
            const auto at = random() % text.size();
            if (random() % 3 == 0) {
                text.erase(at, 1 + random() % 20);
                if (text.empty()) text = "x";
            } else {
                text[at] = kBytes[random() % kBytes.size()];
            }
        }
        try {
            config::parse(Machine::schema(), text, "damaged");
        } catch (const InputError& e) {
            ASSERT_TRUE(std::string_view(e.what()).starts_with("damaged:")) << e.what() << "\n" << text;
        }
    }
}

}  // namespace
}  // namespace toy
