#include "study/run_spec.h"

#include <gtest/gtest.h>

#include "sim/error.h"
#include "study/applications.h"

namespace heddle::study {
namespace {

TEST(RunSpec, IsReadBackAsItWasWritten) {
    RunSpec run;
    run.variant = {"v", "gtx480", {"dram.scheduler=wg-w", "l1.size=32KiB"}};
    run.workload = {.name = "w",
                    .apps = {{"bfs", {"--note", "a b\"\n\\"}, "id"}, {"./na\xefve \xe2\x82\xac", {"+", ""}}},
                    .sms = {10, 5}};
    run.alone = 2;
    run.seed = ~u64{0};
    run.common = {{"./p.so"}, {"--max-instructions=1G"}};
    const RunSpec back = parse_spec(spec_json(run));
    EXPECT_EQ(back.variant.machine, "gtx480");
    EXPECT_EQ(back.variant.sets, run.variant.sets);
    ASSERT_EQ(back.workload.apps.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(back.workload.apps[k].word, run.workload.apps[k].word);
        EXPECT_EQ(back.workload.apps[k].arguments, run.workload.apps[k].arguments);
    }
    EXPECT_EQ(back.workload.sms, run.workload.sms);
    EXPECT_EQ(back.alone, 2u);
    EXPECT_EQ(back.seed, run.seed);
    EXPECT_EQ(back.common.plugins, run.common.plugins);
    EXPECT_EQ(back.common.options, run.common.options);
    EXPECT_FALSE(parse_spec(spec_json({.variant = {"v", "m", {}}})).seed);
    EXPECT_THROW(parse_spec("{}"), InputError);
    EXPECT_THROW(parse_spec("run bfs"), InputError);
}

TEST(Applications, AreJoinedByPlus) {
    using Words = std::vector<std::vector<std::string>>;
    EXPECT_EQ(applications_of("a -x 1  + b"), (Words{{"a", "-x", "1"}, {"b"}}));
    EXPECT_EQ(applications_of("a+b"), (Words{{"a+b"}}));
    for (const char* text : {"+", "+ a", "a +", "a + + b", " "})
        EXPECT_THROW(applications_of(text), InputError);
    EXPECT_TRUE(groups_of({}).empty());
}

}  // namespace
}  // namespace heddle::study
