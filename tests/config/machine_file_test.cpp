#include "config/machine_file.h"

#include <gtest/gtest.h>

#include "config/toy_machine.h"

namespace toy {
namespace {

using config::load;
using config::parse;

Machine machine(std::string_view yaml) {
    return parse(Machine::schema(), yaml, "m.yaml");
}

constexpr std::string_view kSmall = R"(# a comment
seed: 7
gpus:
  g0:
    clock: 1.4GHz
    l1: {size: 32KiB, write: back, mshrs: ~}
memories:
  gddr5:
    picker: capped
    capped:
      cap: 9
    trcd: 18 cycles
    bits: [10, 11, 12]
)";

TEST(MachineFile, GivenKeysAreSetAndOthersTakeTheirDefaults) {
    const Machine m = machine(kSmall);
    EXPECT_EQ(m.seed, 7U);
    EXPECT_EQ(m.note, "none");
    const Gpu& g = m.gpus.at("g0");
    EXPECT_EQ(g.sms, 15U);
    EXPECT_EQ(g.clock, 1'400'000'000U);
    EXPECT_EQ(g.l1.size, 32U * 1024);
    EXPECT_EQ(g.l1.latency, Cycle(35));
    EXPECT_EQ(g.l1.write, Write::back);
    EXPECT_FALSE(g.l1.mshrs.has_value());
    EXPECT_FALSE(g.tlb.has_value());
    const Memory& d = m.memories.at("gddr5");
    EXPECT_EQ(d.bandwidth, 48'000'000'000U);
    EXPECT_EQ(d.trcd, (config::Duration{18, true}));
    EXPECT_EQ(d.refresh, 3'900'000'000U);
    EXPECT_EQ(d.bits, (std::vector<u32>{10, 11, 12}));
    EXPECT_EQ(d.picker.name(), "capped");
    EXPECT_EQ(d.rows.name(), "open");
}

TEST(MachineFile, AnOptionalKeyWithADefaultHasThatDefault) {
    EXPECT_EQ(machine("gpus: {g: {clock: 1GHz}}").gpus.at("g").l1.mshrs, 32U);
}

TEST(MachineFile, AnEmptySectionIsThereWithItsDefaults) {
    const Machine m = machine("gpus:\n  g: {clock: 1GHz, l1: }\nmemories:\n  ddr4:\n");
    EXPECT_EQ(m.memories.at("ddr4").channels, 6U);
}

TEST(MachineFile, AReferenceNamesAnInstance) {
    const Machine m = machine(
        "gpus: {g: {clock: 1GHz, tlb: {memory: b}}}\nmemories: {b: , a: }\nlinks: {l: {from: g, to: [a, "
        "b]}}\n");
    EXPECT_EQ(m.gpus.at("g").tlb->memory, "b");
    EXPECT_EQ(m.links.at("l").to, (std::vector<std::string>{"a", "b"}));
}

TEST(MachineFile, AChosenPolicyIsMadeWithItsParametersAndTheMakersArguments) {
    const Machine m = machine(kSmall);
    EXPECT_EQ(pickers().make(m.memories.at("gddr5").picker, u64{100})->pick(1, 2), 109U);
    EXPECT_EQ(pickers().make(pickers().choose("first"), u64{0})->pick(1, 2), 1U);
    EXPECT_EQ(pickers().make(pickers().choose("capped", "cap: 3"), u64{0})->pick(1, 2), 3U);
}

TEST(MachineFile, PoliciesOfOneNameAtTwoPointsShareTheirSection) {
    const Machine m =
        machine("memories: {d: {picker: paper, rows: paper, paper: {epoch: 5, eager: true, tokens: 10%}}}");
    const Memory& d = m.memories.at("d");
    EXPECT_EQ(d.picker.settings<PaperPickerSettings>("paper")->epoch, 5U);
    EXPECT_EQ(d.picker.settings<PaperPickerSettings>("paper")->tokens, 100'000U);
    EXPECT_EQ(d.rows.settings<PaperRowerSettings>("paper")->epoch, 5U);
    EXPECT_TRUE(d.rows.settings<PaperRowerSettings>("paper")->eager);
}

TEST(MachineFile, ParametersOfAPolicyThatIsNotChosenAreReadToo) {
    const Machine m = machine("memories: {d: {picker: first, capped: {cap: 2}}}");
    EXPECT_EQ(m.memories.at("d").picker.settings<CappedSettings>("capped")->cap, 2U);
    EXPECT_EQ(m.memories.at("d").picker.settings<PaperPickerSettings>("paper"), nullptr);
}

TEST(MachineFile, PoliciesAreListedByName) {
    std::string names;
    for (const auto& [name, entry] : pickers().entries()) names += std::string(name) + " ";
    EXPECT_EQ(names.substr(0, names.find("paper") + 5), "capped first paper");
}

TEST(MachineFile, TheDescriptionIsCompleteCanonicalAndInDeclaredOrder) {
    EXPECT_EQ(yaml_of(machine(kSmall)), R"(note: none
seed: 7
gpus:
  g0:
    sms: 15
    clock: 1.4GHz
    l1:
      size: 32KiB
      ways: 4
      latency: 35 cycles
      write: back
      mshrs: ~
memories:
  gddr5:
    channels: 6
    bandwidth: 48GB/s
    trcd: 18 cycles
    refresh: 3.9us
    picker: capped
    capped:
      cap: 9
    rows: open
    bits: [10, 11, 12]
links: {}
)");
}

TEST(MachineFile, TheDescriptionAsJsonKeepsOrderAndShowsCountsAsNumbers) {
    const Machine m = machine("note: 'say \"hi\"'\nmemories: {d: {rows: paper}}");
    EXPECT_EQ(config::to_json(config::describe(Machine::schema(), m), 0),
              R"({"note":"say \"hi\"","seed":1,"gpus":{},"memories":{"d":{"channels":6,"bandwidth":"48GB/s",)"
              R"("trcd":"12ns","refresh":"3.9us","picker":"first","rows":"paper",)"
              R"("paper":{"epoch":1000,"eager":false},"bits":[8, 9]}},"links":{}})");
}

// extends
// ---------------------------------------------------------------------------------------------------------

TEST(Extends, SectionsMergeAndValuesReplace) {
    Files files;
    files.write("base.yaml", kSmall.data());
    files.write("child.yaml",
                "extends: base\nseed: 8\ngpus:\n  g0:\n    sms: 30\nmemories:\n  gddr5: {bits: [1]}\n");
    const Machine m =
        load(Machine::schema(), {.machine = "child", .sets = {}, .directories = {files.directory}});
    EXPECT_EQ(m.seed, 8U);
    EXPECT_EQ(m.gpus.at("g0").sms, 30U);
    EXPECT_EQ(m.gpus.at("g0").clock, 1'400'000'000U);
    EXPECT_EQ(m.memories.at("gddr5").bits, std::vector<u32>{1});
    EXPECT_EQ(m.memories.at("gddr5").picker.name(), "capped");
}

TEST(Extends, ATildeDropsWhatIsInheritedAndAnEmptyValueKeepsIt) {
    Files files;
    files.write(
        "base.yaml",
        "gpus: {g: {clock: 1GHz, l1: {ways: 8}, tlb: {memory: a}}}\nmemories: {a: {channels: 2}, b: }\n");
    const auto child = files.write(
        "child.yaml", "extends: base.yaml\ngpus:\n  g:\n    tlb: ~\n    l1:\nmemories:\n  b: null\n  a:\n");
    const Machine m = load(Machine::schema(), {.machine = child, .sets = {}});
    EXPECT_FALSE(m.gpus.at("g").tlb.has_value());
    EXPECT_EQ(m.gpus.at("g").l1.ways, 8U);
    EXPECT_EQ(m.memories.size(), 1U);
    EXPECT_EQ(m.memories.at("a").channels, 2U);
}

TEST(Extends, ShippedMachinesAreListedByName) {
    Files files;
    files.write("zebra.yaml", "");
    files.write("ant.yaml", "");
    files.write("notes.txt", "");
    std::string names;
    for (const auto& m : config::shipped_machines({files.directory})) names += m.name + " ";
    EXPECT_EQ(names, "ant zebra ");
}

// --set
// -----------------------------------------------------------------------------------------------------------

constexpr std::string_view kTwo =
    "gpus: {g0: {clock: 1GHz}}\n"
    "memories: {ddr4: {picker: first}, gddr5: {picker: first}}\n";

Machine with(std::vector<std::string> sets, std::string_view yaml = kTwo) {
    Files files;
    const auto path = files.write("m.yaml", std::string(yaml));
    return load(Machine::schema(), {.machine = path, .sets = std::move(sets)});
}

TEST(Set, AnyUnambiguousEndOfAPathWorksAndTheLastWins) {
    EXPECT_EQ(with({"gpus.g0.l1.size=32KiB"}).gpus.at("g0").l1.size, 32U * 1024);
    EXPECT_EQ(with({"l1.size=32KiB"}).gpus.at("g0").l1.size, 32U * 1024);
    EXPECT_EQ(with({"size=32KiB", "gpus.g0.l1.size=64KiB"}).gpus.at("g0").l1.size, 64U * 1024);
    EXPECT_EQ(with({"gpu.l1.size=32KiB"}).gpus.at("g0").l1.size, 32U * 1024);
    EXPECT_EQ(with({"gddr5.channels=3"}).memories.at("gddr5").channels, 3U);
    EXPECT_EQ(with({"gddr5.channels=3"}).memories.at("ddr4").channels, 6U);
    EXPECT_EQ(with({"seed=3"}).seed, 3U);
}

TEST(Set, AnAliasMeansTheKeyOfEveryInstance) {
    const Machine m = with({"dram.picker=capped", "dram.capped.cap=7", "ddr4.capped.cap=8"});
    EXPECT_EQ(m.memories.at("gddr5").picker.settings<CappedSettings>("capped")->cap, 7U);
    EXPECT_EQ(m.memories.at("ddr4").picker.settings<CappedSettings>("capped")->cap, 8U);
}

TEST(Set, ListsAndAbsenceCanBeGiven) {
    const Machine m = with({"gddr5.bits=[1, 2,3]", "mshrs=~", "memories.ddr4=~"});
    EXPECT_EQ(m.memories.at("gddr5").bits, (std::vector<u32>{1, 2, 3}));
    EXPECT_FALSE(m.gpus.at("g0").l1.mshrs.has_value());
    EXPECT_FALSE(m.memories.contains("ddr4"));
}

TEST(Set, AKeyOfAnAbsentSectionBringsTheSection) {
    EXPECT_EQ(with({"tlb.memory=ddr4"}).gpus.at("g0").tlb->entries, 64U);
}

TEST(Set, ASharedParameterOfTwoPointsIsOneKey) {
    const Machine m = with({"ddr4.rows=paper", "ddr4.picker=paper", "ddr4.paper.epoch=9"});
    EXPECT_EQ(m.memories.at("ddr4").picker.settings<PaperPickerSettings>("paper")->epoch, 9U);
    EXPECT_EQ(m.memories.at("ddr4").rows.settings<PaperRowerSettings>("paper")->epoch, 9U);
}

}  // namespace
}  // namespace toy
