// Folding a layer under the mirror symmetry of what has been eliminated.
//
// When the set of eliminated vertices is its own mirror image, a state and its mirror image have the same
// count in the table T. It is enough to keep a table N with 2 T = N + mirror(N), in which of two mirror
// patterns only the smaller has a group. Elimination is linear and commutes with the mirror, so the relation
// holds from one such layer to the next. T itself is not needed: the join takes 2 T, for which it reads
// groups whose pattern is its own mirror image twice.
#include <algorithm>

#include "join/last_reading.hpp"
#include "join/step.hpp"

namespace ktsolve::join {

namespace {

struct Moved {
    u64 image; // the pattern to whose group this one is added
    const Group* group;
    const u8* entries;
    bool operator<(const Moved& other) const { return image < other.image; }
};

// For each range the groups that move there: those for which moves(pattern, image) holds.
template <class Moves>
std::vector<std::vector<Moved>> moved_groups(const Layer& old, const FieldPermutation& slots,
                                             const Ranges& ranges, Context& context, Moves&& moves) {
    const auto& segments = old.segments();
    std::vector<std::vector<Moved>> moved(ranges.size());
    std::vector<std::mutex> locks(ranges.size());
    context.workers.run(segments.size(), [&](int worker, u64 s) {
        std::vector<std::pair<std::size_t, Moved>> found;
        for (const Group& group : segments[s]) {
            const u64 image = slots(group.pattern);
            if (!moves(group.pattern, image)) continue;
            found.push_back(
                {static_cast<std::size_t>(ranges.of(image)), {image, &group, segments[s].entries(group)}});
        }
        std::sort(found.begin(), found.end());
        for (std::size_t i = 0; i < found.size();) {
            const std::size_t range = found[i].first;
            const std::lock_guard lock(locks[range]);
            for (; i < found.size() && found[i].first == range; ++i) moved[range].push_back(found[i].second);
        }
        context.workers.tick(worker);
    });
    return moved;
}

u64 bytes_of(const std::vector<std::vector<Moved>>& moved) {
    u64 bytes = 0;
    for (const auto& list : moved) bytes += list.capacity() * sizeof(Moved);
    return bytes;
}

// Adds the entries of groups with their ends renamed, for one thread.
class Renaming {
  public:
    Renaming(const FieldPermutation& slots, PermutationCache& cache, Accumulator& sums, Context& context)
        : slots_(slots), cache_(cache), sums_(sums), context_(context) {}
    void add(const Moved& moved) {
        const Group& group = *moved.group;
        const u64 ends = context_.ends(group.pattern);
        const int pairs = pairs_of(ends);
        (void)slots_.ends_to(ends, to_);
        sums_.add(moved.entries, group.count(), group.width(), pairs,
                  cache_.map(context_.transitions, pairs, to_, group.count()));
    }

  private:
    const FieldPermutation& slots_;
    PermutationCache& cache_;
    Accumulator& sums_;
    Context& context_;
    std::array<u8, kMostEnds> to_{};
};

} // namespace

Layer fold(Layer&& old, const FieldPermutation& mirror, Context& context) {
    const Ranges ranges = ranges_for({&old}, {EdgeChoice{}}, context.workers.threads());
    const auto& segments = old.segments();
    // Sorted by the smaller pattern, to whose group they are added.
    std::vector<std::vector<Moved>> moved =
        moved_groups(old, mirror, ranges, context, [](u64 pattern, u64 image) { return image < pattern; });
    const Reservation reserved(context.pool, bytes_of(moved));
    // Images that are moved have smaller patterns, so that a group is read in its own range at the latest.
    std::vector<u64> readers;
    for (const Segment& segment : segments) readers.push_back(ranges.of(segment.last));
    LastReading reading(old, readers, ranges.size());
    std::vector<PermutationCache> caches(static_cast<std::size_t>(context.workers.threads()));
    return context.build_layer(ranges.size(), [&](int worker, u64 task, Writer& writer) {
        const u64 low = ranges.cuts[task], high = ranges.cuts[task + 1];
        std::vector<Moved>& incoming = moved[task];
        std::sort(incoming.begin(), incoming.end());
        Accumulator& sums = context.accumulators[static_cast<std::size_t>(worker)];
        Renaming mirroring(mirror, caches[static_cast<std::size_t>(worker)], sums, context);
        auto mirrored = incoming.begin();
        const auto write = [&](u64 pattern, const Group* own, const u8* entries) {
            const bool image_here = mirrored != incoming.end() && mirrored->image == pattern;
            const int pairs = pairs_of(context.ends(pattern));
            if (own != nullptr && !image_here) {
                const u64 count = own->count();
                u8* at = writer.append(pattern, count, own->width(), own->sum_bits());
                std::memcpy(at, entries, count * static_cast<u64>(own->width()));
                return;
            }
            u64 bound = 0, all = 0;
            const auto expect = [&](const Group& group) {
                add_bound(bound, group, context);
                all += group.count();
            };
            if (own != nullptr) expect(*own);
            if (image_here) expect(*mirrored->group);
            sums.begin(pairs, bound, all);
            if (own != nullptr) sums.add(entries, own->count(), own->width(), pairs, {});
            if (image_here) {
                mirroring.add(*mirrored);
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

Layer renumbered(const Layer& old, const FieldPermutation& slots, Context& context) {
    const Ranges ranges = ranges_for(old, slots, context.workers.threads());
    std::vector<std::vector<Moved>> moved =
        moved_groups(old, slots, ranges, context, [](u64, u64) { return true; });
    const Reservation reserved(context.pool, bytes_of(moved));
    std::vector<PermutationCache> caches(static_cast<std::size_t>(context.workers.threads()));
    return context.build_layer(ranges.size(), [&](int worker, u64 task, Writer& writer) {
        Accumulator& sums = context.accumulators[static_cast<std::size_t>(worker)];
        Renaming renaming(slots, caches[static_cast<std::size_t>(worker)], sums, context);
        std::sort(moved[task].begin(), moved[task].end());
        u64 seen = 0;
        for (const Moved& each : moved[task]) {
            u64 bound = 0;
            add_bound(bound, *each.group, context);
            sums.begin(pairs_of(context.ends(each.image)), bound, each.group->count());
            renaming.add(each);
            sums.finish(each.image, context.modulus, writer);
            if (++seen % 4096 == 0) context.workers.tick(worker);
        }
    });
}

} // namespace ktsolve::join
