// Lists the leading patterns of a block, and compares patterns with them.
#include "join/leading_patterns.hpp"

#include <algorithm>
#include <functional>

#include "join/half_steps.hpp"

namespace ktsolve::join {

namespace {

// Patterns and beginnings of such that are tried, at most: about a second.
constexpr u64 kMostTried = 500'000;

} // namespace

LeadingPatterns::LeadingPatterns(const HalfTask& task) : slots_(task.separator.size()) {
    if (task.group == nullptr || task.split >= 0) return;
    const std::vector<u8>& order = task.group->order();
    std::vector<DegreeRange> ranges;
    for (const u8 slot : order) {
        const int v = task.separator[slot];
        ranges.push_back(degree_range(task, v));
        for (std::size_t i = 0; i < task.block().size(); ++i)
            if (task.block()[i] == std::vector<int>{v})
                ranges.back() = {std::max(ranges.back().least, task.block_sums[i]),
                                 std::min(ranges.back().most, task.block_sums[i])};
    }
    u64 tried = 0;
    nodes_.emplace_back();
    // Adds what begins with these degrees. The node, or 0 if there is none, or too many.
    const std::function<u32(u64, std::size_t, int, int)> add = [&](u64 pattern, std::size_t depth, int sum,
                                                                   int ends) -> u32 {
        const int others = 2 * static_cast<int>(slots_ - depth);
        if (++tried > kMostTried || !task.group->may_lead(pattern, depth) ||
            (task.sum >= 0 && (sum > task.sum || sum + others < task.sum)))
            return 0;
        if (depth == slots_) return ends % 2 == 0 && (task.most_ends < 0 || ends <= task.most_ends) ? 1 : 0;
        Node children{};
        bool any = false;
        for (int degree = ranges[depth].least; degree <= ranges[depth].most; ++degree) {
            u32& child = children[static_cast<std::size_t>(degree)];
            child = add(pattern | field(order[depth], static_cast<u64>(degree)), depth + 1, sum + degree,
                        ends + (degree == 1));
            any = any || child != 0;
        }
        if (!any) return 0;
        if (depth == 0) {
            nodes_[0] = children;
            return 1;
        }
        nodes_.push_back(children);
        return static_cast<u32>(nodes_.size() - 1);
    };
    (void)add(0, 0, 0, 0);
    if (tried > kMostTried) nodes_.clear();
}

bool LeadingPatterns::may_come_of(u64 pattern, const AllProgress& progress, std::size_t depth,
                                  u32 node) const {
    if (depth == slots_) return true;
    const auto [shift, to_come] = progress[depth];
    const int degree = shift < 0 ? 0 : static_cast<int>((pattern >> shift) & 3);
    for (int then = degree; then <= std::min(2, degree + to_come); ++then)
        if (const u32 child = nodes_[node][static_cast<std::size_t>(then)];
            child != 0 && may_come_of(pattern, progress, depth + 1, child))
            return true;
    return false;
}

} // namespace ktsolve::join
