// For every pattern P that a top can reach and whose complement the bottom can reach, the extended groups are
// put together. The mirror takes P to a pattern with the same number of pairs of states, and so does the flip
// with the complement: of each orbit one pattern is done, and weighted.
#include "join/meeting.hpp"

#include <deque>

#include "join/desk.hpp"

namespace ktsolve::join {

namespace {

constexpr u64 kWordsPerTask = 512;
constexpr u64 kBlockOfPart = 64; // words of the bit set that stay in one part

} // namespace

Met meet(const Meeting& meeting) {
    const Numbering& numbering = meeting.numbering;
    Workers& workers = meeting.shop.workers;
    const u64 words = numbering.size() / 64 + 1;
    const Reservation reserved(meeting.shop.pool, 8 * words * (meeting.same ? 1 : 2));
    std::vector<u64> reached_top(words), reached_bottom;
    for (const Side* top : meeting.tops) top->mark_reached(reached_top, workers);
    if (!meeting.same) {
        reached_bottom.resize(words);
        meeting.bottom.mark_reached(reached_bottom, workers);
    }
    ContractionLists lists;
    {
        int most = 0;
        for (u64 w = 0; w < words && most < ContractionLists::kMostListed; ++w)
            for (u64 bits = reached_top[w]; bits != 0; bits &= bits - 1) {
                const u64 number = 64 * w + static_cast<u64>(std::countr_zero(bits));
                most =
                    std::max(most, pairs_of(meeting.shop.ends(numbering.pattern(number) | meeting.beyond)));
            }
        lists.prepare(most);
    }
    std::deque<Desk> desks; // their pauses hold addresses
    for (int w = 0; w < workers.threads(); ++w) desks.emplace_back(meeting, lists, w);
    const auto reached = [&](const std::vector<u64>& bits, u64 number) {
        return ((bits[number >> 6] >> (number & 63)) & 1) != 0;
    };
    const u64 tasks = (words + kWordsPerTask - 1) / kWordsPerTask;
    std::atomic<u64> done{0};
    const u64 before = workers.progress().step;
    workers.run(tasks, [&](int worker, u64 task) {
        Desk& desk = desks[static_cast<std::size_t>(worker)];
        const u64 end = std::min(words, (task + 1) * kWordsPerTask);
        for (u64 w = task * kWordsPerTask; w < end; ++w) {
            for (u64 bits = reached_top[w]; bits != 0; bits &= bits - 1) {
                const u64 number = 64 * w + static_cast<u64>(std::countr_zero(bits));
                const u64 pattern = numbering.pattern(number) | meeting.beyond;
                u64 opposite = (numbering.full() | meeting.full_beyond) - pattern;
                if (meeting.flip != nullptr) opposite = (*meeting.flip)(opposite);
                if (meeting.same && opposite < pattern) continue;
                if (!reached(meeting.same ? reached_top : reached_bottom, numbering.of(opposite))) continue;
                if (meeting.parts > 1) {
                    // The part is that of the least pattern of the orbit, whether or not the sides are one
                    // table.
                    u64 least = pattern;
                    if (meeting.flip != nullptr) least = std::min(least, opposite);
                    if (meeting.flip != nullptr && meeting.mirror != nullptr)
                        least = std::min(least, (*meeting.mirror)(opposite));
                    if (meeting.mirror != nullptr) least = std::min(least, (*meeting.mirror)(pattern));
                    if (numbering.of(least) / (64 * kBlockOfPart) % meeting.parts != meeting.part) continue;
                }
                u64 weight = 1;
                if (meeting.mirror != nullptr) {
                    const u64 image = (*meeting.mirror)(pattern);
                    if (image < pattern) continue;
                    if (meeting.same) {
                        if ((*meeting.mirror)(opposite) < pattern) continue;
                        // Distinct ones among pattern, image, opposite, image of opposite.
                        weight = image == pattern ? (opposite == pattern ? 1 : 2)
                                                  : (opposite == pattern || opposite == image ? 2 : 4);
                    } else {
                        weight = image == pattern ? 1 : 2;
                    }
                } else if (meeting.same) {
                    weight = opposite == pattern ? 1 : 2;
                }
                desk.take(pattern, opposite, weight);
            }
            workers.tick(worker);
        }
        const u64 n = ++done;
        if (worker == 0) workers.progress().step = before + n * 1000 / tasks;
    });
    workers.run(desks.size(), [&](int worker, u64 d) { desks[d].finish(worker); });
    Met all;
    all.totals.resize(meeting.tops.size());
    for (const Desk& desk : desks) {
        all.patterns += desk.met.patterns;
        all.extended += desk.met.extended;
        all.overflow = all.overflow || desk.met.overflow;
        for (std::size_t t = 0; t < all.totals.size(); ++t) {
            if (__builtin_add_overflow(all.totals[t], desk.met.totals[t], &all.totals[t]))
                all.overflow = true;
            if (meeting.shop.modulus != 0) all.totals[t] %= meeting.shop.modulus;
        }
    }
    return all;
}

} // namespace ktsolve::join
