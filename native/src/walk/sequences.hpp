// Sequences of cells that are cut, reversed and joined in logarithmic time: one splay tree each, in which a
// cell's place is the order of the tree, and a flag on a subtree turns it round.
//
// Rejected: arrays (a reversal costs its length: of a walk of a million cells, half a million steps), and
// two-level lists (the square root of it, and no simpler once sequences are cut).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ktsolve {

class Sequences {
  public:
    explicit Sequences(int cells) : nodes_(static_cast<std::size_t>(cells)) {}

    // Makes one sequence of cells that are all alone, in linear time.
    void build(const std::vector<std::int32_t>& cells) {
        if (!cells.empty()) build(cells, 0, cells.size());
    }

    bool together(int a, int b) {
        if (a == b) return true;
        splay(a);
        splay(b);
        return up(a) != kNone; // a was a root until b became the root above it
    }

    // Parts two neighbours.
    void cut(int a, int b) {
        splay(a);
        splay(b, a);
        const int side = down(a, 1) == b ? 1 : 0;
        down(a, side) = kNone;
        up(b) = kNone;
    }

    // Makes neighbours of two ends of different sequences.
    void join(int a, int b) {
        splay(a);
        face(a, 1);
        splay(b);
        face(b, 0);
        down(a, 1) = b;
        up(b) = a;
    }

    // The other end of the sequence that has this end.
    int far_end(int end) {
        splay(end);
        return extreme(end, down(end, 1) == kNone ? 0 : 1);
    }

    // The first cell (side 0) or the last one (side 1) of the sequence of a cell.
    int extreme(int v, int side) {
        splay(v);
        for (settle(v); down(v, side) != kNone; settle(v)) v = down(v, side);
        splay(v); // pays for the way down
        return v;
    }

  private:
    static constexpr std::int32_t kNone = -1;
    struct Node {
        std::int32_t up = kNone;
        std::int32_t down[2] = {kNone, kNone};
        bool turned = false; // left and right are exchanged in the whole subtree, itself included
    };

    Node& node(int v) { return nodes_[static_cast<std::size_t>(v)]; }
    std::int32_t& up(int v) { return node(v).up; }
    std::int32_t& down(int v, int side) { return node(v).down[side]; } // of a settled node
    // Turns the whole sequence of an end, which is the root, so that nothing is on that side of it.
    void face(int end, int side) {
        if (down(end, side) == kNone) return;
        turn(end);
        settle(end);
    }
    void turn(int v) { node(v).turned = !node(v).turned; }

    // Hands a flag on to the children.
    void settle(int v) {
        Node& here = node(v);
        if (!here.turned) return;
        std::swap(here.down[0], here.down[1]);
        for (const int child : here.down)
            if (child != kNone) turn(child);
        here.turned = false;
    }

    int build(const std::vector<std::int32_t>& cells, std::size_t from, std::size_t to) {
        const std::size_t middle = from + (to - from) / 2;
        const int v = cells[middle];
        if (from < middle) hang(v, 0, build(cells, from, middle));
        if (middle + 1 < to) hang(v, 1, build(cells, middle + 1, to));
        return v;
    }

    void hang(int v, int side, int child) {
        node(v).down[side] = child;
        up(child) = v;
    }

    // One rotation: v takes the place of its parent. Both are settled.
    void lift(int v) {
        const int parent = up(v), above = up(parent);
        const int side = node(parent).down[1] == v ? 1 : 0;
        const int moved = node(v).down[1 - side];
        node(parent).down[side] = moved;
        if (moved != kNone) up(moved) = parent;
        node(v).down[1 - side] = parent;
        up(parent) = v;
        up(v) = above;
        if (above != kNone) {
            Node& top = node(above);
            top.down[top.down[1] == parent ? 1 : 0] = v;
        }
    }

    // Makes v the root of its tree, or the child of `under`, which is the root.
    void splay(int v, int under = kNone) {
        path_.clear();
        for (int a = v; a != kNone; a = up(a)) path_.push_back(a);
        while (!path_.empty()) {
            settle(path_.back());
            path_.pop_back();
        }
        while (up(v) != under) {
            const int parent = up(v), above = up(parent);
            if (above != under)
                lift((node(parent).down[1] == v) == (node(above).down[1] == parent) ? parent : v);
            lift(v);
        }
    }

    std::vector<Node> nodes_;
    std::vector<std::int32_t> path_; // to the root, while flags are handed down
};

} // namespace ktsolve
