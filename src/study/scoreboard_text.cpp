#include "study/scoreboard_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "report/table.h"
#include "sim/text.h"

namespace heddle::study {
namespace {

using report::Table;
using enum Table::Align;

/// A narrow screen's table breaks statements itself.
std::size_t statement_width() {
    constexpr std::size_t kWidth = 60, kWide = 120;
    const std::size_t screen = report::screen_width();
    return screen == 0 || screen >= kWide ? kWidth : ~std::size_t{0};
}

/// A table with columns for each board.
class BoardTable {
  public:
    explicit BoardTable(const std::vector<BoardResult>& boards) : boards_(boards), table_(alignment()) {
        std::vector<std::string> head{"claim", "", "paper"};
        for (const BoardResult& b : boards) head.push_back(b.name.empty() ? "ours" : b.name);
        for (const BoardResult& b : boards) head.push_back(b.name.empty() ? "verdict" : b.name + " verdict");
        table_.add(head);
    }

    /// `ours` and `verdict` of each board by its number.
    void add(const std::string& id, const std::string& statement, const std::string& paper,
             const std::function<std::string(std::size_t)>& ours,
             const std::function<std::string(std::size_t)>& verdict) {
        const std::vector<std::string> lines = wrapped(statement, statement_width());
        std::vector<std::string> row{id, lines[0], paper};
        for (std::size_t b = 0; b < boards_.size(); ++b) row.push_back(ours(b));
        for (std::size_t b = 0; b < boards_.size(); ++b) row.push_back(verdict(b));
        table_.add(row);
        for (std::size_t k = 1; k < lines.size(); ++k) add_line(lines[k]);
    }
    /// A text below the statement.
    void add_text(const std::string& text) {
        for (const std::string& line : wrapped(text, statement_width())) add_line(line);
    }
    std::string text() const { return table_.text(2); }

  private:
    std::vector<Table::Align> alignment() const {
        std::vector<Table::Align> out{left, left, right};
        out.insert(out.end(), boards_.size(), right);
        out.insert(out.end(), boards_.size(), left);
        return out;
    }
    void add_line(const std::string& text) {
        std::vector<std::string> row(3 + 2 * boards_.size());
        row[1] = text;
        table_.add(row);
    }

    const std::vector<BoardResult>& boards_;
    Table table_;
};

/// The workloads that are not near on every board, a line each.
void add_far(BoardTable& table, const std::vector<BoardResult>& boards, std::size_t claim) {
    const RegimeClaim& c = boards.front().study->regime[claim];
    for (std::size_t k = 0; k < c.rows.size() && c.each; ++k) {
        const auto row = [&](std::size_t b) -> const ScoredRow& {
            return boards[b].score.regime[claim].rows[k];
        };
        bool near = true;
        for (std::size_t b = 0; b < boards.size(); ++b) near &= row(b).verdict == Verdict::holds;
        if (near) continue;
        const RegimeRow& r = c.rows[k];
        const std::string& workload = boards.front().study->workloads[r.workload].name;
        table.add(
            "", fmt::format("  {}{}", workload, r.note.empty() ? "" : ": " + r.note), r.paper,
            [&](std::size_t b) { return row(b).ours; },
            [&](std::size_t b) { return std::string(regime_word(row(b).verdict)); });
    }
}

std::string regime_text(const std::vector<BoardResult>& boards) {
    const auto& claims = boards.front().study->regime;
    if (claims.empty()) return {};
    BoardTable table(boards);
    for (std::size_t k = 0; k < claims.size(); ++k) {
        table.add(
            claims[k].id, claims[k].statement, paper_text(claims[k]),
            [&](std::size_t b) { return ours_text(boards[b].score.regime[k]); },
            [&](std::size_t b) { return std::string(regime_word(boards[b].score.regime[k].verdict)); });
        if (!claims[k].note.empty()) table.add_text("cause: " + claims[k].note);
        add_far(table, boards, k);
    }
    std::string total;
    for (const BoardResult& b : boards) {
        const auto near = std::count_if(b.score.regime.begin(), b.score.regime.end(),
                                        [](const ScoredRegime& s) { return s.verdict == Verdict::holds; });
        total += fmt::format("{}{}{} of {}", total.empty() ? "" : "; ", b.name.empty() ? "" : b.name + " ",
                             near, claims.size());
    }
    return fmt::format("workloads under {}, before any claim\n{}near: {}\n",
                       boards.front().study->variants[boards.front().study->baseline].name, table.text(),
                       total);
}

std::string totals_text(const Scoreboard& board) {
    std::string total;
    for (std::size_t v = 0; v < board.totals.size(); ++v)
        if (board.totals[v] != 0)
            total += fmt::format("{}{} {}", total.empty() ? "" : ", ", verdict_name(static_cast<Verdict>(v)),
                                 board.totals[v]);
    return total;
}

std::string claims_text(const std::vector<BoardResult>& boards) {
    const Study& study = *boards.front().study;
    if (study.claims.empty()) return {};
    BoardTable table(boards);
    for (std::size_t k = 0; k < study.claims.size(); ++k) {
        const Claim& c = study.claims[k];
        table.add(
            c.id, c.statement, paper_text(c),
            [&](std::size_t b) { return ours_text(boards[b].score.claims[k]); },
            [&](std::size_t b) { return std::string(verdict_name(boards[b].score.claims[k].verdict)); });
        // Of one machine there are many studies with long notes; they are on the page.
        if (boards.size() > 1 && !c.note.empty()) table.add_text("cause: " + c.note);
    }
    std::string totals;
    for (const BoardResult& b : boards)
        totals += fmt::format("{}total of {}: {}\n", b.name.empty() ? "" : b.name + ": ", study.claims.size(),
                              totals_text(b.score));
    return fmt::format("claims of {}\n{}{}", study.source.empty() ? study.name : study.source, table.text(),
                       totals);
}

}  // namespace

std::string paper_text(const Claim& c) {
    std::string out;
    for (const Stated& s : c.stated) out += (out.empty() ? "" : " / ") + s.text();
    return out;
}

std::string ours_text(const ScoredClaim& s) {
    std::string out;
    for (std::size_t k = 0; k < s.measured.size(); ++k)
        out += (out.empty() ? "" : " / ") + s.claim->stated[k].show(s.measured[k], s.margins[k]);
    return out;
}

std::string paper_text(const RegimeClaim& c) {
    if (c.each) return fmt::format("{} {}", c.rows.size(), c.classes.empty() ? "values" : "classes");
    std::string out;
    for (const RegimeRow& r : c.rows) out += (out.empty() ? "" : " / ") + r.stated.text();
    return out;
}

std::string ours_text(const ScoredRegime& s) {
    if (s.claim->each)
        return fmt::format("{} of {} {}", s.near, s.rows.size(), s.claim->classes.empty() ? "near" : "equal");
    std::string out;
    for (const ScoredRow& r : s.rows) out += (out.empty() ? "" : " / ") + r.ours;
    return out;
}

std::string scoreboard_text(const std::vector<BoardResult>& boards) {
    const std::string regime = regime_text(boards), claims = claims_text(boards);
    return regime + (regime.empty() || claims.empty() ? "" : "\n") + claims;
}

}  // namespace heddle::study
