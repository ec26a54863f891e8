#include "study/result.h"

#include <gtest/gtest.h>

#include "sim/error.h"

namespace heddle::study {
namespace {

std::string error(const std::string& name, std::size_t apps) {
    try {
        find_metric(name, {"gpu.l2.reads", "l2.reads.1", "l2.reads.2"}, apps);
    } catch (const InputError& e) {
        return e.what();
    }
    return {};
}

TEST(FindMetric, TakesTheNumberOfAnApplicationThatThereIs) {
    EXPECT_EQ(error("ipc.2", 2), "");
    EXPECT_EQ(error("l2.reads.2", 2), "");
    EXPECT_EQ(error("ipc.3", 2), "metric 'ipc.3': there are 2 applications");
    EXPECT_EQ(error("slowdown.0", 1), "metric 'slowdown.0': there is 1 application");
    for (const char* name : {"ipc.", "ipc.99999999999999999999", "ipc.1x", "ipc.-1"})
        EXPECT_NE(error(name, 2).find("there is no metric"), std::string::npos) << name;
    EXPECT_EQ(find_metric("ipc.02", {}, 2).name, "ipc.2");
}

}  // namespace
}  // namespace heddle::study
