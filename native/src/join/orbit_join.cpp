// Joins each leading pattern of the top with the leading image of its complement.
#include "join/orbit_join.hpp"

#include <algorithm>
#include <deque>

#include "join/thin_join.hpp"

namespace ktsolve::join {

namespace {

using Ends = std::array<u8, kMostEnds>;

// The work of one thread.
class OrbitWorkspace {
  public:
    OrbitWorkspace(const OrbitJoin& step, const ContractionLists& lists, int in_arrays)
        : step_(step), lists_(lists), in_arrays_(in_arrays), reserved_(step.context.pool),
          thin_(in_arrays, step.context.pool, step.context.transitions, lists, space_) {
        space_.pause = [this] { step_.context.workers.tick(worker_); };
        result.totals.resize(kMostPairs + 1);
    }

    JoinResult result; // by pairs

    // Joins the groups of complementary patterns; to[i] is the end of the top's that end i of the bottom's
    // is.
    void take(int worker, int pairs, const GroupRef& top, const GroupRef& bottom, const Ends& to,
              u64 weight) {
        worker_ = worker;
        ++result.patterns;
        result.extended += u64{top.count} + bottom.count;
        const u128 sum =
            pairs > in_arrays_ ? by_lists(pairs, top, bottom, to) : by_arrays(pairs, top, bottom, to);
        result.add(static_cast<std::size_t>(pairs), sum, weight, step_.context.modulus);
    }

  private:
    u128 by_arrays(int pairs, const GroupRef& top, const GroupRef& bottom, const Ends& to) {
        const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
        if (values_.size() < many) {
            reserved_.add(2 * 8 * (many - values_.size()));
            values_.resize(many);
            closed_.resize(many);
        }
        std::fill_n(values_.begin(), many, u64{0});
        const auto first = static_cast<std::size_t>(2 * pairs);
        const bool renamed = permutation_key(to, static_cast<int>(first)) != kIdentityKey[pairs];
        for_each_entry(bottom.entries, bottom.count, bottom.width, pairs, [&](u64 rank, u64 count) {
            values_[renamed ? rank_permuted(pairs, to.data(), rank) : rank] = count;
        });
        close_cycles(pairs, values_.data(), closed_.data(), lists_, space_);
        u128 sum = 0;
        for_each_entry(top.entries, top.count, top.width, pairs, [&](u64 rank, u64 count) {
            const u128 product = static_cast<u128>(closed_[rank]) * count;
            result.overflow = add_overflows(sum, product, &sum) || result.overflow;
        });
        return sum;
    }

    u128 by_lists(int pairs, const GroupRef& top, const GroupRef& bottom, const Ends& to) {
        thin_.contracted.clear();
        thin_.weighed.clear();
        for_each_entry(bottom.entries, bottom.count, bottom.width, pairs, [&](u64 rank, u64 count) {
            thin_.contracted.add({rank_permuted(pairs, to.data(), rank), count});
        });
        for_each_entry(top.entries, top.count, top.width, pairs,
                       [&](u64 rank, u64 count) { thin_.weighed.add({rank, count, 0}); });
        std::vector<u128> sums{0};
        result.overflow = thin_.run(pairs, sums) || result.overflow;
        return sums[0];
    }

    const OrbitJoin& step_;
    const ContractionLists& lists_;
    int in_arrays_, worker_ = 0;
    Reservation reserved_;
    ContractionSpace space_;
    PagedVector<u64> values_, closed_; // by matchings
    ThinJoin thin_;
};

} // namespace

std::vector<GroupOfOrbit> groups_of(const Layer& layer, Workers& workers) {
    std::vector<GroupOfOrbit> all;
    all.reserve(layer.groups());
    for (const Segment& segment : layer.segments()) {
        workers.poll();
        for (const Group& group : segment) all.push_back({group.pattern, GroupRef(segment, group)});
    }
    // Several blocks are in order each by itself.
    std::sort(all.begin(), all.end(),
              [](const GroupOfOrbit& a, const GroupOfOrbit& b) { return a.pattern < b.pattern; });
    return all;
}

Opposite opposite_of(const OrbitJoin& step, const std::vector<GroupOfOrbit>& bottoms, u64 top) {
    u64 complement = step.full - top;
    if (step.flip != nullptr) complement = (*step.flip)(complement);
    const PatternGroup::Leading image = step.bottom_group.leading(complement);
    Opposite found{image.pattern, {}, nullptr};
    const auto there =
        std::lower_bound(bottoms.begin(), bottoms.end(), image.pattern,
                         [](const GroupOfOrbit& g, u64 pattern) { return g.pattern < pattern; });
    if (there == bottoms.end() || there->pattern != image.pattern) return found;
    found.found = &*there;
    // Slot s of the top's pattern is slot flip(s) of the complement and image.to[flip(s)] below.
    const u64 ends_below = step.context.ends(image.pattern);
    u8 i = 0;
    for (u64 rest = step.context.ends(top); rest != 0; rest &= rest - 1) {
        const int slot = std::countr_zero(rest) / 2;
        const int below = image.to[static_cast<std::size_t>(step.flip ? step.flip->slot(slot) : slot)];
        found.to[static_cast<std::size_t>(place_of(ends_below, below))] = i++;
    }
    return found;
}

JoinResult run_orbit_join(const OrbitJoin& step) {
    Context& context = step.context;
    Workers& workers = context.workers;
    const std::vector<GroupOfOrbit> tops = groups_of(step.top, workers);
    const std::vector<GroupOfOrbit> others =
        step.same ? std::vector<GroupOfOrbit>() : groups_of(step.bottom, workers);
    const std::vector<GroupOfOrbit>& bottoms = step.same ? tops : others;
    const Reservation reserved_groups(context.pool, (tops.size() + others.size()) * sizeof(GroupOfOrbit));
    int most = 0;
    for (const GroupOfOrbit& top : tops) most = std::max(most, pairs_of(context.ends(top.pattern)));
    constexpr int in_arrays = ContractionLists::kMostListed;
    ContractionLists lists;
    lists.prepare(std::min(most, in_arrays), workers);
    const Reservation reserved(context.pool, lists.bytes(workers.threads()));
    std::deque<OrbitWorkspace> workspaces;
    for (int w = 0; w < workers.threads(); ++w) workspaces.emplace_back(step, lists, in_arrays);
    constexpr u64 kPatterns = task_size(64); // of a task
    const u64 tasks = (tops.size() + kPatterns - 1) / kPatterns;
    std::atomic<u64> done{0};
    const u64 before = workers.progress().step;
    workers.run(tasks, [&](int worker, u64 task) {
        const u64 end = std::min<u64>(tops.size(), (task + 1) * kPatterns);
        for (u64 n = task * kPatterns; n < end; ++n) {
            workers.tick(worker);
            const GroupOfOrbit& top = tops[n];
            const Opposite opposite = opposite_of(step, bottoms, top.pattern);
            if (step.same && opposite.pattern < top.pattern) continue; // joined the other way round
            const u64 least = step.flip != nullptr ? std::min(top.pattern, opposite.pattern) : top.pattern;
            if (least * 0x9E3779B97F4A7C15ull % step.parts != step.part) continue;
            if (opposite.found == nullptr) continue;
            const u64 orbit = step.top_group.size() / step.top_group.leading(top.pattern).stabilizer;
            const u64 weight = orbit * (step.same && opposite.pattern != top.pattern ? 2 : 1);
            workspaces[static_cast<std::size_t>(worker)].take(worker, pairs_of(context.ends(top.pattern)),
                                                              top.group, opposite.found->group, opposite.to,
                                                              weight);
        }
        const u64 n = ++done;
        if (worker == 0) workers.progress().step = before + n * 1000 / tasks;
    });
    JoinResult all;
    all.totals.resize(kMostPairs + 1);
    for (const OrbitWorkspace& workspace : workspaces) all.add(workspace.result, context.modulus);
    return all;
}

} // namespace ktsolve::join
