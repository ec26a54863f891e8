// Every way in which a machine description can be wrong, with the exact message: place and nearest right
// thing.

#include <gtest/gtest.h>

#include "config/toy_machine.h"

namespace toy {
namespace {

std::string error_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& e) {
        return e.what();
    }
    return "no error";
}

std::string file_error(std::string_view yaml) {
    return error_of([&] { config::parse(Machine::schema(), yaml, "m.yaml"); });
}

std::string set_error(std::vector<std::string> sets) {
    Files files;
    const auto path = files.write("m.yaml",
                                  "gpus: {g0: {clock: 1GHz}}\n"
                                  "memories: {ddr4: {picker: first}, gddr5: {picker: first}}\n");
    return error_of([&] { config::load(Machine::schema(), {.machine = path, .sets = std::move(sets)}); });
}

struct Case {
    std::string_view yaml, message;
};

TEST(MachineErrors, NameFileLineColumnAndTheNearestRightThing) {
    const Case cases[] = {
        {"sede: 3\n", "m.yaml:1:1: unknown key 'sede', did you mean 'seed'?"},
        {"memories:\n  d:\n    chanels: 6\n", "m.yaml:3:5: unknown key 'chanels', did you mean 'channels'?"},
        {"seed: 1\nmshrs: 3\n",
         "m.yaml:2:1: unknown key 'mshrs'; possible: note, seed, gpus, memories, links; there is "
         "gpus.NAME.l1.mshrs"},
        {"memories: {d: {first: {cap: 3}}}", "m.yaml:1:16: the toy picker 'first' has no parameters"},
        {"memories: {d: {capped: {cup: 3}}}", "m.yaml:1:25: unknown key 'cup', did you mean 'cap'?"},
        {"memories: {d: {capped: {cap: 0}}}", "m.yaml:1:30: cap: '0' is out of range; allowed: at least 1"},
        {"seed: 1\nseed: 2\n", "m.yaml:2:1: 'seed' is given twice; first on line 1"},
        {"memories: {d: {channels: 1, channels: 2}}",
         "m.yaml:1:29: 'channels' is given twice; first on line 1"},
        {"seed: many\n", "m.yaml:1:7: seed: 'many' is not a number; expected a count, such as 16"},
        {"seed: -1\n", "m.yaml:1:7: seed: '-1' is out of range; the minimum is 0"},
        {"seed: 18446744073709551616\n",
         "m.yaml:1:7: seed: '18446744073709551616' is out of range; the maximum is 18446744073709551615"},
        {"gpus: {g: {clock: 1.4}}",
         "m.yaml:1:19: clock: '1.4' has no unit; expected a frequency (Hz, kHz, MHz, GHz), such as 1.4GHz"},
        {"gpus: {g: {clock: 16KiB}}",
         "m.yaml:1:19: clock: '16KiB' is a size; expected a frequency (Hz, kHz, MHz, GHz), such as 1.4GHz"},
        {"gpus:\n  g: {clock: 1GHz, l1: {size: 2MiB}}",
         "m.yaml:2:31: size: '2MiB' is out of range; allowed: 1KiB to 1MiB"},
        {"gpus:\n  g: {clock: 1GHz, l1: {ways: 3}}", "m.yaml:2:31: ways: '3' is not a power of two"},
        {"gpus:\n  g: {clock: 1GHz, l1: {ways: 64, size: 4KiB}}", "m.yaml:2:31: ways: more ways than lines"},
        {"gpus:\n  g: {clock: 1GHz, l1: {write: throuhg}}",
         "m.yaml:2:32: write: 'throuhg' is not one of its values, did you mean 'through'?"},
        {"gpus:\n  g: {clock: 1GHz, l1: {write: never}}",
         "m.yaml:2:32: write: 'never' is not one of its values; possible: back, through"},
        {"gpus:\n  g:\n    sms: 3\n",
         "m.yaml:2:3: missing key 'clock' (a frequency (Hz, kHz, MHz, GHz)): core clock"},
        {"memories: {d: {picker: paqer}}",
         "m.yaml:1:24: picker: there is no toy picker 'paqer', did you mean 'paper'?"},
        {"memories: {d: {paper: {eager: yes}}}", "m.yaml:1:31: eager: 'yes' is neither true nor false"},
        {"memories: {gddr5: }\ngpus: {g: {clock: 1GHz, tlb: {memory: gdr5}}}",
         "m.yaml:2:39: memory: there is no 'gdr5' among the memories, did you mean 'gddr5'?"},
        {"memories: {gddr5: }\ngpus: {g: {clock: 1GHz}}\nlinks: {l: {from: g, to: [gddr5, hbm]}}",
         "m.yaml:3:34: to: there is no 'hbm' among the memories; possible: gddr5"},
        {"seed: [1, 2]\n", "m.yaml:1:7: seed: expected a count, not a list"},
        {"seed: {a: 1}\n", "m.yaml:1:7: seed: expected a count, not a section"},
        {"seed:\n", "m.yaml:1:1: seed: expected a count, not an empty value"},
        {"seed: ~\n", "m.yaml:1:7: seed: expected a count, not '~' (only optional keys can be removed)"},
        {"note: ''\n", "m.yaml:1:7: note: '' is empty"},
        {"memories: {d: {bits: 3}}", "m.yaml:1:22: bits: expected a list: each item a count, such as [3]"},
        {"memories: {d: {bits: [3, 64]}}", "m.yaml:1:26: bits: '64' is out of range; allowed: at most 63"},
        {"memories: {d: 3}",
         "m.yaml:1:15: expected a section of keys (channels, bandwidth, trcd, refresh, picker, ...), not "
         "'3'"},
        {"memories: 3", "m.yaml:1:11: memories: expected named sections, such as 'memory0: {...}'"},
        {"memories: {a.b: }", "m.yaml:1:12: bad name 'a.b': only letters, digits, '-' and '_'"},
        {"- 1\n- 2\n",
         "m.yaml:1:1: expected a section of keys (note, seed, gpus, memories, links), not a list"},
        {"seed: 1\n  note: x\n", "m.yaml:2:7: bad YAML: mapping values are not allowed in this context"},
        {"note: \"open\n", "m.yaml:1:7: the closing quote is missing"},
        {"a: &x 1\n", "m.yaml:1:4: anchors are not supported: '&x'; use 'extends' to share settings"},
        {"seed: !!int 3\n", "m.yaml:1:7: tags are not supported: 'tag:yaml.org,2002:int'"},
        {"seed: 1\n---\nseed: 2\n", "m.yaml:1:1: more than one document in the file"},
        {"? [a]\n: 1\n", "m.yaml:1:3: a list cannot be a key"},
    };
    for (const Case& c : cases) EXPECT_EQ(file_error(c.yaml), c.message) << c.yaml;
}

TEST(MachineErrors, OfOptionsNameTheOption) {
    const Case cases[] = {
        {"seed", "--set seed: expected KEY=VALUE"},
        {"=3", "--set =3: expected KEY=VALUE"},
        {"dram.pikcer=first",
         "--set dram.pikcer=first: this machine has no key 'dram.pikcer', did you mean 'dram.picker'?"},
        {"gdr5.picker=first",
         "--set gdr5.picker=first: this machine has no key 'gdr5.picker', did you mean "
         "'memories.gddr5.picker'?"},
        {"zzzzzz=1", "--set zzzzzz=1: this machine has no key 'zzzzzz'"},
        // The key itself is meant more likely than the one spelled most alike in the section.
        {"dram.epoch=3",
         "--set dram.epoch=3: this machine has no key 'dram.epoch', did you mean 'dram.paper.epoch'?"},
        {"picker=first",
         "--set picker=first: 'picker' is ambiguous: memories.ddr4.picker, memories.gddr5.picker"},
        {"epoch=3",
         "--set epoch=3: 'epoch' is ambiguous: memories.ddr4.paper.epoch, memories.gddr5.paper.epoch"},
        {"l1.size=16",
         "--set l1.size=16: size: '16' has no unit; expected bytes (B, KiB, MiB, GiB, TiB), such as 16KiB"},
        {"l1.size=", "--set l1.size=: size: expected bytes (B, KiB, MiB, GiB, TiB), not an empty value"},
        {"l1=3", "--set l1=3: 'gpus.g0.l1' is a section; set one of its keys"},
        {"memories.ddr4=3", "--set memories.ddr4=3: 'memories.ddr4' is a section; set one of its keys"},
        {"dram.picker=~",
         "--set dram.picker=~: picker: expected the name of a toy picker, not '~' (only optional keys can be "
         "removed)"},
        {"tlb.memory=hbm",
         "--set tlb.memory=hbm: memory: there is no 'hbm' among the memories; possible: ddr4, gddr5"},
    };
    for (const Case& c : cases) EXPECT_EQ(set_error({std::string(c.yaml)}), c.message);
}

TEST(MachineErrors, OfExtendsNameTheFileThatExtends) {
    Files files;
    const auto& dir = files.directory;
    const auto load = [&](const std::string& name) {
        return error_of(
            [&] { config::load(Machine::schema(), {.machine = name, .sets = {}, .directories = {dir}}); });
    };
    files.write("a.yaml", "extends: b\n");
    files.write("b.yaml", "seed: 1\nextends: a\n");
    files.write("c.yaml", "extends: gtx\n");
    files.write("gtx480.yaml", "");
    files.write("d.yaml", "extends: nowhere/x.yaml\n");
    files.write("e.yaml", "extends: [gtx480]\n");
    files.write("f.yaml", "extends: bad\n");
    files.write("bad.yaml", "\nseed: x\n");
    EXPECT_EQ(load("a"), dir + "/b.yaml:2:10: extends: '" + dir + "/a.yaml' extends itself");
    EXPECT_EQ(
        load("c"),
        dir + "/c.yaml:1:10: extends: there is no machine 'gtx'; possible: a, b, bad, c, d, e, f, gtx480");
    EXPECT_EQ(load("d"), dir + "/d.yaml:1:10: extends: cannot read '" + dir +
                             "/nowhere/x.yaml': No such file or directory");
    EXPECT_EQ(load("e"), dir + "/e.yaml:1:10: extends: expected the name or path of one machine");
    EXPECT_EQ(load("f"), dir + "/bad.yaml:2:7: seed: 'x' is not a number; expected a count, such as 16");
    EXPECT_EQ(load("gtx48"), "there is no machine 'gtx48', did you mean 'gtx480'?");
    EXPECT_EQ(load(dir + "/"), "'" + dir + "/' is a directory, not a machine file");
}

TEST(MachineErrors, OfAPolicyChosenInCodeNameThePolicy) {
    EXPECT_EQ(error_of([] { pickers().choose("frist"); }),
              "there is no toy picker 'frist', did you mean 'first'?");
    EXPECT_EQ(error_of([] { pickers().choose("first", "cap: 3"); }),
              "the toy picker 'first' has no parameters");
    EXPECT_EQ(error_of([] { pickers().choose("capped", "cap: x"); }),
              "capped:1:6: cap: 'x' is not a number; expected a count, such as 16");
}

}  // namespace
}  // namespace toy
