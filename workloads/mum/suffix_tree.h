#pragma once
// A suffix tree of a text over the four bases, in the form that the device walks.
//
// Built by Ukkonen's algorithm (Algorithmica 14, 1995). The text ends with kEnd, which occurs nowhere else, so every
// suffix ends in a leaf of its own. Nodes are then numbered as MUMmerGPU orders them (Schatz, Trapnell, Delcher, Varshney
// 2007): the levels near the root breadth first, since every query passes them; below, depth first, so that a subtree
// lies together.

#include "../common/workload.h"

namespace workloads {

constexpr u8 kEnd = 4;  // a base is 0 to 3
constexpr u32 kNone = ~u32{0};
constexpr u32 kRoot = 0;

/// 16 bytes, as a texel of MUMmerGPU's tree. The edge that leads to the node is text[start, end).
struct alignas(16) Node {
    u32 start, end;
    u32 link;  // to the node whose path is this one's without its first base; inner nodes
    u32 parent;
};

/// By the first base of the edge; kNone: there is none.
struct alignas(16) Children {
    u32 child[4];
};

class SuffixTree {
  public:
    std::vector<Node> node;
    std::vector<Children> children;
    std::vector<u32> occurrence;  // of each node: a place of the text where its path begins

    explicit SuffixTree(const std::vector<u8>& text) : text_(text) {
        build();
        renumber();
    }

  private:
    static constexpr u32 kBreadthFirstLevels = 16;

    struct Growing {
        u32 start, end, link = kRoot, parent = kRoot;
        u32 child[5] = {kNone, kNone, kNone, kNone, kNone};
    };

    u32 add(u32 start, u32 end) {
        tree_.push_back({start, end});
        return static_cast<u32>(tree_.size() - 1);
    }
    u32 length(u32 n, u32 position) const { return std::min(tree_[n].end, position + 1) - tree_[n].start; }

    void build() {
        tree_.reserve(2 * text_.size());
        add(0, 0);  // the root
        const u32 size = static_cast<u32>(text_.size());
        // The active point: `active_length` bases along the edge from `active` that begins with text[active_edge].
        u32 active = kRoot, active_edge = 0, active_length = 0, pending = 0;
        for (u32 position = 0; position < size; ++position) {
            u32 waits_for_link = kNone;
            const auto link_to = [&](u32 n) {
                if (waits_for_link != kNone) tree_[waits_for_link].link = n;
                waits_for_link = n;
            };
            for (++pending; pending > 0;) {
                if (active_length == 0) active_edge = position;
                const u32 next = tree_[active].child[text_[active_edge]];
                if (next == kNone) {
                    const u32 leaf = add(position, size);
                    tree_[active].child[text_[active_edge]] = leaf;
                    link_to(active);
                } else {
                    const u32 along = length(next, position);
                    if (active_length >= along) {
                        active_edge += along;
                        active_length -= along;
                        active = next;
                        continue;
                    }
                    const u32 start = tree_[next].start;
                    if (text_[start + active_length] == text_[position]) {
                        ++active_length;
                        link_to(active);
                        break;
                    }
                    const u32 split = add(start, start + active_length), leaf = add(position, size);
                    tree_[active].child[text_[active_edge]] = split;
                    tree_[split].child[text_[position]] = leaf;
                    tree_[next].start += active_length;
                    tree_[split].child[text_[tree_[next].start]] = next;
                    link_to(split);
                }
                --pending;
                if (active == kRoot && active_length > 0) {
                    --active_length;
                    active_edge = position - pending + 1;
                } else if (active != kRoot) {
                    active = tree_[active].link;
                }
            }
        }
    }

    void renumber() {
        std::vector<u32> order{kRoot}, depth{0};  // old numbers in the new order, and the bases to the node
        order.reserve(tree_.size());
        depth.reserve(tree_.size());
        std::vector<u32> number(tree_.size());
        const auto take = [&](u32 parent, u32 n) {
            tree_[n].parent = parent;
            number[n] = static_cast<u32>(order.size());
            order.push_back(n);
            depth.push_back(depth[number[parent]] + tree_[n].end - tree_[n].start);
        };
        std::size_t level_begin = 0;
        for (u32 level = 0; level < kBreadthFirstLevels; ++level) {
            const std::size_t level_end = order.size();
            for (std::size_t i = level_begin; i < level_end; ++i)
                for (const u32 c : tree_[order[i]].child)
                    if (c != kNone) take(order[i], c);
            level_begin = level_end;
        }
        std::vector<std::pair<u32, u32>> stack;  // parent and node
        const auto push = [&](u32 n) {
            for (u32 c = 5; c-- > 0;)
                if (tree_[n].child[c] != kNone) stack.emplace_back(n, tree_[n].child[c]);
        };
        const std::size_t breadth_end = order.size();
        for (std::size_t i = level_begin; i < breadth_end; ++i) {
            push(order[i]);
            while (!stack.empty()) {
                const auto [parent, n] = stack.back();
                stack.pop_back();
                take(parent, n);
                push(n);
            }
        }
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Growing& n = tree_[order[i]];
            node.push_back({n.start, n.end, number[n.link], number[n.parent]});
            Children c;
            for (u32 b = 0; b < 4; ++b) c.child[b] = n.child[b] == kNone ? kNone : number[n.child[b]];
            children.push_back(c);
            occurrence.push_back(n.end - depth[i]);
        }
        tree_ = {};
    }

    const std::vector<u8>& text_;
    std::vector<Growing> tree_;
};

}  // namespace workloads
