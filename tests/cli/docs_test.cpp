// The documentation refers to what exists: files, headings, policies; and its tutorial is a working policy.

#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <set>
#include <sstream>

#include "build_plugin.h"
#include "built.h"
#include "cli/program.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::string page(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> pages() {
    std::vector<fs::path> all{checkout("README.md")};
    for (const auto& entry : fs::recursive_directory_iterator(checkout("docs")))
        if (entry.path().extension() == ".md") all.push_back(entry.path());
    return all;
}

/// The anchors of a page's headings as GitHub makes them.
std::set<std::string> anchors(const std::string& text) {
    std::set<std::string> all;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("#")) continue;
        std::string anchor;
        for (const char c : line.substr(line.find_first_not_of("# ")))
            if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')
                anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
            else if (c == ' ')
                anchor += '-';
        all.insert(anchor);
    }
    return all;
}

TEST(Docs, EveryLinkLeadsToAFileAndAHeading) {
    const std::regex link(R"(\]\(([^)\s#]*)(?:#([^)\s]*))?\))");
    int links = 0;
    for (const fs::path& from : pages()) {
        const std::string text = page(from);
        for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
            const std::string file = (*it)[1], anchor = (*it)[2];
            if (file.starts_with("http")) continue;
            const fs::path to = file.empty() ? from : from.parent_path() / file;
            EXPECT_TRUE(fs::exists(to)) << from << ": " << it->str();
            EXPECT_TRUE(anchor.empty() || anchors(page(to)).contains(anchor)) << from << ": " << it->str();
            ++links;
        }
    }
    EXPECT_GT(links, 50);
}

TEST(Docs, EveryPolicyIsInTheIndexAndOnAPage) {
    const std::string index = page(checkout("docs/policies.md"));
    std::string described;
    for (const auto& entry : fs::directory_iterator(checkout("docs/policies")))
        described += page(entry.path());
    // The program, not this test, whose tests register policies of their own.
    std::istringstream lines(heddle_run({"list", "policies"}).out);
    int policies = 0;
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("  ")) continue;
        const std::string name = "`" + line.substr(2, line.find(' ', 2) - 2) + "`";
        EXPECT_NE(index.find(name), std::string::npos) << name;
        EXPECT_NE(described.find(name), std::string::npos) << name;
        ++policies;
    }
    EXPECT_GT(policies, 30);
}

TEST(Docs, TheTutorialIsAWorkingScheduler) {
    const std::string text = page(checkout("docs/policies.md"));
    const std::size_t begin = text.find("    // my_cap.cpp"), end = text.find("Compile it, and", begin);
    ASSERT_NE(begin, std::string::npos);
    ASSERT_NE(end, std::string::npos);
    std::istringstream lines(text.substr(begin, end - begin));
    std::string code;
    for (std::string line; std::getline(lines, line);) code += (line.empty() ? line : line.substr(4)) + "\n";

    const TemporaryFolder folder;
    const std::string library = folder.path() + "/my_cap.so";
    build_plugin(folder.write("my_cap.cpp", code), library);
    const Ended run = heddle_run({"run", "gather", "--ctas", "4", "--footprint", "1MiB", "--plugin", library,
                                  "--set", "dram.scheduler=my-cap", "--set", "my-cap.limit=2", "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("my-cap"), std::string::npos);
    EXPECT_EQ(heddle_run({"explain", "my-cap.limit", "--plugin", library}).code, 0);
}

}  // namespace
}  // namespace heddle
