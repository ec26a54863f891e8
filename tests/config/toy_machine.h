#pragma once
// A small machine with every kind of key, for the tests of the configuration.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/machine_file.h"
#include "config/manual.h"
#include "config/schema.h"

namespace toy {

using namespace heddle;
using config::Choice;
using config::Schema;
using config::Unit;

struct Picker {
    virtual ~Picker() = default;
    virtual u64 pick(u64 a, u64 b) const = 0;
};
using PickerPoint = config::PolicyPoint<Picker, const u64&>;
inline PickerPoint& pickers() {
    static PickerPoint point("toy picker");
    return point;
}

/// A point and its section that only plugins fill, so that loading one changes no other test.
inline PickerPoint& late_pickers() {
    static PickerPoint point("late picker");
    return point;
}
struct Late {
    Choice picker;
    static const Schema<Late>& schema() {
        static const auto s = Schema<Late>("late", "a choice among late pickers")
                                  .choice("picker", &Late::picker, late_pickers(), {.about = "who is asked"});
        return s;
    }
};

struct Rower {
    virtual ~Rower() = default;
};
using RowerPoint = config::PolicyPoint<Rower>;
inline RowerPoint& rowers() {
    static RowerPoint point("toy row policy");
    return point;
}

struct First final : Picker {
    explicit First(const u64&) {}
    u64 pick(u64 a, u64) const override { return a; }
};
struct CappedSettings {
    u32 cap = 0;
    std::optional<u64> age;
    static const Schema<CappedSettings>& schema() {
        static const auto s =
            Schema<CappedSettings>("capped", "toy parameters")
                .key("cap", &CappedSettings::cap, {.def = "4", .min = "1", .about = "most in a row"})
                .key("age", &CappedSettings::age,
                     {.unit = Unit::cycles, .clock = "dram", .about = "age limit"});
        return s;
    }
};
struct Capped final : Picker {
    using Settings = CappedSettings;
    Capped(const CappedSettings& s, const u64& base) : sum(s.cap + base) {}
    u64 pick(u64, u64) const override { return sum; }
    u64 sum;
};
/// A paper's mechanism at two points: they share the section `paper`, and its key `epoch`.
struct PaperPickerSettings {
    u64 epoch = 0;
    u32 tokens = 0;
    static const Schema<PaperPickerSettings>& schema() {
        static const auto s =
            Schema<PaperPickerSettings>("paper", "toy parameters")
                .key("epoch", &PaperPickerSettings::epoch, {.def = "1000", .about = "epoch"})
                .key("tokens", &PaperPickerSettings::tokens,
                     {.unit = Unit::ratio, .def = "80%", .about = "tokens"});
        return s;
    }
};
struct PaperPicker final : Picker {
    using Settings = PaperPickerSettings;
    PaperPicker(const PaperPickerSettings& s, const u64&) : epoch(s.epoch) {}
    u64 pick(u64, u64) const override { return epoch; }
    u64 epoch;
};
struct PaperRowerSettings {
    u64 epoch = 0;
    bool eager = false;
    static const Schema<PaperRowerSettings>& schema() {
        static const auto s =
            Schema<PaperRowerSettings>("paper", "toy parameters")
                .key("epoch", &PaperRowerSettings::epoch, {.def = "1000", .about = "epoch"})
                .key("eager", &PaperRowerSettings::eager, {.def = "false", .about = "closes at once"});
        return s;
    }
};
struct PaperRower final : Rower {
    using Settings = PaperRowerSettings;
    explicit PaperRower(const PaperRowerSettings&) {}
};
struct OpenRower final : Rower {};

// Registered in an order that is not that of the names.
inline const bool registered[] = {
    pickers().add<PaperPicker>("paper", "tokens and epochs", "toy paper, section 3"),
    pickers().add<First>("first", "the first one", "folklore"),
    pickers().add<Capped>("capped", "the first one, but not for ever", "folklore"),
    rowers().add<OpenRower>("open", "rows stay open", "folklore"),
    rowers().add<PaperRower>("paper", "rows close by epoch", "toy paper, section 4")};

enum class Write : u8 { back, through };

struct L1 {
    u64 size = 0;
    u32 ways = 0;
    Cycle latency;
    Write write = Write::back;
    std::optional<u32> mshrs;
    static const Schema<L1>& schema() {
        static const auto s =
            Schema<L1>("l1", "first-level data cache")
                .key("size", &L1::size,
                     {.unit = Unit::bytes,
                      .def = "16KiB",
                      .min = "1KiB",
                      .max = "1MiB",
                      .about = "capacity",
                      .source = "a data sheet"})
                .key("ways", &L1::ways,
                     {.def = "4", .min = "1", .max = "64", .power_of_two = true, .about = "associativity"})
                .key("latency", &L1::latency,
                     {.unit = Unit::cycles, .clock = "core", .def = "35", .about = "hit latency"})
                .one_of("write", &L1::write,
                        {{"back", Write::back, "dirty lines stay"},
                         {"through", Write::through, "every write goes on"}},
                        {.def = "through", .about = "what a write hit does"})
                .key("mshrs", &L1::mshrs, {.def = "32", .about = "outstanding lines; ~: no limit"})
                .check("ways", [](const L1& l) {
                    return l.size < l.ways * 128 ? std::string("more ways than lines") : std::string();
                });
        return s;
    }
};

struct Tlb {
    u32 entries = 0;
    std::string memory;
    static const Schema<Tlb>& schema() {
        static const auto s =
            Schema<Tlb>("tlb", "translation buffer")
                .key("entries", &Tlb::entries, {.def = "64", .min = "1", .about = "entries"})
                .key("memory", &Tlb::memory, {.about = "where walks go", .refers_to = "memories"});
        return s;
    }
};

struct Gpu {
    u32 sms = 0;
    u64 clock = 0;
    L1 l1;
    std::optional<Tlb> tlb;
    static const Schema<Gpu>& schema() {
        static const auto s =
            Schema<Gpu>("gpu", "one GPU")
                .key("sms", &Gpu::sms, {.def = "15", .min = "1", .max = "1024", .about = "number of SMs"})
                .key("clock", &Gpu::clock, {.unit = Unit::hertz, .about = "core clock"})
                .section("l1", &Gpu::l1, L1::schema())
                .section("tlb", &Gpu::tlb, Tlb::schema());
        return s;
    }
};

struct Memory {
    u32 channels = 0;
    u64 bandwidth = 0;
    config::Duration trcd;
    u64 refresh = 0;
    Choice picker, rows;
    std::vector<u32> bits;
    static const Schema<Memory>& schema() {
        static const auto s =
            Schema<Memory>("memory", "one kind of DRAM and its channels")
                .key("channels", &Memory::channels, {.def = "6", .min = "1", .about = "channels"})
                .key("bandwidth", &Memory::bandwidth,
                     {.unit = Unit::bandwidth, .def = "48GB/s", .about = "of one channel"})
                .key("trcd", &Memory::trcd,
                     {.unit = Unit::cycles_or_time,
                      .clock = "dram",
                      .def = "12ns",
                      .about = "activate to read"})
                .key("refresh", &Memory::refresh,
                     {.unit = Unit::time, .def = "3.9us", .about = "refresh interval"})
                .choice("picker", &Memory::picker, pickers(),
                        {.def = "first", .about = "what is served next"})
                .choice("rows", &Memory::rows, rowers(), {.def = "open", .about = "when rows close"})
                .key("bits", &Memory::bits,
                     {.def = "[8, 9]", .max = "63", .about = "address bits of the channel"});
        return s;
    }
};

struct Link {
    std::string from;
    std::vector<std::string> to;
    i64 skew = 0;
    static const Schema<Link>& schema() {
        static const auto s =
            Schema<Link>("link", "a link")
                .key("from", &Link::from, {.about = "its source", .refers_to = "gpus"})
                .key("to", &Link::to, {.about = "its ends", .refers_to = "memories"})
                .key("skew", &Link::skew, {.def = "0", .min = "-8", .max = "8", .about = "cycles of skew"});
        return s;
    }
};

struct Machine {
    std::string note;
    u64 seed = 0;
    std::map<std::string, Gpu> gpus;
    std::map<std::string, Memory> memories;
    std::map<std::string, Link> links;
    static const Schema<Machine>& schema() {
        static const auto s = Schema<Machine>("machine", "A toy machine")
                                  .key("note", &Machine::note, {.def = "none", .about = "free text"})
                                  .key("seed", &Machine::seed, {.def = "1", .about = "random seed"})
                                  .map("gpus", &Machine::gpus, Gpu::schema(), {.alias = "gpu"})
                                  .map("memories", &Machine::memories, Memory::schema(), {.alias = "dram"})
                                  .map("links", &Machine::links, Link::schema());
        return s;
    }
};

inline std::string yaml_of(const Machine& m) {
    return config::to_yaml(config::describe(Machine::schema(), m));
}

/// A directory of machine files that goes away with the test.
class Files {
  public:
    Files();
    ~Files();
    /// Writes NAME and returns its path.
    std::string write(const std::string& name, const std::string& text) const;
    std::string directory;
};

}  // namespace toy
