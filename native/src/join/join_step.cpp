// For every pattern P that a top can reach and whose complement the bottom can reach, the extended groups are
// joined. The mirror maps P to a pattern with the same number of pairs of states, and so does the flip with
// the complement. One pattern of each orbit is joined and weighted by the size of the orbit.
#include "join/join_step.hpp"

#include <deque>

#include "join/workspace.hpp"

namespace ktsolve::join {

namespace {

constexpr u64 kWordsPerTask = 512;
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
    const auto& bits = step_.same ? reached_top_ : reached_bottom_;
    const u64 number = step_.numbering.of(opposite);
    if (((bits[number >> 6] >> (number & 63)) & 1) == 0) return 0;
    if (step_.parts > 1) {
        // The part is that of the least pattern of the orbit, so that it does not depend on whether both
        // sides are one table.
        u64 least = pattern;
        if (step_.flip != nullptr) least = std::min(least, opposite);
        if (step_.flip != nullptr && step_.mirror != nullptr)
            least = std::min(least, (*step_.mirror)(opposite));
        if (step_.mirror != nullptr) least = std::min(least, (*step_.mirror)(pattern));
        if (step_.numbering.of(least) / (64 * kBlockOfPart) % step_.parts != step_.part) return 0;
    }
    if (step_.mirror == nullptr) return step_.same && opposite != pattern ? 2 : 1;
    const u64 image = (*step_.mirror)(pattern);
    if (image < pattern) return 0;
    if (!step_.same) return image == pattern ? 1 : 2;
    if ((*step_.mirror)(opposite) < pattern) return 0;
    // The number of distinct ones among pattern, image, opposite, image of opposite.
    if (image == pattern) return opposite == pattern ? 1 : 2;
    return opposite == pattern || opposite == image ? 2 : 4;
}

JoinResult run_join_step(const JoinStep& step) {
    Workers& workers = step.context.workers;
    const PatternOrbits orbits(step);
    const u64 words = orbits.words();
    ContractionLists lists;
    lists.prepare(orbits.most_pairs(ContractionLists::kMostListed));
    std::deque<Workspace> workspaces; // a deque: its elements do not move, and their callbacks hold `this`
    for (int w = 0; w < workers.threads(); ++w) workspaces.emplace_back(step, lists, w);
    const u64 tasks = (words + kWordsPerTask - 1) / kWordsPerTask;
    std::atomic<u64> done{0};
    const u64 before = workers.progress().step;
    workers.run(tasks, [&](int worker, u64 task) {
        Workspace& workspace = workspaces[static_cast<std::size_t>(worker)];
        const u64 end = std::min(words, (task + 1) * kWordsPerTask);
        for (u64 w = task * kWordsPerTask; w < end; ++w) {
            orbits.each(w, w + 1, [&](u64 pattern, u64 opposite, u64 weight) {
                workspace.take(pattern, opposite, weight);
            });
            workers.tick(worker);
        }
        const u64 n = ++done;
        if (worker == 0) workers.progress().step = before + n * 1000 / tasks;
    });
    workers.run(workspaces.size(), [&](int worker, u64 d) { workspaces[d].finish(worker); });
    JoinResult all;
    all.totals.resize(step.tops.size());
    for (const Workspace& workspace : workspaces) {
        all.patterns += workspace.result.patterns;
        all.extended += workspace.result.extended;
        all.overflow = all.overflow || workspace.result.overflow;
        for (std::size_t t = 0; t < all.totals.size(); ++t) {
            if (__builtin_add_overflow(all.totals[t], workspace.result.totals[t], &all.totals[t]))
                all.overflow = true;
            if (step.context.modulus != 0) all.totals[t] %= step.context.modulus;
        }
    }
    return all;
}

} // namespace ktsolve::join
