// The test directory helper, and that the toy declarations themselves are sound.

#include <atomic>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "config/toy_machine.h"

namespace toy {

Files::Files() {
    static std::atomic<int> number{0};
    directory = (std::filesystem::temp_directory_path() /
                 ("heddle-config-" + std::to_string(getpid()) + "-" + std::to_string(number++)))
                    .string();
    std::filesystem::create_directories(directory);
}
Files::~Files() {
    std::filesystem::remove_all(directory);
}
std::string Files::write(const std::string& name, const std::string& text) const {
    const std::string path = directory + "/" + name;
    std::ofstream(path) << text;
    return path;
}

namespace {

TEST(Defects, SoundDeclarationsHaveNone) {
    EXPECT_EQ(config::defects(Machine::schema()), std::vector<std::string>{});
}

struct Bad {
    u32 a = 0, b = 0;
    u64 c = 0;
    Choice picker;
    std::string capped;
    static const Schema<Bad>& schema() {
        static const auto s =
            Schema<Bad>("bad", "every mistake")
                .key("a", &Bad::a, {.def = "70", .max = "64", .about = "x"})
                .key("a", &Bad::b, {.def = "3"})
                .key("c", &Bad::c, {.unit = Unit::cycles, .def = "3", .min = "1KiB", .about = "x"})
                .choice("picker", &Bad::picker, pickers(), {.def = "frist", .about = "x"})
                .key("capped", &Bad::capped, {.def = "x", .about = "x"});
        return s;
    }
};

TEST(Defects, EveryMistakeInADeclarationIsFound) {
    EXPECT_EQ(config::defects(Bad::schema()),
              (std::vector<std::string>{
                  "a: built-in default: a: '70' is out of range; allowed: at most 64",
                  "a: is declared twice",
                  "a: has no description",
                  "c: counts cycles but names no clock",
                  "c: bound '1KiB' is a size; expected cycles, such as 120",
                  "picker: the default 'frist' is not a toy picker",
                  "capped: a key and a policy have this name",
              }));
}

}  // namespace
}  // namespace toy
