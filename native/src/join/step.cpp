// See join/step.hpp.
#include "join/step.hpp"

#include <algorithm>
#include <limits>

namespace ktsolve::join {

namespace {

constexpr u64 kTask = task_size(150'000); // states per task, about
constexpr u64 kNoPattern = ~u64{0};

class ChoiceCursor {
  public:
    ChoiceCursor(const Layer& layer, const EdgeChoice& choice, u64 low, u64 high)
        : layer_(&layer), choice_(&choice) {
        // Patterns are below 2^62, so differences are right as signed numbers.
        const auto from = static_cast<i64>(low - choice.delta);
        // Sources end where their results would pass the range, whether this choice applies to them or not:
        // the search for the next source to which it applies could otherwise read the rest of the layer.
        const auto until =
            high == kNoPattern ? std::numeric_limits<i64>::max() : static_cast<i64>(high - choice.delta);
        end_ = until <= 0 ? 0 : static_cast<u64>(until);
        at_ = from <= 0 ? Cursor{} : lower_bound(layer, static_cast<u64>(from));
        settle();
    }
    u64 next() const { return next_; }
    const EdgeChoice& choice() const { return *choice_; }
    const Group& group() const { return *group_; }
    const u8* entries() const { return segment_->entries(*group_); }
    void advance() {
        ++at_.group;
        settle();
    }

  private:
    void settle() {
        const auto& segments = layer_->segments();
        while (at_.segment < segments.size()) {
            segment_ = &segments[at_.segment];
            const Group* const end = segment_->end();
            for (const Group* g = segment_->begin() + at_.group; g != end; ++g) {
                if (g->pattern >= end_) {
                    next_ = kNoPattern;
                    return;
                }
                if (!choice_->applies(g->pattern)) continue;
                next_ = g->pattern + choice_->delta;
                at_.group = static_cast<u32>(g - segment_->begin());
                group_ = g;
                return;
            }
            ++at_.segment;
            at_.group = 0;
        }
        next_ = kNoPattern;
    }

    const Layer* layer_;
    const EdgeChoice* choice_;
    u64 end_ = 0; // sources are below this
    Cursor at_;
    const Segment* segment_ = nullptr;
    const Group* group_ = nullptr;
    u64 next_ = kNoPattern;
};

} // namespace

Ranges ranges_for(const Layer& old, const std::vector<EdgeChoice>& choices) {
    const u64 states = old.states(), groups = old.groups();
    const u64 tasks = std::clamp<u64>(states / kTask, 1, 1 << 14);
    Ranges ranges{{0}};
    if (tasks > 1) {
        const u64 stride = std::max<u64>(1, groups / (16 * tasks));
        std::vector<std::pair<u64, u64>> sample; // new pattern, states
        u64 n = 0, total = 0;
        for (const Segment& segment : old.segments())
            for (const Group& group : segment) {
                if (n++ % stride != 0) continue;
                for (const EdgeChoice& choice : choices)
                    if (choice.applies(group.pattern)) {
                        const u64 weight = group.count() + 8;
                        sample.emplace_back(group.pattern + choice.delta, weight);
                        total += weight;
                    }
            }
        std::sort(sample.begin(), sample.end());
        u64 sum = 0, cut = 1;
        for (const auto& [pattern, weight] : sample) {
            sum += weight;
            if (sum * tasks >= cut * total && pattern > ranges.cuts.back()) {
                ranges.cuts.push_back(pattern);
                while (sum * tasks >= cut * total) ++cut;
            }
        }
    }
    ranges.cuts.push_back(kNoPattern);
    return ranges;
}

Layer take_step(const Layer& old, const std::vector<EdgeChoice>& choices, const Restriction& restriction,
                Context& context) {
    const Ranges ranges = ranges_for(old, choices);
    std::atomic<u64> done{0};
    Layer layer = context.build_layer(ranges.size(), [&](int worker, u64 task, Writer& writer) {
        const u64 low = ranges.cuts[task], high = ranges.cuts[task + 1];
        std::vector<ChoiceCursor> cursors;
        for (const EdgeChoice& choice : choices) cursors.emplace_back(old, choice, low, high);
        std::erase_if(cursors, [](const ChoiceCursor& c) { return c.next() == kNoPattern; });
        Accumulator& sums = context.accumulators[static_cast<std::size_t>(worker)];
        u64 work = 0, seen = 0;
        std::vector<ChoiceCursor*> here;
        while (!cursors.empty()) {
            u64 pattern = kNoPattern;
            for (const ChoiceCursor& c : cursors) pattern = std::min(pattern, c.next());
            here.clear();
            u64 bound = 0;
            for (ChoiceCursor& c : cursors)
                if (c.next() == pattern) {
                    here.push_back(&c);
                    add_bound(bound, c.group());
                }
            const Group& only = here[0]->group();
            if (!restriction.admits(pattern)) {
                // Not in the block.
            } else if (here.size() == 1 && here[0]->choice().runs.empty()) {
                // A full vertex leaves and no other choice leads here: the entries stay as they are.
                const u64 bytes = only.count() * static_cast<u64>(only.width());
                std::memcpy(writer.append(pattern, only.count(), only.width(), only.sum_bits()),
                            here[0]->entries(), bytes);
                work += only.count();
            } else {
                sums.begin(pairs_of(context.ends(pattern)), bound);
                for (const ChoiceCursor* c : here) {
                    const Group& group = c->group();
                    const u64 ends = context.ends(group.pattern);
                    const int pairs = pairs_of(ends);
                    const u64 count = group.count();
                    work += count;
                    RankMap map;
                    // An elimination has one run at most, and so has a set of pre-applied edges.
                    if (!c->choice().runs.empty())
                        map = map_of_run(context.transitions, c->choice().runs[0], ends, pairs, count);
                    sums.add(c->entries(), count, group.width(), pairs, map);
                }
                sums.finish(pattern, context.modulus, writer);
            }
            bool ended = false;
            for (ChoiceCursor* c : here) {
                c->advance();
                ended = ended || c->next() == kNoPattern;
            }
            if (ended) std::erase_if(cursors, [](const ChoiceCursor& c) { return c.next() == kNoPattern; });
            if (work - seen > 100'000) {
                seen = work;
                context.workers.tick(worker);
            }
        }
        done += work;
    });
    context.transitions_done += done;
    return layer;
}

} // namespace ktsolve::join
