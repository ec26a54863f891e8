#pragma once
// Sparse matrices on the host: factorisations in double precision whatever the program's type, and orders of elimination.

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <queue>
#include <utility>
#include <vector>

#include "cusolver_common.h"
#include "driver_types.h"

namespace heddle_sparse_solver {

/// Index and value, of a row or a column.
using Entry = std::pair<int, double>;
using Line = std::vector<Entry>;
using Lines = std::vector<Line>;

/// Indices that are taken the smallest first, each of them once, while others come.
class Ascending {
  public:
    explicit Ascending(int n) : waiting_(static_cast<std::size_t>(n)) {}
    bool empty() const { return heap_.empty(); }
    bool holds(int k) const { return waiting_[static_cast<std::size_t>(k)]; }
    void add(int k) {
        if (holds(k)) return;
        waiting_[static_cast<std::size_t>(k)] = true;
        heap_.push(k);
    }
    int take() {
        const int k = heap_.top();
        heap_.pop();
        waiting_[static_cast<std::size_t>(k)] = false;
        return k;
    }

  private:
    std::vector<bool> waiting_;
    std::priority_queue<int, std::vector<int>, std::greater<>> heap_;
};

inline Lines transposed(const Lines& lines, int other) {
    Lines out(static_cast<std::size_t>(other));
    for (std::size_t i = 0; i < lines.size(); ++i)
        for (const Entry& e : lines[i])
            out[static_cast<std::size_t>(e.first)].emplace_back(static_cast<int>(i), e.second);
    return out;
}

/// The first pivot that is no larger than the tolerance, or no number; -1 where there is none.
inline int first_small(const std::vector<double>& pivots, double tolerance) {
    for (std::size_t k = 0; k < pivots.size(); ++k)
        if (!(std::fabs(pivots[k]) > tolerance)) return static_cast<int>(k);
    return -1;
}

/// P A = L U.
struct Lu {
    std::vector<int> row_of;     // the row of A that is row k of L U
    std::vector<double> pivots;  // U's diagonal
    Lines l, u;                  // columns, without diagonals; rows of L are places of L U

    void factor(const Lines& rows, double threshold) {
        const int n = static_cast<int>(rows.size());
        const Lines columns = transposed(rows, n);
        row_of.assign(rows.size(), -1);
        pivots.assign(rows.size(), 0);
        l.assign(rows.size(), {});
        u.assign(rows.size(), {});
        std::vector<int> place(rows.size(), -1);  // of a row of A, -1 before it has been a pivot
        std::vector<double> x(rows.size());
        std::vector<bool> seen(rows.size());
        Ascending eliminated(n);
        for (int j = 0; j < n; ++j) {
            std::vector<int> candidates;
            const auto see = [&](int row) {
                if (seen[row]) return;
                seen[row] = true;
                if (place[row] >= 0)
                    eliminated.add(place[row]);
                else
                    candidates.push_back(row);
            };
            for (const Entry& e : columns[j]) {
                see(e.first);
                x[e.first] += e.second;
            }
            while (!eliminated.empty()) {
                const int k = eliminated.take(), row = row_of[k];
                const double v = x[row];
                x[row] = 0;
                seen[row] = false;
                u[j].emplace_back(k, v);
                // Rows that are still to come stand in L by their rows in A.
                for (const Entry& e : l[k]) {
                    see(e.first);
                    x[e.first] -= e.second * v;
                }
            }
            int best = -1;
            for (const int row : candidates)
                if (best < 0 || std::fabs(x[row]) > std::fabs(x[best])) best = row;
            if (best >= 0 && seen[j] && place[j] < 0 && x[j] != 0 && std::fabs(x[j]) >= threshold * std::fabs(x[best]))
                best = j;
            if (best < 0)  // A column of zeros: any row that is left, of which the pivot is 0.
                best = place[j] < 0 ? j : static_cast<int>(std::find(place.begin(), place.end(), -1) - place.begin());
            const double pivot = x[best];
            pivots[j] = pivot;
            row_of[j] = best;
            place[best] = j;
            for (const int row : candidates) {
                if (row != best && pivot != 0) l[j].emplace_back(row, x[row] / pivot);
                x[row] = 0;
                seen[row] = false;
            }
        }
        for (Line& column : l)
            for (Entry& e : column) e.first = place[e.first];
    }
    std::vector<double> solve(const std::vector<double>& b) const {
        std::vector<double> x(b.size());
        for (std::size_t k = 0; k < b.size(); ++k) x[k] = b[row_of[k]];
        for (std::size_t k = 0; k < b.size(); ++k)
            for (const Entry& e : l[k]) x[e.first] -= e.second * x[k];
        for (std::size_t k = b.size(); k-- > 0;) {
            x[k] /= pivots[k];
            for (const Entry& e : u[k]) x[e.first] -= e.second * x[k];
        }
        return x;
    }
};

/// A = L L^T, of A's lower triangle.
struct Cholesky {
    std::vector<double> pivots;  // L's diagonal, 0 from the first that is not real on
    Lines l;                     // columns, without the diagonal

    void factor(const Lines& rows, double) {
        const int n = static_cast<int>(rows.size());
        pivots.assign(rows.size(), 0);
        l.assign(rows.size(), {});
        std::vector<double> x(rows.size());
        Ascending left(n);
        for (int i = 0; i < n; ++i) {
            double square = 0;
            for (const Entry& e : rows[i]) {
                if (e.first == i) square += e.second;
                if (e.first >= i) continue;
                left.add(e.first);
                x[e.first] += e.second;
            }
            while (!left.empty()) {
                const int k = left.take();
                const double v = x[k] / pivots[k];
                x[k] = 0;
                for (const Entry& e : l[k]) {
                    left.add(e.first);
                    x[e.first] -= e.second * v;
                }
                l[k].emplace_back(i, v);
                square -= v * v;
            }
            if (!(square > 0)) return;
            pivots[i] = std::sqrt(square);
        }
    }
    std::vector<double> solve(std::vector<double> x) const {
        for (std::size_t k = 0; k < x.size(); ++k) {
            x[k] /= pivots[k];
            for (const Entry& e : l[k]) x[e.first] -= e.second * x[k];
        }
        for (std::size_t k = x.size(); k-- > 0;) {
            for (const Entry& e : l[k]) x[k] -= e.second * x[e.first];
            x[k] /= pivots[k];
        }
        return x;
    }
};

/// A = Q R by plane rotations: each row of A in turn is rotated against the rows of R until nothing is left of it.
struct Qr {
    struct Rotation {
        int row;  // of R
        double c, s;
    };
    std::vector<double> pivots;  // R's diagonal
    Lines r;                     // rows, with the diagonal
    std::vector<std::vector<Rotation>> rotations;  // of each row of A
    std::vector<int> becomes;                      // the row of R that the rest of it becomes, or -1

    void factor(const Lines& rows, int n) {
        r.assign(static_cast<std::size_t>(n), {});
        rotations.assign(rows.size(), {});
        becomes.assign(rows.size(), -1);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            Line rest = rows[i], turned, left;
            std::sort(rest.begin(), rest.end());
            while (!rest.empty()) {
                const int k = rest.front().first;
                if (r[k].empty()) {
                    r[k] = rest;
                    becomes[i] = k;
                    break;
                }
                const double size = std::hypot(r[k].front().second, rest.front().second);
                const double c = size == 0 ? 1 : r[k].front().second / size;
                const double s = size == 0 ? 0 : rest.front().second / size;
                rotations[i].push_back({k, c, s});
                turned.clear();
                left.clear();
                std::size_t a = 0, b = 0;
                while (a < r[k].size() || b < rest.size()) {
                    const bool from_a = b == rest.size() || (a < r[k].size() && r[k][a].first <= rest[b].first);
                    const bool from_b = a == r[k].size() || (b < rest.size() && rest[b].first <= r[k][a].first);
                    const int column = from_a ? r[k][a].first : rest[b].first;
                    const double of_r = from_a ? r[k][a].second : 0, of_rest = from_b ? rest[b].second : 0;
                    turned.emplace_back(column, c * of_r + s * of_rest);
                    if (column != k) left.emplace_back(column, c * of_rest - s * of_r);
                    a += from_a;
                    b += from_b;
                }
                r[k].swap(turned);
                rest.swap(left);
            }
        }
        pivots.clear();
        for (const Line& row : r) pivots.push_back(row.empty() ? 0 : row.front().second);
    }
    std::vector<double> solve(const std::vector<double>& b) const {
        std::vector<double> x(r.size());
        for (std::size_t i = 0; i < b.size(); ++i) {
            double rest = b[i];
            for (const Rotation& t : rotations[i]) {
                const double of_r = x[t.row];
                x[t.row] = t.c * of_r + t.s * rest;
                rest = t.c * rest - t.s * of_r;
            }
            if (becomes[i] >= 0) x[becomes[i]] = rest;
        }
        for (std::size_t k = r.size(); k-- > 0;) {
            for (const Entry& e : r[k])
                if (e.first != static_cast<int>(k)) x[k] -= e.second * x[e.first];
            x[k] /= pivots[k];
        }
        return x;
    }
};

/// Each vertex's neighbours in A + A^T, ascending, without itself.
inline std::vector<std::vector<int>> neighbours(const Lines& rows) {
    std::vector<std::vector<int>> out(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const Entry& e : rows[i]) {
            const int k = static_cast<int>(i);
            if (e.first == k) continue;
            out[i].push_back(e.first);
            out[e.first].push_back(k);
        }
    for (std::vector<int>& line : out) {
        std::sort(line.begin(), line.end());
        line.erase(std::unique(line.begin(), line.end()), line.end());
    }
    return out;
}

/// Cuthill and McKee's order, reversed: breadth first from a vertex that is far from others, the lowest degrees first.
inline std::vector<int> narrow_order(const std::vector<std::vector<int>>& graph) {
    const auto by_degree = [&](int a, int b) {
        return std::make_pair(graph[a].size(), a) < std::make_pair(graph[b].size(), b);
    };
    std::vector<int> order, roots(graph.size());
    std::vector<bool> placed(graph.size());
    for (std::size_t k = 0; k < roots.size(); ++k) roots[k] = static_cast<int>(k);
    std::sort(roots.begin(), roots.end(), by_degree);
    const auto walk = [&](int root, std::vector<bool> seen) {
        std::vector<int> found{root};
        seen[root] = true;
        for (std::size_t k = 0; k < found.size(); ++k) {
            const std::size_t begin = found.size();
            for (const int next : graph[found[k]])
                if (!seen[next]) {
                    seen[next] = true;
                    found.push_back(next);
                }
            std::sort(found.begin() + static_cast<std::ptrdiff_t>(begin), found.end(), by_degree);
        }
        return found;
    };
    for (int root : roots) {
        if (placed[root]) continue;
        if (!graph[root].empty()) root = walk(root, placed).back();
        for (const int k : walk(root, placed)) {
            placed[k] = true;
            order.push_back(k);
        }
    }
    std::reverse(order.begin(), order.end());
    return order;
}

/// The vertex of the least degree next; what it leaves behind is a clique of its neighbours.
inline std::vector<int> least_degree_order(std::vector<std::vector<int>> graph) {
    using Waiting = std::pair<std::size_t, int>;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting;
    for (std::size_t k = 0; k < graph.size(); ++k) waiting.emplace(graph[k].size(), static_cast<int>(k));
    std::vector<int> order, joined;
    std::vector<bool> placed(graph.size());
    while (!waiting.empty()) {
        const std::size_t degree = waiting.top().first;
        const int vertex = waiting.top().second;
        waiting.pop();
        if (placed[vertex] || degree != graph[vertex].size()) continue;
        placed[vertex] = true;
        order.push_back(vertex);
        const std::vector<int> clique = std::move(graph[vertex]);
        for (const int k : clique) {
            joined.clear();
            std::set_union(graph[k].begin(), graph[k].end(), clique.begin(), clique.end(), std::back_inserter(joined));
            joined.erase(std::remove_if(joined.begin(), joined.end(), [&](int j) { return j == k || j == vertex; }),
                         joined.end());
            graph[k] = joined;
            waiting.emplace(joined.size(), k);
        }
    }
    return order;
}

}  // namespace heddle_sparse_solver
