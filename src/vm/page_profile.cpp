#include "vm/page_profile.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "sim/error.h"

namespace heddle {

namespace {
constexpr std::string_view kPageProfileHeader = "# app\tpage\taccesses";
}

void sort_by_accesses(std::vector<PageAccesses>& pages) {
    std::sort(pages.begin(), pages.end(), [](const PageAccesses& a, const PageAccesses& b) {
        return a.accesses != b.accesses ? a.accesses > b.accesses
               : a.app != b.app         ? a.app < b.app
                                        : a.page < b.page;
    });
}

std::string page_profile_text(std::vector<PageAccesses> pages) {
    sort_by_accesses(pages);
    std::string text = fmt::format("{}\n", kPageProfileHeader);
    for (const PageAccesses& p : pages) text += fmt::format("{}\t{:#x}\t{}\n", p.app + 1, p.page, p.accesses);
    return text;
}

std::vector<PageAccesses> read_page_profile(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw InputError(fmt::format("{}: the page profile cannot be read", file));
    std::vector<PageAccesses> pages;
    std::string line;
    u64 number = 1;
    for (; std::getline(in, line) || number == 1; ++number) {
        if (in.bad()) break;
        if (number == 1 && line != kPageProfileHeader)
            throw InputError(
                fmt::format("{}:1: not a page profile, which begins with '{}'", file, kPageProfileHeader));
        if (number == 1 || line.empty()) continue;
        std::istringstream words(line);
        u64 app = 0, accesses = 0;
        std::string page, rest;
        if (!(words >> app >> page >> accesses) || words >> rest || line.find('-') != std::string::npos ||
            app == 0 || app > 256 || !page.starts_with("0x") || page.size() == 2 || page.size() > 15 ||
            page.find_first_not_of("0123456789abcdef", 2) != std::string::npos)
            throw InputError(fmt::format(
                "{}:{}: expected an application, a page in hexadecimal and its accesses", file, number));
        pages.push_back({static_cast<u8>(app - 1), std::stoull(page, nullptr, 16), accesses});
    }
    if (in.bad()) throw InputError(fmt::format("{}: the page profile cannot be read", file));
    return pages;
}

}  // namespace heddle
