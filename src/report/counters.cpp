#include "report/counters.h"

#include <fmt/format.h>
#include <set>
#include <vector>

#include "config/manual.h"
#include "report/run_report.h"

namespace heddle::report {

bool shows(std::string_view prefix, std::string_view name) {
    for (;;) {
        if (name.starts_with(prefix)) return true;
        const auto dot = name.find('.');
        if (dot == std::string_view::npos) return false;
        name.remove_prefix(dot + 1);
    }
}

std::string unmatched_counters(const RunRecord& record, const std::string& prefix) {
    // Groups ("gpu", "gpu.l2") come first, outermost first: they are what is listed if nothing is near.
    std::set<std::string_view> outer, inner;
    std::vector<std::string_view> names;
    for (const CounterRecord& c : record.counters) {
        const std::string_view name = c.name;
        if (shows(prefix, name)) return {};
        names.push_back(name);
        const auto first = name.find('.'), last = name.rfind('.');
        if (first != std::string_view::npos) outer.insert(name.substr(0, first));
        if (last != first) inner.insert(name.substr(0, last));
    }
    std::vector<std::string_view> known(outer.begin(), outer.end());
    known.insert(known.end(), inner.begin(), inner.end());
    known.insert(known.end(), names.begin(), names.end());
    return fmt::format("no counter starts with '{}'{}", prefix, config::suggestion(prefix, known));
}

}  // namespace heddle::report
