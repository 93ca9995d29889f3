// Counts the cycles through each edge: ways forwards through the layers, completions backwards.
#include "ktsolve/join/moves.hpp"

#include <deque>
#include <map>
#include <optional>
#include <stdexcept>

#include "common/shared_words.hpp"
#include "join/half.hpp"
#include "join/join_step.hpp"
#include "join/kept.hpp"
#include "join/predecessors.hpp"
#include "join/separator.hpp"
#include "join/workspace.hpp"

namespace ktsolve {

namespace {

using namespace join;

constexpr int kMostDense = 8; // pairs up to which completions are spread over an array of all matchings

// The completions of the states of a layer, in the order of its entries.
struct Completed {
    Completed(const Layer& layer, ChunkPool& pool)
        : reserved(pool, 8 * layer.states()), values(layer.states()) {
        u64 before = 0;
        for (const Segment& segment : layer.segments()) {
            first.push_back(before);
            before += segment.states;
        }
    }
    Reservation reserved;
    std::vector<u64> values;
    std::vector<u64> first; // place of the first state of each segment
};

// Adds the completions of one pattern to the states that lead to it, and up the cycles made so.
template <class Number> struct AddCompletions {
    const Number* closed;
    u64 stride;
    u64* to;
    bool alone; // no other thread adds to these places
    u64 modulus;
    u128 cycles = 0;
    void operator()(u64 rank, u64 ways) {
        const u64 value = modulus == 0 ? closed[rank * stride] : closed[rank * stride] % modulus;
        if (alone)
            *to += value;
        else
            add_to_shared(*to, value);
        ++to;
        cycles += static_cast<u128>(value) * ways;
    }
};

class MoveCounter {
  public:
    MoveCounter(const Graph& graph, const JoinPlan& plan, Context& context, MovesReport& report)
        : graph_(graph), plan_(plan), context_(context), report_(report), counts_(graph.edges.size()) {
        for (std::size_t e = 0; e < graph.edges.size(); ++e) {
            const auto [u, v] = graph.edges[e];
            number_[{std::min(u, v), std::max(u, v)}] = e;
        }
    }

    void run(Watch& watch) {
        Keeper keeper("");
        KeptHalf half;
        keeper.add(half);
        keep_half(plain_task(graph_, plan_, true), context_, keeper, half, report_.top);
        std::optional<Half> bottom;
        if (plan_.flip.empty())
            bottom = make_half(plain_task(graph_, plan_, false), context_, report_.bottom);
        report_.seconds_halves = watch.elapsed();
        std::unique_ptr<Completed> after = join(half, std::move(bottom));
        report_.seconds_join = watch.elapsed() - report_.seconds_halves;
        for (std::size_t n = half.steps.size(); n-- > 0;) {
            if (!half.layers[n].kept()) restore(half, n);
            after = back(half, n, *after);
            half.layers[n + 1] = KeptLayer();
            ++context_.workers.progress().step;
        }
        report_.seconds_back = watch.elapsed() - report_.seconds_halves - report_.seconds_join;
        total_ = reduced(after->values[0]);
        for (const u128 count : counts_) report_.counts.push_back(limbs(count));
        report_.total = limbs(total_);
    }

  private:
    static std::vector<u64> limbs(u128 count) {
        return {static_cast<u64>(count), static_cast<u64>(count >> 64)};
    }
    u128 reduced(u128 value) const { return context_.modulus == 0 ? value : value % context_.modulus; }

    // The completions of the states of the last layer; counts the deferred edges of the top.
    std::unique_ptr<Completed> join(const KeptHalf& half, std::optional<Half> bottom) {
        Workers& workers = context_.workers;
        const int slots = static_cast<int>(plan_.separator.size());
        const int split_slot = plan_.split < 0 ? -1 : slots - 1;
        const Numbering numbering(slots, plan_.split >= 0);
        const Layer& last = half.layers.back().layer();
        const Table top({Layer(context_.pool, last.segments()), false, {}}, numbering, workers);
        const Side above(top, separator_ports(graph_, plan_, plan_.top_deferred), numbering, split_slot);
        std::optional<Table> table;
        std::optional<Side> below;
        std::optional<FieldPermutation> flip;
        if (bottom) {
            table.emplace(std::move(*bottom), numbering, workers);
            below.emplace(*table, separator_ports(graph_, plan_, plan_.bottom_deferred), numbering,
                          split_slot);
        } else {
            flip = separator_permutation(plan_, plan_.flip);
        }
        auto completed = std::make_unique<Completed>(last, context_.pool);
        // The first state of each group, by its place in the index.
        const Reservation reserved(context_.pool, 8 * last.groups());
        std::vector<u64> first;
        first.reserve(last.groups());
        u64 states = 0;
        for (const Segment& segment : last.segments())
            for (const Group& group : segment) {
                first.push_back(states);
                states += group.count();
            }
        const auto threads = static_cast<std::size_t>(workers.threads());
        std::vector<std::vector<u128>> cycles(threads, std::vector<u128>(above.choices().size()));
        std::vector<std::vector<Source>> found(threads);
        JoinStep step{.tops = {&above},
                      .bottom = below ? *below : above,
                      .flip = flip ? &*flip : nullptr,
                      .same = false,
                      .mirror = nullptr,
                      .numbering = numbering,
                      .context = context_};
        step.use = [&](int worker, u64 pattern, const ClosedLane& closed) {
            std::vector<Source>& sources = found[static_cast<std::size_t>(worker)];
            sources.clear();
            (void)above.sources(pattern, sources);
            for (const Source& source : sources) {
                u64* const to = completed->values.data() + first[source.place];
                u128& sum = cycles[static_cast<std::size_t>(worker)][source.choice];
                const auto add = [&]<class Number>(const Number* values) {
                    AddCompletions<Number> sink{values, closed.stride, to, threads == 1, context_.modulus};
                    extend(source, context_.transitions, context_.ends, sink);
                    sum = reduced(sum + sink.cycles);
                };
                if (closed.narrow != nullptr)
                    add(closed.narrow);
                else
                    add(closed.wide);
            }
        };
        const PatternOrbits orbits(step);
        ContractionLists lists;
        lists.prepare(orbits.most_pairs(ContractionLists::kMostListed), workers);
        const Reservation listed(context_.pool, lists.bytes(workers.threads()));
        std::deque<Workspace> workspaces;
        for (int w = 0; w < workers.threads(); ++w) workspaces.emplace_back(step, lists, w);
        each_orbit(step, orbits, [&](int worker, u64 pattern, u64 opposite, u64 weight) {
            workspaces[static_cast<std::size_t>(worker)].take(pattern, opposite, weight, pattern);
        });
        workers.run(workspaces.size(), [&](int worker, u64 d) { workspaces[d].finish(worker); });
        if (context_.modulus != 0)
            for (u64& value : completed->values) value %= context_.modulus;
        for (std::size_t c = 0; c < above.choices().size(); ++c)
            for (const auto& own : cycles)
                for (const int place : above.choices()[c].chosen)
                    count(static_cast<std::size_t>(plan_.top_deferred[static_cast<std::size_t>(place)]),
                          own[c]);
        return completed;
    }

    void count(std::size_t edge, u128 cycles) { counts_[edge] = reduced(counts_[edge] + reduced(cycles)); }

    // Makes a layer again that was dropped when memory ran out, from the last one before it.
    void restore(KeptHalf& half, std::size_t number) {
        std::size_t from = number;
        while (!half.layers[from].kept()) --from;
        std::optional<Layer> made;
        for (; from < number; ++from) {
            const Layer& before = made ? *made : half.layers[from].layer();
            Layer next = take_step(before, half.steps[from].choices, {}, context_);
            made.emplace(std::move(next));
        }
        half.layers[number] = KeptLayer(std::move(*made));
    }

    // A group of the next layer as the choices of one task meet them, in order of pattern.
    class Follower {
      public:
        Follower(const Layer& layer, const Completed& completed) : layer_(&layer), completed_(&completed) {}
        // Moves to the group of a pattern that is greater than the last one; false after the last group.
        bool find(u64 pattern) {
            const auto& segments = layer_->segments();
            if (at_ == nullptr) {
                const Cursor cursor = lower_bound(*layer_, pattern);
                segment_ = cursor.segment;
                if (segment_ == segments.size()) return false;
                at_ = segments[segment_].begin();
                place_ = completed_->first[segment_];
                for (u32 g = 0; g < cursor.group; ++g) place_ += (at_++)->count();
            }
            while (segment_ < segments.size()) {
                const Group* const end = segments[segment_].end();
                for (; at_ != end && at_->pattern < pattern; ++at_) place_ += at_->count();
                if (at_ != end) return at_->pattern == pattern;
                if (++segment_ == segments.size()) return false;
                at_ = segments[segment_].begin();
                place_ = completed_->first[segment_];
            }
            return false;
        }
        GroupRef group() const { return GroupRef(layer_->segments()[segment_], *at_); }
        const u64* values() const { return completed_->values.data() + place_; }

      private:
        const Layer* layer_;
        const Completed* completed_;
        std::size_t segment_ = 0;
        const Group* at_ = nullptr;
        u64 place_ = 0;
    };

    // The completions before step n, from those after it; counts the edges of the step.
    std::unique_ptr<Completed> back(const KeptHalf& half, std::size_t n, const Completed& after) {
        Workers& workers = context_.workers;
        const HalfStep& step = half.steps[n];
        const Layer& layer = half.layers[n].layer();
        const Layer& next = half.layers[n + 1].layer();
        auto before = std::make_unique<Completed>(layer, context_.pool);
        const auto threads = static_cast<std::size_t>(workers.threads());
        std::vector<std::vector<u128>> cycles(threads, std::vector<u128>(step.choices.size()));
        std::deque<Reservation> reserved;
        std::vector<std::vector<u64>> spread(threads);
        for (std::size_t w = 0; w < threads; ++w) reserved.emplace_back(context_.pool);
        const u64 modulus = context_.modulus;
        workers.run(layer.segments().size(), [&](int worker, u64 s) {
            const auto w = static_cast<std::size_t>(worker);
            const Segment& segment = layer.segments()[s];
            std::vector<Follower> followers(step.choices.size(), Follower(next, after));
            u64* to = before->values.data() + before->first[s];
            u64 work = 0;
            for (const Group& group : segment) {
                const u64 many = group.count();
                const u64 ends = context_.ends(group.pattern);
                const int pairs = pairs_of(ends);
                for (std::size_t c = 0; c < step.choices.size(); ++c) {
                    const EdgeChoice& choice = step.choices[c];
                    if (!choice.applies(group.pattern)) continue;
                    const u64 pattern = group.pattern + choice.delta;
                    if (!followers[c].find(pattern)) continue;
                    const GroupRef then = followers[c].group();
                    const u64* const values = followers[c].values();
                    const int pairs_then = pairs_of(context_.ends(pattern));
                    const u64 matchings = kMatchings[static_cast<std::size_t>(pairs_then)];
                    RankMap map;
                    if (!choice.runs.empty())
                        map = map_of_run(context_.transitions, choice.runs[0], ends, pairs, many);
                    u128 sum = 0;
                    const auto add = [&](auto value_of) {
                        with_map(map, pairs, [&](auto rank) {
                            u64* own = to;
                            for_each_entry(segment.entries(group), many, group.width(), pairs,
                                           [&](u64 r, u64 ways) {
                                               const u64 value = value_of(rank(r));
                                               *own++ += value;
                                               sum += static_cast<u128>(value) * ways;
                                           });
                        });
                    };
                    // Few entries of a small group are looked up one by one; else the group's values are
                    // spread over an array by rank. All states that the choice leads to are in the group, so
                    // that no other places of the array are read.
                    if (pairs_then > kMostDense || 16 * many < then.count) {
                        add([&](u64 rank) {
                            const u64 place =
                                rank == matchings ? then.count : place_of_rank(then, pairs_then, rank);
                            return place == then.count ? 0 : values[place];
                        });
                        work += 4 * many;
                    } else {
                        std::vector<u64>& array = spread[w];
                        if (array.size() < matchings + 1) {
                            reserved[w].add(8 * (matchings + 1 - array.size()));
                            array.resize(matchings + 1);
                        }
                        u64* const by_rank = array.data();
                        const u64* value = values;
                        for_each_entry(then.entries, then.count, then.width, pairs_then,
                                       [&](u64 r, u64) { by_rank[r] = *value++; });
                        by_rank[matchings] = 0; // the choice has closed a cycle
                        add([by_rank](u64 rank) { return by_rank[rank]; });
                        work += many + then.count;
                    }
                    u128& all = cycles[w][c];
                    all = reduced(all + sum);
                }
                if (modulus != 0)
                    for (u64 i = 0; i < many; ++i) to[i] %= modulus;
                to += many;
                if (work > 100'000) {
                    work = 0;
                    workers.tick(worker);
                }
            }
            workers.tick(worker);
        });
        for (std::size_t c = 0; c < step.choices.size(); ++c)
            for (const auto& own : cycles)
                for (const int place : step.choices[c].chosen) {
                    const auto [u, v] = step.edges[static_cast<std::size_t>(place)];
                    count(number_.at({std::min(u, v), std::max(u, v)}), own[c]);
                }
        return before;
    }

    const Graph& graph_;
    const JoinPlan& plan_;
    Context& context_;
    MovesReport& report_;
    std::map<std::pair<int, int>, std::size_t> number_;
    std::vector<u128> counts_;
    u128 total_ = 0;
};

} // namespace

MovesReport count_moves_by_join(const Graph& graph, const JoinPlan& plan, int threads, std::uint64_t modulus,
                                const Limits& limits, Monitor* monitor) {
    graph.validate();
    plan.validate(graph);
    if (modulus >> 31 != 0 || modulus == 1)
        throw std::invalid_argument("the modulus must be from 2 to 2^31 - 1, or 0 for none");
    MovesReport report;
    ChunkPool pool(budget_of_pool(limits.bytes));
    Watch watch(limits, monitor);
    Transitions transitions(&pool);
    try {
        report.status = status_of([&] {
            Workers workers(std::max(1, threads), watch);
            const int split_slot = plan.split < 0 ? -1 : static_cast<int>(plan.separator.size()) - 1;
            Context context{pool, transitions, workers, EndsOf(split_slot), modulus, {}, 0};
            for (int w = 0; w < workers.threads(); ++w) context.accumulators.emplace_back(pool);
            workers.progress().total =
                1000 + 2 * (plan.top.size() + plan.top_preapplied.size()) +
                (plan.flip.empty() ? plan.bottom.size() + plan.bottom_preapplied.size() : 0);
            MoveCounter(graph, plan, context, report).run(watch);
        });
    } catch (const CountTooWide&) {
        report.overflow = true;
    }
    report.peak_bytes = pool.peak();
    return report;
}

} // namespace ktsolve
