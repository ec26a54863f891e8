#include "study/page.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/node.h"
#include "report/table.h"
#include "sim/text.h"

namespace heddle::study {

/// Made when the program is configured (cmake/page.cmake).
extern const std::string_view kPageHtml, kPageStyle, kPageScript, kPageCharts;

namespace {

using nlohmann::ordered_json;

void flatten(const config::Node& node, const std::string& path,
             std::vector<std::pair<std::string, std::string>>& out) {
    if (node.kind == config::Node::Kind::section) {
        for (const config::Node& child : node.children)
            flatten(child, path.empty() ? child.name : path + "." + child.name, out);
        return;
    }
    std::string text = node.text;
    for (const config::Node& child : node.children) text += (text.empty() ? "" : ", ") + child.text;
    out.emplace_back(path, text);
}

/// Keys that have not the same value in every variant.
ordered_json differences(const Matrix& matrix, Keys& keys) {
    std::vector<std::string> order;
    std::vector<std::map<std::string, std::string>> machines;
    for (const Variant& v : matrix.spec().variants) {
        std::vector<std::pair<std::string, std::string>> flat;
        flatten(keys.description(v), {}, flat);
        auto& machine = machines.emplace_back();
        for (auto& [key, value] : flat) {
            if (std::find(order.begin(), order.end(), key) == order.end()) order.push_back(key);
            machine[key] = value;
        }
    }
    ordered_json out = ordered_json::array();
    for (const std::string& key : order) {
        ordered_json values = ordered_json::array();
        bool differ = false;
        for (auto& machine : machines) {
            const auto it = machine.find(key);
            values.push_back(it == machine.end() ? "–" : it->second);
            differ |= values.back() != values.front();
        }
        if (differ) out.push_back({{"key", key}, {"values", values}});
    }
    return out;
}

/// What the page shows of single runs; with several seeds those with the first.
ordered_json runs(const Matrix& matrix) {
    ordered_json out = ordered_json::array();
    const MatrixSpec& spec = matrix.spec();
    for (std::size_t w = 0; w < spec.workloads.size(); ++w)
        for (std::size_t v = 0; v < spec.variants.size(); ++v) {
            const PlannedRun& run = matrix.cell(w, v);
            if (!run.result) continue;
            ordered_json r{{"workload", spec.workloads[w].name}, {"variant", spec.variants[v].name}};
            r.update(run.shown);
            out.push_back(std::move(r));
        }
    return out;
}

/// JSON in which nothing ends the element that it stands in.
std::string script_safe(const std::string& text) {
    std::string out;
    for (const char c : text)
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    return out;
}

std::string html_text(const std::string& text) {
    std::string out;
    for (const char c : valid_utf8(text)) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
    return out;
}

/// The tables as for a terminal of any width, for a reader without JavaScript.
std::string plain_text(const PageInput& input) {
    const std::size_t width = std::exchange(report::screen_width(), 0);
    std::string text = input.study == nullptr ? "" : scoreboard_text(*input.study);
    for (std::size_t k = 0; k < input.comparisons.size(); ++k) {
        if (!text.empty()) text += '\n';
        if (input.study != nullptr && !(*input.study)[k].name.empty())
            text += fmt::format("board {}\n\n", (*input.study)[k].name);
        text += comparison_text(*input.comparisons[k], true, true);
    }
    report::screen_width() = width;
    return text;
}

/// What is shown of one board, besides its figures.
void put_board(ordered_json& board, const Matrix& matrix, Keys& keys) {
    board["runs"] = runs(matrix);
    board["differences"] = differences(matrix, keys);
    board["resolved"] = config::to_yaml(keys.description(matrix.spec().variants[matrix.spec().baseline]));
}

void fill(std::string& page, std::string_view mark, std::string_view text) {
    page.replace(page.find(mark), mark.size(), text);
}

}  // namespace

std::string page(const PageInput& input, Keys& keys) {
    ordered_json data;
    if (input.study != nullptr) {
        const ordered_json study = study_tree(*input.study);
        for (const char* key : {"about", "source", "regime", "claims", "totals", "comparison", "boards"})
            if (const auto it = study.find(key); it != study.end()) data[key] = *it;
    } else {
        data["comparison"] = comparison_tree(*input.comparisons.front(), *input.matrices.front());
    }
    data["title"] = input.title;
    for (std::size_t k = 0; k < input.matrices.size(); ++k)
        put_board(data.contains("boards") ? data["boards"][k] : data, *input.matrices[k], keys);
    // The marks are filled from the last to the first, so that none is searched for in text already filled in.
    std::string out(kPageHtml);
    fill(out, "@SCRIPT@", kPageScript);
    fill(out, "@CHARTS@", kPageCharts);
    fill(out, "@DATA@", script_safe(data.dump(-1, ' ', false, ordered_json::error_handler_t::replace)));
    fill(out, "@TEXT@", html_text(plain_text(input)));
    fill(out, "@STYLE@", kPageStyle);
    fill(out, "@TITLE@", html_text(input.title));
    return out;
}

}  // namespace heddle::study
