// What a plugin was compiled against must be what the program is: the count in config/policy.h tells.

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "built.h"
#include "config/policy.h"
#include "sim/types.h"

namespace heddle::config {
namespace {

/// The headers of the policy points and of the classes that policies derive from.
constexpr const char* kPublic[] = {"cache/replacement.h",
                                   "cache/settings.h",
                                   "config/schema.h",
                                   "core/warp_scheduler.h",
                                   "dram/scheduler.h",
                                   "dram/scheduler/application_order.h",
                                   "dram/scheduler/exchange.h",
                                   "dram/scheduler/queue_scheduler.h",
                                   "dram/scheduler/command_queues.h",
                                   "dram/scheduler/warp_groups.h",
                                   "dram/write_drain.h",
                                   "vm/fill_policy.h",
                                   "vm/memory_manager.h",
                                   "vm/migration_policy.h",
                                   "vm/placement_policy.h",
                                   "vm/shootdown_policy.h"};

std::string text_of(const std::string& header) {
    std::ifstream in(checkout("src/") + header);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

/// The header and all of ours that it includes.
void add(const std::string& header, std::set<std::string>& to) {
    if (!to.insert(header).second) return;
    const std::string text = text_of(header);
    EXPECT_NE(text, "") << header;
    std::istringstream lines(text);
    constexpr std::string_view kInclude = "#include \"";
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(kInclude))
            add(line.substr(kInclude.size(), line.rfind('"') - kInclude.size()), to);
}

/// FNV-1a over all but comments and white space.
u64 digest(const std::set<std::string>& headers) {
    u64 hash = 0xcbf29ce484222325;
    for (const std::string& header : headers) {
        std::istringstream lines(text_of(header));
        for (std::string line; std::getline(lines, line);)
            for (const char c : line.substr(0, line.find("//"))) {
                if (c == ' ') continue;
                hash = (hash ^ static_cast<u8>(c)) * 0x100000001b3;
            }
    }
    return hash;
}

template <int kCount>
int count_of(Interface<kCount>) {
    return kCount;
}

TEST(PluginInterface, CountsOnWhenWhatPoliciesSeeChanges) {
    std::set<std::string> headers;
    for (const char* header : kPublic) add(header, headers);
    EXPECT_GT(headers.size(), 20u);
    const std::pair<int, u64> now{count_of(CurrentInterface{}), digest(headers)};
    EXPECT_EQ(now, (std::pair<int, u64>{12, 756668469582575565u}))
        << "what plugins see of the program has changed: count "
           "CurrentInterface in src/config/policy.h on, and renew "
           "the numbers here";
}

}  // namespace
}  // namespace heddle::config
