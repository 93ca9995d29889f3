// Folding a layer under the mirror symmetry of what has been eliminated.
//
// When the set of eliminated vertices is its own mirror image, a state and its mirror image have the same
// count in the table T. It is enough to keep a table N with 2 T = N + mirror(N), in which of two mirror
// patterns only the smaller has a group. Elimination is linear and commutes with the mirror, so the relation
// holds from one such layer to the next. T itself is not needed: the join takes 2 T.
#include <algorithm>

#include "join/last_reading.hpp"
#include "join/step.hpp"

namespace ktsolve::join {

namespace {

struct Mirrored {
    u64 image; // the smaller pattern, to whose group this one is added
    const Group* group;
    const u8* entries;
    bool operator<(const Mirrored& other) const { return image < other.image; }
};

} // namespace

Layer fold(Layer&& old, const FieldPermutation& mirror, bool whole, Context& context) {
    const Ranges ranges = ranges_for({&old}, {EdgeChoice{}}, context.workers.threads());
    const auto& segments = old.segments();
    // For each range, the groups that are added to those of a smaller pattern, sorted by that pattern.
    std::vector<std::vector<Mirrored>> moved(ranges.size());
    {
        std::vector<std::mutex> locks(ranges.size());
        context.workers.run(segments.size(), [&](int worker, u64 s) {
            std::vector<std::pair<std::size_t, Mirrored>> found;
            for (const Group& group : segments[s]) {
                const u64 image = mirror(group.pattern);
                if (image >= group.pattern) continue;
                found.push_back({static_cast<std::size_t>(ranges.of(image)),
                                 {image, &group, segments[s].entries(group)}});
            }
            std::sort(found.begin(), found.end());
            for (std::size_t i = 0; i < found.size();) {
                const std::size_t range = found[i].first;
                const std::lock_guard lock(locks[range]);
                for (; i < found.size() && found[i].first == range; ++i)
                    moved[range].push_back(found[i].second);
            }
            context.workers.tick(worker);
        });
    }
    u64 listed = 0;
    for (const auto& list : moved) listed += list.capacity() * sizeof(Mirrored);
    const Reservation reserved(context.pool, listed);
    // Images that are moved have smaller patterns, so that a group is read in its own range at the latest.
    std::vector<u64> readers;
    for (const Segment& segment : segments) readers.push_back(ranges.of(segment.last));
    LastReading reading(old, readers, ranges.size());
    std::vector<PermutationCache> caches(static_cast<std::size_t>(context.workers.threads()));
    return context.build_layer(ranges.size(), [&](int worker, u64 task, Writer& writer) {
        const u64 low = ranges.cuts[task], high = ranges.cuts[task + 1];
        std::vector<Mirrored>& incoming = moved[task];
        std::sort(incoming.begin(), incoming.end());
        Accumulator& sums = context.accumulators[static_cast<std::size_t>(worker)];
        PermutationCache& cache = caches[static_cast<std::size_t>(worker)];
        std::array<u8, kMostEnds> to{};
        const auto add_mirrored = [&](const Group& group, const u8* entries) {
            const u64 ends = context.ends(group.pattern);
            const int pairs = pairs_of(ends);
            (void)mirror.ends_to(ends, to);
            sums.add(entries, group.count(), group.width(), pairs,
                     cache.map(context.transitions, pairs, to, group.count()));
        };
        auto mirrored = incoming.begin();
        const auto write = [&](u64 pattern, const Group* own, const u8* entries) {
            const bool image_here = mirrored != incoming.end() && mirrored->image == pattern;
            const bool twice = whole && own != nullptr && mirror(pattern) == pattern;
            const int pairs = pairs_of(context.ends(pattern));
            if (own != nullptr && !image_here && !twice) {
                const u64 count = own->count();
                u8* at = writer.append(pattern, count, own->width(), own->sum_bits());
                std::memcpy(at, entries, count * static_cast<u64>(own->width()));
                return;
            }
            u64 bound = 0, all = 0;
            const auto expect = [&](const Group& group) {
                add_bound(bound, group);
                all += group.count();
            };
            if (own != nullptr) expect(*own);
            if (twice) expect(*own);
            if (image_here) expect(*mirrored->group);
            sums.begin(pairs, bound, all);
            if (own != nullptr) sums.add(entries, own->count(), own->width(), pairs, {});
            if (twice) add_mirrored(*own, entries);
            if (image_here) {
                add_mirrored(*mirrored->group, mirrored->entries);
                ++mirrored;
            }
            sums.finish(pattern, context.modulus, writer);
        };
        u64 seen = 0;
        for (Cursor at = lower_bound(old, low); at.segment < segments.size(); ++at.segment, at.group = 0) {
            const Segment& segment = segments[at.segment];
            bool past = false;
            for (const Group* g = segment.begin() + at.group; g != segment.end(); ++g) {
                if (g->pattern >= high) {
                    past = true;
                    break;
                }
                if (mirror(g->pattern) < g->pattern) continue;
                while (mirrored != incoming.end() && mirrored->image < g->pattern)
                    write(mirrored->image, nullptr, nullptr);
                write(g->pattern, g, segment.entries(*g));
                if (++seen % 4096 == 0) context.workers.tick(worker);
            }
            if (past) break;
        }
        while (mirrored != incoming.end()) write(mirrored->image, nullptr, nullptr);
        reading.task_ended(task);
    });
}

} // namespace ktsolve::join
