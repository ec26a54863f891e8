// A policy built apart from the program joins its point.

#include "config/plugin.h"

#include <gtest/gtest.h>

#include "build_plugin.h"
#include "built.h"
#include "config/toy_machine.h"

namespace toy {
namespace {

constexpr const char* kSource = R"(
#include "config/toy_machine.h"
namespace {
struct LastSettings {
    heddle::u64 plus = 0;
    static const heddle::config::Schema<LastSettings>& schema() {
        static const auto s = heddle::config::Schema<LastSettings>("last", "parameters")
            .key("plus", &LastSettings::plus, {.def = "5", .max = "9", .about = "what is added"});
        return s;
    }
};
struct Last final : toy::Picker {
    using Settings = LastSettings;
    Last(const LastSettings& s, const heddle::u64& base) : sum(s.plus + base) {}
    heddle::u64 pick(heddle::u64, heddle::u64 b) const override { return b + sum; }
    heddle::u64 sum;
};
const bool done = toy::late_pickers().add<Last>("last", "the last one", "out of tree");
}  // namespace
)";

std::string error_of(const std::string& path) {
    try {
        config::load_plugin(path);
    } catch (const InputError& e) {
        return e.what();
    }
    return "no error";
}

TEST(Plugin, RegistersItsPolicyWithItsParameters) {
    Files files;
    const auto source = files.write("last.cpp", kSource);
    const auto object = files.directory + "/last.so";
    build_plugin(source, object, checkout("tests"));

    config::load_plugin(object);
    const auto m = config::parse(Late::schema(), "{picker: last, last: {plus: 7}}");
    EXPECT_EQ(late_pickers().make(m.picker, u64{100})->pick(1, 2), 109U);
    EXPECT_EQ(late_pickers().entries().at("last").source, "out of tree");
    EXPECT_EQ(config::defects(Late::schema()), std::vector<std::string>{});
}

TEST(Plugin, ThatCannotBeLoadedIsAnInputError) {
    Files files;
    const auto text = files.write("text.so", "not a library");
    EXPECT_EQ(error_of("absent.so"), "plugin 'absent.so': no such file");
    EXPECT_EQ(error_of(text), "plugin '" + text + "': it is not a shared object (file too short)");
}

TEST(Plugin, APolicyRegisteredTwiceStopsTheReader) {
    static PickerPoint point("twin picker");
    point.add<First>("twin", "a", "b");
    point.add<First>("twin", "c", "d");
    struct Twin {
        Choice picker;
    };
    const auto schema =
        Schema<Twin>("twin", "x").choice("picker", &Twin::picker, point, {.def = "twin", .about = "x"});
    EXPECT_THROW(config::parse(schema, ""), InputError);
    EXPECT_EQ(config::defects(schema),
              std::vector<std::string>{"picker: the twin picker 'twin' is registered twice"});
}

}  // namespace
}  // namespace toy
