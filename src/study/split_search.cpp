#include "study/split_search.h"

#include <algorithm>
#include <fmt/format.h>

#include "gpu/share.h"
#include "sim/error.h"
#include "sim/join.h"

namespace heddle::study {
namespace {

constexpr u32 kParts = 6;
constexpr const char* kMetric = "ws";

}  // namespace

SmDivision parse_division(const std::string& text) {
    if (text == "search") return {.sms = {}, .search = true};
    try {
        return {.sms = parse_sms(text), .search = false};
    } catch (const InputError&) {
        throw InputError(
            fmt::format("SMs '{}': expected whole numbers of at least 1, such as 10,20, or 'search'", text));
    }
}

std::vector<std::vector<u32>> divisions(u32 sms, u32 apps) {
    std::vector<std::vector<u32>> out(1);
    for (const Share& share : divide_sms(sms, apps, {})) out[0].push_back(share.sms);
    const u32 parts = std::min(sms, std::max(kParts, apps));
    std::vector<u32> ends(apps);  // of each application, in parts
    for (u32 k = 0; k < apps; ++k) ends[k] = k + 1;
    ends.back() = parts;
    for (;;) {
        std::vector<u32> division;
        u32 begin = 0;
        for (const u32 end : ends) {
            const auto sm = [&](u32 part) { return static_cast<u32>(u64{sms} * part / parts); };
            division.push_back(sm(end) - sm(begin));
            begin = end;
        }
        if (division != out[0]) out.push_back(std::move(division));
        // The next ascending sequence: the last end that can move does, and those behind it follow closely.
        u32 k = apps - 1;
        while (k > 0 && ends[k - 1] == parts - (apps - k)) --k;
        if (k == 0) return out;
        ++ends[k - 1];
        for (; k + 1 < apps; ++k) ends[k] = ends[k - 1] + 1;
    }
}

bool wants_search(const MatrixSpec& spec) {
    return std::any_of(spec.workloads.begin(), spec.workloads.end(),
                       [](const Workload& w) { return w.search_sms; });
}

MatrixSpec search_of(const MatrixSpec& spec, Keys& keys) {
    MatrixSpec search;
    search.variants = {spec.variants.at(spec.baseline)};
    search.alone_on = spec.alone_on;
    search.metrics = {kMetric};
    search.common = spec.common;
    search.seeds = spec.seeds;
    const u32 sms = keys.sms(search.variants[0]);
    for (const Variant& v : spec.variants)
        if (keys.sms(v) != sms)
            throw InputError(fmt::format("variant {} has {} SMs, but {} has {}: no division suits both",
                                         v.name, keys.sms(v), search.variants[0].name, sms));
    for (const Workload& w : spec.workloads) {
        if (!w.search_sms) continue;
        for (const std::vector<u32>& division : divisions(sms, static_cast<u32>(w.apps.size())))
            search.workloads.push_back(
                {fmt::format("{} on {} SMs", w.name, join(division, ",")), w.apps, division});
    }
    return search;
}

std::vector<std::string> choose_divisions(MatrixSpec& spec, Keys& keys, const Matrix& search) {
    const Metric metric = search.metric(kMetric);
    const u32 sms = keys.sms(spec.variants.at(spec.baseline));
    std::vector<std::string> lines;
    std::size_t at = 0;  // of the search's workloads, which stand in the same order
    for (Workload& w : spec.workloads) {
        if (!w.search_sms) continue;
        const std::size_t equal_parts = at;
        std::optional<double> best;
        std::size_t ran = 0;
        for (std::vector<u32>& division : divisions(sms, static_cast<u32>(w.apps.size()))) {
            const auto value = search.figure(metric, at++, 0);
            if (!value) continue;
            ++ran;
            if (best && *value <= *best) continue;
            best = value;
            w.sms = std::move(division);
        }
        if (!best) {
            lines.push_back(fmt::format("{}: no division of the SMs has run; using equal parts", w.name));
            continue;
        }
        const auto equal = search.figure(metric, equal_parts, 0);
        lines.push_back(
            fmt::format("{}: SMs {}, the best of {} division{} (weighted speed-up {:.3f}, equal parts {})",
                        w.name, join(w.sms, ","), ran, ran == 1 ? "" : "s", *best,
                        equal ? fmt::format("{:.3f}", *equal) : "failed"));
    }
    return lines;
}

}  // namespace heddle::study
