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

} // namespace

JoinResult run_join_step(const JoinStep& step) {
    const Numbering& numbering = step.numbering;
    Workers& workers = step.context.workers;
    const u64 words = numbering.size() / 64 + 1;
    const Reservation reserved(step.context.pool, 8 * words * (step.same ? 1 : 2));
    std::vector<u64> reached_top(words), reached_bottom;
    for (const Side* top : step.tops) top->mark_reached(reached_top, workers);
    if (!step.same) {
        reached_bottom.resize(words);
        step.bottom.mark_reached(reached_bottom, workers);
    }
    ContractionLists lists;
    {
        int most = 0;
        for (u64 w = 0; w < words && most < ContractionLists::kMostListed; ++w)
            for (u64 bits = reached_top[w]; bits != 0; bits &= bits - 1) {
                const u64 number = 64 * w + static_cast<u64>(std::countr_zero(bits));
                most = std::max(most, pairs_of(step.context.ends(numbering.pattern(number) | step.beyond)));
            }
        lists.prepare(most);
    }
    std::deque<Workspace> workspaces; // a deque: its elements do not move, and their callbacks hold `this`
    for (int w = 0; w < workers.threads(); ++w) workspaces.emplace_back(step, lists, w);
    const auto reached = [&](const std::vector<u64>& bits, u64 number) {
        return ((bits[number >> 6] >> (number & 63)) & 1) != 0;
    };
    const u64 tasks = (words + kWordsPerTask - 1) / kWordsPerTask;
    std::atomic<u64> done{0};
    const u64 before = workers.progress().step;
    workers.run(tasks, [&](int worker, u64 task) {
        Workspace& workspace = workspaces[static_cast<std::size_t>(worker)];
        const u64 end = std::min(words, (task + 1) * kWordsPerTask);
        for (u64 w = task * kWordsPerTask; w < end; ++w) {
            for (u64 bits = reached_top[w]; bits != 0; bits &= bits - 1) {
                const u64 number = 64 * w + static_cast<u64>(std::countr_zero(bits));
                const u64 pattern = numbering.pattern(number) | step.beyond;
                u64 opposite = (numbering.full() | step.full_beyond) - pattern;
                if (step.flip != nullptr) opposite = (*step.flip)(opposite);
                if (step.same && opposite < pattern) continue;
                if (!reached(step.same ? reached_top : reached_bottom, numbering.of(opposite))) continue;
                if (step.parts > 1) {
                    // The part is that of the least pattern of the orbit, so that it does not depend on
                    // whether both sides are one table.
                    u64 least = pattern;
                    if (step.flip != nullptr) least = std::min(least, opposite);
                    if (step.flip != nullptr && step.mirror != nullptr)
                        least = std::min(least, (*step.mirror)(opposite));
                    if (step.mirror != nullptr) least = std::min(least, (*step.mirror)(pattern));
                    if (numbering.of(least) / (64 * kBlockOfPart) % step.parts != step.part) continue;
                }
                u64 weight = 1;
                if (step.mirror != nullptr) {
                    const u64 image = (*step.mirror)(pattern);
                    if (image < pattern) continue;
                    if (step.same) {
                        if ((*step.mirror)(opposite) < pattern) continue;
                        // The number of distinct ones among pattern, image, opposite, image of opposite.
                        weight = image == pattern ? (opposite == pattern ? 1 : 2)
                                                  : (opposite == pattern || opposite == image ? 2 : 4);
                    } else {
                        weight = image == pattern ? 1 : 2;
                    }
                } else if (step.same) {
                    weight = opposite == pattern ? 1 : 2;
                }
                workspace.take(pattern, opposite, weight);
            }
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
