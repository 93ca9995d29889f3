// For every pattern P that a top can reach and whose complement the bottom can reach, the extended groups are
// joined. The mirror maps P to a pattern with the same number of pairs of states, and so does the flip with
// the complement. One pattern of each orbit is joined and weighted by the size of the orbit.
#include "join/join_step.hpp"

#include <deque>

#include "join/tally.hpp"
#include "join/workspace.hpp"

namespace ktsolve::join {

namespace {

constexpr u64 kWordsPerTask = task_size(512);
constexpr u64 kBlockOfPart = 64; // words of the bit set that stay in one part

u64 words_for(const Numbering& numbering) {
    return numbering.size() / 64 + 1;
}

} // namespace

PatternOrbits::PatternOrbits(const JoinStep& step)
    : step_(step), reserved_(step.context.pool, 8 * words_for(step.numbering) * (step.same ? 1 : 2)),
      reached_top_(words_for(step.numbering)) {
    for (const Side* top : step.tops) top->mark_reached(reached_top_, step.context.workers);
    if (!step.same) {
        reached_bottom_.resize(reached_top_.size());
        step.bottom.mark_reached(reached_bottom_, step.context.workers);
    }
}

int PatternOrbits::most_pairs(int enough) const {
    int most = 0;
    for (u64 w = 0; w < words() && most < enough; ++w)
        for (u64 bits = reached_top_[w]; bits != 0; bits &= bits - 1) {
            const u64 number = 64 * w + static_cast<u64>(std::countr_zero(bits));
            most =
                std::max(most, pairs_of(step_.context.ends(step_.numbering.pattern(number) | step_.beyond)));
        }
    return std::min(most, enough);
}

u64 PatternOrbits::weight_of(u64 pattern, u64 opposite) const {
    if (step_.same && opposite < pattern) return 0;
    const u64 image = step_.mirror == nullptr ? pattern : (*step_.mirror)(pattern);
    const u64 opposite_image = step_.mirror == nullptr ? opposite : (*step_.mirror)(opposite);
    if (image < pattern || (step_.same && opposite_image < pattern)) return 0;
    if (step_.parts > 1) {
        // The part is that of the least pattern of the orbit, so that it does not depend on whether both
        // sides are one table.
        u64 least = pattern;
        if (step_.flip != nullptr) least = std::min({least, opposite, opposite_image});
        if (step_.numbering.of(least) / (64 * kBlockOfPart) % step_.parts != step_.part) return 0;
    }
    if (step_.mirror == nullptr) return step_.same && opposite != pattern ? 2 : 1;
    if (!step_.same) return image == pattern ? 1 : 2;
    // The number of distinct ones among pattern, image, opposite, image of opposite.
    if (image == pattern) return opposite == pattern ? 1 : 2;
    return opposite == pattern || opposite == image ? 2 : 4;
}

void each_orbit(const JoinStep& step, const PatternOrbits& orbits,
                const std::function<void(int, u64, u64, u64)>& take) {
    Workers& workers = step.context.workers;
    const u64 words = orbits.words(), tasks = (words + kWordsPerTask - 1) / kWordsPerTask;
    std::atomic<u64> done{0};
    const u64 before = workers.progress().step;
    // The pattern of most pairs comes first, so that no thread is left with it while the others have nothing
    // to do: all its vertices are ends, and its digits 1. The others come from the end: where both sides are
    // one table the patterns of many pairs are the last.
    const u64 most = step.numbering.of(step.numbering.full() / 2 & kLow) / (64 * kWordsPerTask);
    workers.run(tasks, [&](int worker, u64 task) {
        const u64 back = tasks - task; // of the others, the last one first
        const u64 number = task == 0 ? most : back > most ? back : back - 1;
        const u64 from = number * kWordsPerTask, end = std::min(words, from + kWordsPerTask);
        for (u64 w = from; w < end; ++w) {
            orbits.each(w, w + 1, [&](u64 pattern, u64 opposite, u64 weight) {
                take(worker, pattern, opposite, weight);
            });
            workers.tick(worker);
        }
        const u64 n = ++done;
        if (worker == 0) workers.progress().step = before + n * 1000 / tasks;
    });
}

JoinResult run_join_step(const JoinStep& step) {
    Workers& workers = step.context.workers;
    const PatternOrbits orbits(step);
    const int in_lanes = most_in_lanes(step.context);
    ContractionLists lists;
    lists.prepare(orbits.most_pairs(in_lanes), workers);
    const Reservation reserved(step.context.pool, lists.bytes(workers.threads()));
    std::deque<Workspace> workspaces; // a deque: its elements do not move, and their callbacks hold `this`
    for (int w = 0; w < workers.threads(); ++w) workspaces.emplace_back(step, lists, w, in_lanes);
    each_orbit(step, orbits, [&](int worker, u64 pattern, u64 opposite, u64 weight) {
        workspaces[static_cast<std::size_t>(worker)].take(pattern, opposite, weight);
    });
    workers.run(workspaces.size(), [&](int worker, u64 d) { workspaces[d].finish(worker); });
    JoinResult all;
    all.totals.resize(step.totals);
    for (const Workspace& workspace : workspaces) all.add(workspace.result, step.context.modulus);
    return all;
}

JoinResult run_tally_step(const JoinStep& step) {
    Workers& workers = step.context.workers;
    const PatternOrbits orbits(step);
    ContractionLists lists;
    lists.prepare(orbits.most_pairs(ContractionLists::kMostListed), workers);
    const Reservation reserved(step.context.pool, lists.bytes(workers.threads()));
    std::deque<TallyWorkspace> workspaces;
    for (int w = 0; w < workers.threads(); ++w) workspaces.emplace_back(step, lists, w);
    each_orbit(step, orbits, [&](int worker, u64 pattern, u64 opposite, u64 weight) {
        workspaces[static_cast<std::size_t>(worker)].take(pattern, opposite, weight);
    });
    JoinResult all;
    all.totals.resize(kMostUses + 1);
    for (const TallyWorkspace& workspace : workspaces) all.add(workspace.result, step.context.modulus);
    return all;
}

void JoinResult::add(const JoinResult& other, u64 modulus) {
    patterns += other.patterns;
    extended += other.extended;
    overflow = overflow || other.overflow;
    for (std::size_t t = 0; t < totals.size(); ++t) {
        (void)add_limbs(totals[t].data(), other.totals[t].data(), std::tuple_size_v<Total>);
        if (modulus != 0) totals[t][0] %= modulus;
    }
}

void JoinResult::add(std::size_t t, u128 value, u64 factor, u64 modulus) {
    if (modulus != 0) {
        const u128 residue = value % modulus * (factor % modulus) + totals[t][0];
        totals[t][0] = static_cast<u64>(residue % modulus);
        return;
    }
    const std::array<u64, 2> limbs{static_cast<u64>(value), static_cast<u64>(value >> 64)};
    add_product(totals[t].data(), std::tuple_size_v<Total>, limbs.data(), 2, &factor, 1);
}

Total JoinResult::sum(u64 modulus) const {
    JoinResult all;
    all.totals.resize(1);
    for (const Total& total : totals) all.add(JoinResult{.totals = {total}}, modulus);
    return all.totals[0];
}

} // namespace ktsolve::join
