#include "cli/arguments.h"

#include <CLI/App.hpp>
#include <gtest/gtest.h>

#include "built.h"
#include "cli/number.h"
#include "cli/progress.h"
#include "sim/error.h"

namespace heddle::cli {
namespace {

using Strings = std::vector<std::string>;

/// An app with a flag, a repeatable option and a plain one.
struct Toy {
    CLI::App app;
    bool json = false;
    Strings sets;
    std::string machine;

    Toy() {
        app.add_flag("--json", json);
        app.add_option("--set", sets)->allow_extra_args(false)->type_name("KEY=VALUE");
        app.add_option("-m,--machine", machine);
        app.add_option("--hot-percent", machine);
    }
    Arguments split(const Strings& arguments) { return cli::split(app, arguments); }
    std::string error(const Strings& arguments) {
        try {
            split(arguments);
        } catch (const InputError& e) {
            return e.what();
        }
        return {};
    }
};

TEST(Arguments, OptionsMayStandAnywhere) {
    for (const Strings& order :
         {Strings{"--json", "-m", "x", "word"}, Strings{"word", "-m", "x", "--json"},
          Strings{"-mx", "word", "--json"}, Strings{"--machine=x", "--json", "word"}}) {
        Arguments a = Toy().split(order);
        EXPECT_EQ(a.words.words, Strings{"word"});
        EXPECT_EQ(std::count(a.options.begin(), a.options.end(), "x"), 1);
        EXPECT_EQ(std::count(a.options.begin(), a.options.end(), "--json"), 1);
    }
}

TEST(Arguments, EverythingAfterAProgramIsThePrograms) {
    const Arguments a = Toy().split({"--json", heddle_binary(), "--set", "a=b", "--", "-m", "--unknown"});
    EXPECT_EQ(a.options, Strings{"--json"});
    EXPECT_EQ(a.words.words, Strings{heddle_binary()});
    EXPECT_EQ(a.words.program_arguments, (Strings{"--set", "a=b", "--", "-m", "--unknown"}));
}

TEST(Arguments, AfterTwoDashesEverythingIsAWord) {
    const Arguments a = Toy().split({"--json", "--", "-m", "--json"});
    EXPECT_EQ(a.words.words, (Strings{"-m", "--json"}));
    EXPECT_TRUE(a.words.literal);
    EXPECT_FALSE(Toy().split({"word"}).words.literal);
}

TEST(Arguments, AValueMayLookLikeAnOption) {
    const Arguments a = Toy().split({"--set", "--json", "w"});
    EXPECT_EQ(a.options, (Strings{"--set", "--json"}));
    EXPECT_EQ(a.words.words, Strings{"w"});
}

TEST(Arguments, UnderscoresAreTakenForDashes) {
    EXPECT_EQ(Toy().split({"--hot_percent", "5"}).options, (Strings{"--hot-percent", "5"}));
    EXPECT_EQ(Toy().split({"--set=a_b=c"}).options, (Strings{"--set", "a_b=c"}));
}

TEST(Arguments, ErrorsNameTheOptionAndTheNearest) {
    EXPECT_EQ(Toy().error({"--jsn"}), "unknown option '--jsn', did you mean '--json'?");
    EXPECT_EQ(Toy().error({"w", "--set"}), "--set needs a value: --set KEY=VALUE");
    EXPECT_EQ(Toy().error({"-m", "a", "-m", "b"}), "-m is given twice");
    EXPECT_EQ(Toy().error({"--json=yes"}), "--json takes no value, but '--json=yes' gives one");
    EXPECT_EQ(Toy().error({"--set", "a=1", "--set", "b=2"}), "");
}

TEST(Numbers, CountsTakeSuffixesOfPowersOfAThousand) {
    EXPECT_EQ(parse_count("--n", "0"), 0u);
    EXPECT_EQ(parse_count("--n", "17"), 17u);
    EXPECT_EQ(parse_count("--n", "2k"), 2'000u);
    EXPECT_EQ(parse_count("--n", "500M"), 500'000'000u);
    EXPECT_EQ(parse_count("--n", "1G"), 1'000'000'000u);
    EXPECT_EQ(parse_count("--n", "18446744073709551615"), ~u64{0});
}

TEST(Numbers, WhatIsNoCountIsRefused) {
    for (const char* text : {"", "M", "-1", "+1", "1.5G", "1e9", "5m", "5 M", "0x10", "1MB"})
        EXPECT_THROW(parse_count("--n", text), InputError) << text;
    for (const char* text : {"18446744073709551616", "18446745T", "99999999999999999999999"}) {
        try {
            parse_count("--n", text);
            ADD_FAILURE() << text;
        } catch (const InputError& e) {
            EXPECT_NE(std::string(e.what()).find("too large"), std::string::npos) << e.what();
        }
    }
}

TEST(Progress, ShowsShareRateAndTimeLeft) {
    // A quarter of the CTAs in three seconds: nine are left.
    EXPECT_EQ(progress_text({1'234'567, 6'000'000, 100, 400}, std::chrono::milliseconds(3000)),
              "25 % of 400 CTAs, cycle 1,234,567, 2,000,000 warp instructions/s, 9 s left");
    EXPECT_EQ(progress_text({5, 0, 0, 0}, std::chrono::milliseconds(0)), "cycle 5");
}

}  // namespace
}  // namespace heddle::cli
