#include "config/manual.h"

#include <gtest/gtest.h>

#include "config/toy_machine.h"

namespace toy {
namespace {

using config::edit_distance;
using config::explain;
using config::suggestion;

TEST(Words, DistanceCountsEditsAndASwapAsOne) {
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
    EXPECT_EQ(edit_distance("size", "szie"), 1U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("same", "same"), 0U);
}

TEST(Words, ANearWordIsSuggestedElseAllArePossible) {
    EXPECT_EQ(suggestion("latncy", {"size", "latency"}), ", did you mean 'latency'?");
    EXPECT_EQ(suggestion("banana", {"size", "latency"}), "; possible: size, latency");
    EXPECT_EQ(suggestion("", {"a", "latency"}), "; possible: a, latency");
    EXPECT_EQ(suggestion("x", {"y", "latency"}), "; possible: y, latency");
    EXPECT_EQ(suggestion("x", {}), "");
}

TEST(Explain, AKeyWithMeaningValuesDefaultRangeAndSource) {
    EXPECT_EQ(explain(Machine::schema(), "l1.size"),
              "gpus.NAME.l1.size  (for all: gpu.l1.size)\n"
              "  capacity\n"
              "  value    bytes (B, KiB, MiB, GiB, TiB)\n"
              "  default  16KiB\n"
              "  range    1KiB to 1MiB\n"
              "  source   a data sheet\n");
    EXPECT_EQ(explain(Machine::schema(), "latency"),
              "gpus.NAME.l1.latency  (for all: gpu.l1.latency)\n"
              "  hit latency\n"
              "  value    cycles of the core clock\n"
              "  default  35\n");
}

TEST(Explain, AChoiceListsItsPoliciesByName) {
    const std::string text =
        "memories.NAME.picker  (for all: dram.picker)\n"
        "  what is served next\n"
        "  value    the name of a toy picker\n"
        "             capped  the first one, but not for ever [folklore]\n"
        "             first   the first one [folklore]\n"
        "             paper   tokens and epochs [toy paper, section 3]\n"
        "  default  first\n";
    EXPECT_EQ(explain(Machine::schema(), "dram.picker"), text);
    EXPECT_EQ(explain(Machine::schema(), "picker"), text);
    EXPECT_EQ(explain(Machine::schema(), "memories.gddr5.picker"), text);
}

TEST(Explain, APolicyWithItsParameters) {
    EXPECT_EQ(explain(Machine::schema(), "capped"),
              "capped: a toy picker, selected with dram.picker=capped\n"
              "  the first one, but not for ever\n"
              "  source   folklore\n"
              "  parameters (dram.capped.KEY)\n"
              "    cap  most in a row (default: 4)\n"
              "    age  age limit (default: not given)\n");
}

TEST(Explain, ASectionListsItsKeys) {
    EXPECT_EQ(explain(Machine::schema(), "tlb"),
              "gpus.NAME.tlb  (for all: gpu.tlb)\n"
              "  translation buffer\n"
              "  default  absent\n"
              "    entries  entries (default: 64)\n"
              "    memory   where walks go (default: none; it must be given)\n");
}

TEST(Explain, AMapIsFoundByWhatItsInstancesAreCalledTogether) {
    EXPECT_EQ(explain(Machine::schema(), "dram"), explain(Machine::schema(), "memories"));
    EXPECT_EQ(explain(Machine::schema(), "gpu"), explain(Machine::schema(), "gpus"));
}

TEST(Explain, AnUnknownWordGetsTheNearestPlace) {
    try {
        explain(Machine::schema(), "dram.pikcer");
        FAIL();
    } catch (const InputError& e) {
        EXPECT_STREQ(e.what(), "there is no key or policy 'dram.pikcer', did you mean 'dram.picker'?");
    }
}

TEST(ReferenceManual, HasEveryKeyAndPolicyWithDefaultAndRange) {
    const std::string text = config::reference_manual(Machine::schema(), "Keys");
    EXPECT_EQ(text.find("# Keys\n\nA toy machine.\n"), 0U);
    EXPECT_NE(text.find("| `size` | bytes (B, KiB, MiB, GiB, TiB) | `16KiB` | 1KiB to 1MiB | capacity | a "
                        "data sheet |\n"),
              std::string::npos);
    EXPECT_NE(text.find("| `paper` | tokens and epochs | toy paper, section 3 |\n"), std::string::npos);
    EXPECT_NE(text.find("`write` | one of back, through | `through` |  | what a write hit does; `back`: "
                        "dirty lines stay;"),
              std::string::npos);
    for (const auto& place : config::all_places(Machine::schema()))
        if (!place.key->schema) {
            const std::string name(place.entry ? place.policy : place.key->name);
            EXPECT_NE(text.find("| `" + name + "` |"), std::string::npos) << place.path;
        }
}

}  // namespace
}  // namespace toy
