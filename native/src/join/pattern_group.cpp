// Lists a group of permutations as a tree, and compares patterns with their images.
#include "join/pattern_group.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ktsolve::join {

PatternGroup::PatternGroup(const std::vector<std::vector<u8>>& generators, std::vector<u8> order)
    : order_(std::move(order)), levels_(order_.size()) {
    const std::size_t slots = order_.size();
    for (std::size_t i = 0; i < slots; ++i) place_[order_[i]] = static_cast<u8>(i);
    // Elements as the sequences of slots that they read. With h also each product of h and a generator is
    // one, and all products of generators are all elements of a finite group.
    std::set<std::vector<u8>> all{order_};
    std::vector<std::vector<u8>> open{order_};
    while (!open.empty()) {
        const std::vector<u8> element = std::move(open.back());
        open.pop_back();
        for (const std::vector<u8>& generator : generators) {
            std::vector<u8> product;
            for (const u8 slot : element) product.push_back(generator[slot]);
            if (!all.insert(product).second) continue;
            if (all.size() > kMost) throw std::length_error("the symmetries of the plan are too many");
            open.push_back(std::move(product));
        }
    }
    size_ = all.size();
    elements_.reserve(size_ * slots);
    for (const std::vector<u8>& element : all)
        elements_.insert(elements_.end(), element.begin(), element.end());
    // A node ends where the next element differs in its slot or before. Children are numbered in their
    // level, those of the last level by elements.
    const auto at = [&](u64 element, std::size_t depth) { return elements_[element * slots + depth]; };
    for (u64 n = 0; n < size_; ++n) {
        std::size_t depth = 0;
        if (n > 0)
            while (at(n, depth) == at(n - 1, depth)) ++depth;
        for (; depth < slots; ++depth) {
            const auto next =
                static_cast<u32>(depth + 1 < slots ? levels_[depth + 1].size() : static_cast<std::size_t>(n));
            levels_[depth].push_back({next, next, at(n, depth)});
        }
    }
    for (std::size_t depth = 0; depth < slots; ++depth) {
        std::vector<Node>& level = levels_[depth];
        const auto all_next = static_cast<u32>(depth + 1 < slots ? levels_[depth + 1].size() : size_);
        for (std::size_t i = 0; i < level.size(); ++i)
            level[i].end = i + 1 < level.size() ? level[i + 1].first : all_next;
    }
}

bool PatternGroup::may_lead(u64 pattern, std::size_t known) const {
    return known == 0 || may_lead(pattern, known, 0, 0, static_cast<u32>(levels_[0].size()));
}

bool PatternGroup::may_lead(u64 pattern, std::size_t known, std::size_t depth, u32 first, u32 end) const {
    const int own = value(pattern, order_[depth]);
    const std::vector<Node>& level = levels_[depth];
    for (u32 n = first; n < end; ++n) {
        const Node& node = level[n];
        const int other = value(pattern, node.slot);
        if (other > own) return false;
        if (other == own && place_[node.slot] < known && depth + 1 < known &&
            !may_lead(pattern, known, depth + 1, node.first, node.end))
            return false;
    }
    return true;
}

PatternGroup::Leading PatternGroup::leading(u64 pattern) const {
    struct Range {
        u32 first, end;
    };
    std::vector<Range> here{{0, static_cast<u32>(levels_[0].size())}}, next;
    for (const std::vector<Node>& level : levels_) {
        int most = -1;
        for (const Range& range : here)
            for (u32 n = range.first; n < range.end; ++n) {
                const int own = value(pattern, level[n].slot);
                if (own < most) continue;
                if (own > most) next.clear();
                most = own;
                next.push_back({level[n].first, level[n].end});
            }
        std::swap(here, next);
        next.clear();
    }
    Leading found;
    found.stabilizer = 0;
    for (const Range& range : here) found.stabilizer += range.end - range.first;
    const std::size_t slots = order_.size();
    for (std::size_t i = 0; i < slots; ++i) {
        const u8 from = elements_[here.front().first * slots + i];
        found.to[from] = order_[i];
        found.pattern |= field(order_[i], static_cast<u64>(value(pattern, from)));
    }
    return found;
}

std::vector<std::array<u8, kMostSlots>> PatternGroup::keepers(u64 pattern) const {
    std::vector<std::array<u8, kMostSlots>> found;
    const std::size_t slots = order_.size();
    for (u64 n = 0; n < size_; ++n) {
        std::array<u8, kMostSlots> to{};
        bool keeps = true;
        for (std::size_t i = 0; i < slots; ++i) {
            const u8 from = elements_[n * slots + i];
            keeps = keeps && value(pattern, from) == value(pattern, order_[i]);
            to[from] = order_[i];
        }
        if (keeps) found.push_back(to);
    }
    return found;
}

} // namespace ktsolve::join
