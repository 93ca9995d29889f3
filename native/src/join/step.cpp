// Eliminates one vertex: cursors, one for each edge choice, merge the old layer into the new one.
#include "join/step.hpp"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <numeric>

#include "join/last_reading.hpp"

namespace ktsolve::join {

namespace {

// States per task, about. The last chunk of a task is half empty: tasks are large, unless some threads would
// have none.
constexpr u64 kTask = task_size(400'000), kSmallTask = task_size(150'000);
constexpr u64 kNoPattern = ~u64{0} >> 1; // positive as a signed number

constexpr i64 kNone = -1;

// For each choice and each segment of the old layer: the last pattern there to which the choice applies, or
// kNone. Patterns are below 2^62, so differences are right as signed numbers.
class Sources {
  public:
    Sources(const Layer& old, const std::vector<EdgeChoice>& choices) {
        for (const EdgeChoice& choice : choices) {
            std::vector<i64>& last = last_.emplace_back();
            for (const Segment& segment : old.segments()) last.push_back(find_last(segment, choice));
        }
    }
    const std::vector<i64>& of(std::size_t choice) const { return last_[choice]; }

  private:
    static i64 find_last(const Segment& segment, const EdgeChoice& choice) {
        // The high bits in which all patterns of the segment agree show most often that it has no source.
        const u64 varied = segment.begin()->pattern ^ segment.last;
        const u64 agreed = varied == 0 ? ~u64{0} : ~(~u64{0} >> std::countl_zero(varied));
        if (((segment.last ^ choice.value) & choice.test & agreed) != 0) return kNone;
        for (const Group* g = segment.end(); g != segment.begin();)
            if (choice.applies((--g)->pattern)) return static_cast<i64>(g->pattern);
        return kNone;
    }

    std::vector<std::vector<i64>> last_;
};

// The groups to which a choice applies and whose results lie in a range. Segments without any are not read:
// they may have been cleared.
class ChoiceCursor {
  public:
    ChoiceCursor(const Layer& layer, const EdgeChoice& choice, const std::vector<i64>& sources, u64 low,
                 u64 high)
        : segments_(&layer.segments()), choice_(&choice), sources_(&sources),
          from_(std::max(i64{0}, static_cast<i64>(low - choice.delta))),
          until_(static_cast<i64>(high == kNoPattern ? high : high - choice.delta)),
          next_segment_(layer.segment_of(static_cast<u64>(from_))) {
        settle();
    }
    // The pattern that the group leads to; kNoPattern after the last group.
    u64 next() const { return next_; }
    const EdgeChoice& choice() const { return *choice_; }
    const Group& group() const { return *at_; }
    const u8* entries() const { return segment_->entries(*at_); }
    void advance() {
        ++at_;
        settle();
    }

  private:
    // Goes to the next segment that has sources in the range; false after the last one.
    bool open() {
        while (next_segment_ < segments_->size() && (*sources_)[next_segment_] < from_) ++next_segment_;
        if (next_segment_ == segments_->size()) return false;
        segment_ = &(*segments_)[next_segment_++];
        const auto below = [](const Group& g, i64 pattern) { return static_cast<i64>(g.pattern) < pattern; };
        at_ = std::lower_bound(segment_->begin(), segment_->end(), from_, below);
        end_ = std::lower_bound(at_, segment_->end(), until_, below);
        if (end_ != segment_->end()) next_segment_ = segments_->size();
        return true;
    }

    void settle() {
        do {
            for (; at_ != end_; ++at_)
                if (choice_->applies(at_->pattern)) {
                    next_ = at_->pattern + choice_->delta;
                    return;
                }
        } while (open());
        next_ = kNoPattern;
    }

    const std::vector<Segment>* segments_;
    const EdgeChoice* choice_;
    const std::vector<i64>* sources_; // by segment
    i64 from_, until_;                // sources are at least and below this
    std::size_t next_segment_;
    const Segment* segment_ = nullptr;
    const Group *at_ = nullptr, *end_ = nullptr;
    u64 next_ = kNoPattern;
};

// For each segment of the old layer the last range that reads it.
std::vector<u64> last_readers(const Layer& old, const std::vector<EdgeChoice>& choices,
                              const Sources& sources, const Ranges& ranges) {
    std::vector<u64> readers(old.segments().size());
    for (std::size_t c = 0; c < choices.size(); ++c)
        for (std::size_t s = 0; s < readers.size(); ++s)
            if (const i64 source = sources.of(c)[s]; source != kNone)
                readers[s] = std::max(readers[s], ranges.of(static_cast<u64>(source) + choices[c].delta));
    return readers;
}

} // namespace

namespace {

// Cuts by a sample of the groups: patterns(group, take) calls take(new pattern).
template <class Patterns>
Ranges sampled_ranges(std::initializer_list<const Layer*> old, int threads, Patterns&& patterns) {
    u64 states = 0, groups = 0;
    for (const Layer* layer : old) {
        states += layer->states();
        groups += layer->groups();
    }
    const u64 some = std::clamp<u64>(states / kSmallTask, 1, 8 * static_cast<u64>(threads));
    const u64 tasks = std::min(std::max(states / kTask, some), u64{1} << 14);
    Ranges ranges{{0}};
    if (tasks > 1) {
        const u64 stride = std::max<u64>(1, groups / (16 * tasks));
        std::vector<std::pair<u64, u64>> sample; // new pattern, states
        u64 n = 0, total = 0;
        for (const Layer* layer : old)
            for (const Segment& segment : layer->segments())
                for (const Group& group : segment) {
                    if (n++ % stride != 0) continue;
                    const u64 weight = group.count() + 8;
                    patterns(group, [&](u64 pattern) {
                        sample.emplace_back(pattern, weight);
                        total += weight;
                    });
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

} // namespace

Ranges ranges_for(std::initializer_list<const Layer*> old, const std::vector<EdgeChoice>& choices,
                  int threads) {
    return sampled_ranges(old, threads, [&](const Group& group, auto&& take) {
        for (const EdgeChoice& choice : choices)
            if (choice.applies(group.pattern)) take(group.pattern + choice.delta);
    });
}

Ranges ranges_for(const Layer& old, const FieldPermutation& slots, int threads) {
    return sampled_ranges({&old}, threads,
                          [&](const Group& group, auto&& take) { take(slots(group.pattern)); });
}

namespace {

// A layer that is read, by these choices. `reading` is null when it is kept.
struct Input {
    const Layer& layer;
    const Sources& sources;
    LastReading* reading;
};

Layer merged(std::initializer_list<Input> inputs, const std::vector<EdgeChoice>& choices,
             const Ranges& ranges, const Restriction& restriction, Context& context) {
    std::atomic<u64> done{0};
    Layer layer = context.build_layer(ranges.size(), [&](int worker, u64 task, Writer& writer) {
        const u64 low = ranges.cuts[task], high = ranges.cuts[task + 1];
        std::vector<ChoiceCursor> cursors;
        for (const Input& input : inputs)
            for (std::size_t c = 0; c < choices.size(); ++c)
                cursors.emplace_back(input.layer, choices[c], input.sources.of(c), low, high);
        std::erase_if(cursors, [](const ChoiceCursor& c) { return c.next() == kNoPattern; });
        Accumulator& sums = context.accumulators[static_cast<std::size_t>(worker)];
        u64 work = 0, seen = 0;
        std::vector<ChoiceCursor*> here;
        while (!cursors.empty()) {
            u64 pattern = kNoPattern;
            for (const ChoiceCursor& c : cursors) pattern = std::min(pattern, c.next());
            here.clear();
            u64 bound = 0, entries = 0;
            for (ChoiceCursor& c : cursors)
                if (c.next() == pattern) {
                    here.push_back(&c);
                    add_bound(bound, c.group(), context);
                    entries += c.group().count();
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
                sums.begin(pairs_of(context.ends(pattern)), bound, entries);
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
        for (const Input& input : inputs)
            if (input.reading != nullptr) input.reading->task_ended(task);
    });
    context.transitions_done += done;
    return layer;
}

} // namespace

Layer take_step(const Layer& old, const std::vector<EdgeChoice>& choices, const Restriction& restriction,
                Context& context) {
    const Ranges ranges = ranges_for({&old}, choices, context.workers.threads());
    return merged({{old, Sources(old, choices), nullptr}}, choices, ranges, restriction, context);
}

Layer take_step(Layer&& old, const std::vector<EdgeChoice>& choices, const Restriction& restriction,
                Context& context) {
    const Sources sources(old, choices);
    const Ranges ranges = ranges_for({&old}, choices, context.workers.threads());
    LastReading reading(old, last_readers(old, choices, sources, ranges), ranges.size());
    return merged({{old, sources, &reading}}, choices, ranges, restriction, context);
}

StatesAfter::StatesAfter(const Layer& old, const std::vector<EdgeChoice>& choices,
                         const Restriction& restriction) {
    constexpr u64 kSample = 20'000; // groups
    const u64 stride = std::max<u64>(1, old.groups() / kSample);
    u64 n = 0, before = 0, after = 0;
    for (const Segment& segment : old.segments())
        for (const Group& group : segment) {
            if (n++ % stride != 0) continue;
            before += group.count();
            for (const EdgeChoice& choice : choices) {
                if (!choice.applies(group.pattern)) continue;
                u64 pattern = group.pattern + choice.delta;
                if (!restriction.admits(pattern)) continue;
                after += group.count();
                for (auto& by_field : states_) {
                    by_field[pattern & 3] += group.count();
                    pattern >>= 2;
                }
            }
        }
    if (before > 0) growth_ = static_cast<double>(after) / static_cast<double>(before);
}

double StatesAfter::largest_part(int slot) const {
    const auto& by_field = states_[static_cast<std::size_t>(slot)];
    const u64 all = std::accumulate(by_field.begin(), by_field.end(), u64{0});
    if (all == 0) return 1;
    return static_cast<double>(*std::max_element(by_field.begin(), by_field.end())) /
           static_cast<double>(all);
}

Layer sum(Layer&& one, Layer&& other, Context& context) {
    const std::vector<EdgeChoice> same{EdgeChoice{}};
    const Sources ones(one, same), others(other, same);
    const Ranges ranges = ranges_for({&one, &other}, same, context.workers.threads());
    LastReading first(one, last_readers(one, same, ones, ranges), ranges.size());
    LastReading second(other, last_readers(other, same, others, ranges), ranges.size());
    return merged({{one, ones, &first}, {other, others, &second}}, same, ranges, {}, context);
}

} // namespace ktsolve::join
