// Turns indices into cycles and cycles into indices, by sums of the join and layers followed back.
//
// Queries are answered together. They are sorted by index, so that those of one pair of patterns share its
// contraction. The paths to their states are followed in chunks of queries, layer by layer, each time in
// order of the states, so that memory is read almost in order.
#include <algorithm>
#include <deque>
#include <numeric>

#include "join/completions.hpp"
#include "join/predecessors.hpp"
#include "join/ranking.hpp"
#include "join/workspace.hpp"

namespace ktsolve {

namespace {

using namespace join;

constexpr u64 kBatch = u64{1} << 16;       // most queries answered together
constexpr u64 kBatchBytes = u64{64} << 20; // and about the most memory for their paths
constexpr u64 kChunk = task_size(4096);    // queries that one thread follows back together
constexpr u64 kIndexFrom = 2000;           // queries for which an index of all patterns is worth making
constexpr u64 kGroupsPerTask = 16;

[[noreturn]] void fault(const char* what) {
    throw std::logic_error(what);
}

// One side of a query: its state on the separator, and a number below the state's count.
struct Path {
    State state;
    u64 number = 0;
    std::size_t deferred = 0; // the subset of deferred edges that follows the state
};

struct Query {
    u64 place = 0; // in the caller's order
    u64 orbit = 0;
    int symmetry = 0;
    u128 number = 0; // among the pairs of states of the orbit's least pattern
    Path top, bottom;
};

// Queries of one orbit, by place in the batch.
struct OrbitGroup {
    u64 pattern, opposite;
    std::size_t first, end;
};

template <class F> struct EachEntry {
    F* visit;
    void operator()(u64 rank, u64 count) { (*visit)(rank, count); }
};

// visit(extended rank, count) for the entries of a source, in order.
template <class F> void each_extended(const Source& source, Context& context, F&& visit) {
    EachEntry<std::remove_reference_t<F>> sink{&visit};
    extend(source, context.transitions, context.ends, sink);
}

u64 value_of(const ClosedLane& lane, u64 rank) {
    return lane.narrow != nullptr ? lane.narrow[rank * lane.stride] : lane.wide[rank * lane.stride];
}

// The rank in the bottom's order of ends of a matching in the top's.
u64 seen_from_below(const OrbitSymmetries& symmetries, const EndsOf& ends, u64 pattern, u64 rank) {
    const FieldPermutation* const flip = symmetries.flip();
    if (flip == nullptr) return rank;
    const u64 of = ends(pattern);
    std::array<u8, kMostEnds> to{};
    (void)flip->ends_to(of, to);
    return rank_permuted(pairs_of(of), to.data(), rank);
}

// Two neighbours of each vertex.
class Adjacency {
  public:
    explicit Adjacency(int vertices) : near_(static_cast<std::size_t>(vertices), {-1, -1}) {}
    void clear() { std::fill(near_.begin(), near_.end(), std::array<int, 2>{-1, -1}); }
    void add(int u, int v) {
        for (const auto& [a, b] : {std::pair{u, v}, std::pair{v, u}}) {
            auto& near = near_[static_cast<std::size_t>(a)];
            if (near[1] >= 0) fault("a vertex of a ranked cycle has three edges");
            near[near[0] >= 0 ? 1 : 0] = b;
        }
    }
    bool has(int u, int v) const {
        const auto& near = near_[static_cast<std::size_t>(u)];
        return near[0] == v || near[1] == v;
    }
    const std::array<int, 2>& of(int v) const { return near_[static_cast<std::size_t>(v)]; }
    // Writes the cycle from a vertex on, towards its smaller neighbour.
    void walk(int start, std::int32_t* to) const {
        int before = start, at = std::min(of(start)[0], of(start)[1]);
        *to++ = start;
        for (std::size_t n = 1; n < near_.size(); ++n) {
            if (at < 0 || at == start) fault("a ranked cycle does not visit all vertices");
            *to++ = at;
            const int next = of(at)[0] == before ? of(at)[1] : of(at)[0];
            before = std::exchange(at, next);
        }
        if (at != start) fault("a ranked cycle does not end where it began");
    }

  private:
    std::vector<std::array<int, 2>> near_;
};

// Runs task(worker, numbers of paths in order of state) for chunks of paths, sorted by state.
template <class Task> void in_chunks(Context& context, const std::vector<Path*>& paths, Task&& task) {
    std::vector<u32> order(paths.size());
    std::iota(order.begin(), order.end(), u32{0});
    std::sort(order.begin(), order.end(), [&](u32 a, u32 b) {
        const State &s = paths[a]->state, &t = paths[b]->state;
        return s.pattern != t.pattern ? s.pattern < t.pattern : s.rank < t.rank;
    });
    const u64 threads = static_cast<u64>(context.workers.threads());
    const u64 size = std::clamp<u64>(paths.size() / (4 * threads) + 1, 1, kChunk);
    context.workers.run((paths.size() + size - 1) / size, [&](int worker, u64 chunk) {
        const auto first = static_cast<std::ptrdiff_t>(chunk * size);
        const auto end = static_cast<std::ptrdiff_t>(std::min<u64>(order.size(), (chunk + 1) * size));
        task(worker, std::vector<u32>(order.begin() + first, order.begin() + end));
    });
}

} // namespace

// Answers batches of queries.
struct RankingQueries {
    RankingQueries(JoinRanking::Inside& of, Context& with) : in(of), context(with) {}

    JoinRanking::Inside& in;
    Context& context;

    // Bytes that a query takes while it is answered: itself, the states and choices along its paths.
    u64 query_bytes() const {
        const u64 steps = in.top.half.steps.size() + in.lower().half.steps.size();
        return 2 * sizeof(Query) + (sizeof(State) + 4 * sizeof(u32)) * steps;
    }
    u64 batch_size() {
        const u64 bytes = std::min(kBatchBytes, in.pool.left() / 4);
        return std::clamp<u64>(bytes / query_bytes(), 64, kBatch);
    }

    // Calls use(group, closed) for the queries' orbits, which are sorted.
    template <class Use> void with_contractions(const std::vector<Query>& queries, Use&& use) {
        std::vector<OrbitGroup> groups;
        int most = 0;
        for (std::size_t q = 0; q < queries.size(); ++q) {
            if (q > 0 && queries[q].orbit == queries[q - 1].orbit) {
                groups.back().end = q + 1;
                continue;
            }
            const u64 pattern = in.totals.pattern(queries[q].orbit);
            in.check_orbit(pattern);
            u64 opposite = in.numbering.full() - pattern;
            if (in.flipped()) opposite = (*in.symmetries.flip())(opposite);
            groups.push_back({pattern, opposite, q, q + 1});
            most = std::max(most, pairs_of(in.ends(pattern)));
        }
        if (groups.size() >= kIndexFrom) {
            in.make_index(in.top, context.workers);
            if (!in.flipped()) in.make_index(in.bottom, context.workers);
        }
        in.lists.prepare(std::min(most, ContractionLists::kMostListed), context.workers);
        JoinStep step = in.step(context);
        step.use = [&](int worker, u64 tag, const ClosedLane& lane) {
            use(groups[tag], lane);
            context.workers.tick(worker);
        };
        std::deque<Workspace> workspaces;
        for (int w = 0; w < context.workers.threads(); ++w) workspaces.emplace_back(step, in.lists, w);
        context.workers.run((groups.size() + kGroupsPerTask - 1) / kGroupsPerTask, [&](int worker, u64 task) {
            const u64 end = std::min<u64>(groups.size(), (task + 1) * kGroupsPerTask);
            for (u64 g = task * kGroupsPerTask; g < end; ++g)
                workspaces[static_cast<std::size_t>(worker)].take(groups[g].pattern, groups[g].opposite, 1,
                                                                  g);
        });
        context.workers.run(workspaces.size(), [&](int worker, u64 d) { workspaces[d].finish(worker); });
    }

    // The bottom's sources of an orbit, and visit(source, place, count) for those entries that close a cycle
    // with a matching of the top, until it returns true.
    template <class Visit>
    void each_completion(const std::vector<Source>& sources, int pairs, u64 below, Visit&& visit) {
        u64 entries = 0;
        for (const Source& source : sources) entries += source.group.count;
        const Completions closes(pairs, below, in.lists, in.transitions, entries);
        bool done = false;
        for (const Source& source : sources) {
            u64 place = 0;
            each_extended(source, context, [&](u64 rank, u64 count) {
                if (!done && closes(rank)) done = visit(source, place, count);
                ++place;
            });
            if (done) return;
        }
    }

    // The state of an entry of a source.
    Path path_to(const Source& source, u64 place, u64 number) const {
        const u64 rank = entry_at(source.group, pairs_of(in.ends(source.pattern)), place).rank;
        return {{source.pattern, rank}, number, source.choice};
    }

    void find_states(std::vector<Query>& queries, const OrbitGroup& group, const ClosedLane& lane) {
        const auto first = queries.begin() + static_cast<std::ptrdiff_t>(group.first);
        const auto end = queries.begin() + static_cast<std::ptrdiff_t>(group.end);
        std::sort(first, end, [](const Query& a, const Query& b) { return a.number < b.number; });
        std::vector<Source> above, below;
        (void)in.top.side->sources(group.pattern, above);
        (void)in.lower().side->sources(group.opposite, below);
        const int pairs = pairs_of(in.ends(group.pattern));
        auto query = first;
        u128 sum = 0;
        for (const Source& source : above) {
            if (query == end) break;
            u64 place = 0;
            each_extended(source, context, [&](u64 rank, u64 count) {
                const u64 closed = value_of(lane, rank);
                const u128 then = sum + static_cast<u128>(closed) * count;
                for (; query != end && query->number < then; ++query) {
                    if (query->number < sum || closed == 0) fault("the counts of an orbit do not fit");
                    const auto within = query->number - sum;
                    query->top = path_to(source, place, static_cast<u64>(within / closed));
                    u64 left = static_cast<u64>(within % closed);
                    bool found = false;
                    const u64 seen = seen_from_below(in.symmetries, in.ends, group.pattern, rank);
                    each_completion(below, pairs, seen, [&](const Source& under, u64 at, u64 ways) {
                        if (left >= ways) {
                            left -= ways;
                            return false;
                        }
                        query->bottom = path_to(under, at, left);
                        return found = true;
                    });
                    if (!found) fault("a ranked matching is completed less often than counted");
                }
                sum = then;
                ++place;
            });
        }
        if (query != end) fault("an orbit of patterns has fewer cycles than counted");
    }

    // The choices on the way to each path's state: choices[path * steps + step].
    std::vector<u32> followed(const KeptHalf& half, const std::vector<Path*>& paths) {
        const std::size_t steps = half.steps.size();
        std::vector<u32> choices(paths.size() * steps);
        in_chunks(context, paths, [&](int worker, std::vector<u32> numbers) {
            struct At {
                State state;
                u64 number;
                u32 path;
            };
            std::vector<At> chunk;
            for (const u32 n : numbers) chunk.push_back({paths[n]->state, paths[n]->number, n});
            Tracer tracer(half, in.ends);
            for (std::size_t step = steps; step-- > 0;) {
                std::sort(chunk.begin(), chunk.end(),
                          [](const At& a, const At& b) { return a.state.pattern < b.state.pattern; });
                for (At& at : chunk) {
                    const State state = at.state;
                    const bool found =
                        tracer.each(step, state, [&](std::size_t c, const State& before, u64 count) {
                            if (at.number >= count) {
                                at.number -= count;
                                return false;
                            }
                            at.state = before;
                            choices[at.path * steps + step] = static_cast<u32>(c);
                            return true;
                        });
                    if (!found) fault("a state is reached in fewer ways than counted");
                }
                context.workers.tick(worker);
            }
        });
        return choices;
    }

    // Adds the edges of one side's path, through the flip when it is the bottom and was made as a top.
    void add_edges(Adjacency& near, const RankedSide& side, const u32* choices, std::size_t deferred,
                   const std::vector<int>* flip, int symmetry) const {
        const auto add = [&](std::pair<int, int> edge) {
            const auto image = [&](int v) {
                if (flip != nullptr) v = (*flip)[static_cast<std::size_t>(v)];
                return in.symmetries.vertex(symmetry, v);
            };
            near.add(image(edge.first), image(edge.second));
        };
        for (std::size_t s = 0; s < side.half.steps.size(); ++s) {
            const HalfStep& step = side.half.steps[s];
            for (const int e : step.choices[choices[s]].chosen) add(step.edges[static_cast<std::size_t>(e)]);
        }
        for (const int e : side.side->choices()[deferred].chosen)
            add(side.deferred[static_cast<std::size_t>(e)]);
    }

    void unrank(std::vector<Query>& queries, int start, std::int32_t* cycles) {
        with_contractions(queries, [&](const OrbitGroup& group, const ClosedLane& lane) {
            find_states(queries, group, lane);
        });
        std::vector<Path*> above, below;
        for (Query& query : queries) {
            above.push_back(&query.top);
            below.push_back(&query.bottom);
        }
        const std::vector<u32> top = followed(in.top.half, above);
        const std::vector<u32> bottom = followed(in.lower().half, below);
        const auto vertices = static_cast<std::size_t>(in.graph.vertices);
        const std::size_t top_steps = in.top.half.steps.size(), steps = in.lower().half.steps.size();
        context.workers.run((queries.size() + kChunk - 1) / kChunk, [&](int worker, u64 chunk) {
            Adjacency near(in.graph.vertices);
            for (std::size_t q = chunk * kChunk;
                 q < std::min<std::size_t>(queries.size(), (chunk + 1) * kChunk); ++q) {
                const Query& query = queries[q];
                near.clear();
                add_edges(near, in.top, &top[q * top_steps], query.top.deferred, nullptr, query.symmetry);
                add_edges(near, in.lower(), &bottom[q * steps], query.bottom.deferred,
                          in.flipped() ? &in.plan.flip : nullptr, query.symmetry);
                near.walk(start, cycles + query.place * vertices);
            }
            context.workers.tick(worker);
        });
    }

    // The number of a subset of edges among choices; fails if it is not one of them.
    template <class Choices>
    static std::size_t choice_of(const Choices& choices, const std::vector<int>& chosen) {
        for (std::size_t c = 0; c < choices.size(); ++c)
            if (choices[c].chosen == chosen) return c;
        throw std::invalid_argument("a cycle does not use the edges that are required");
    }

    void run_through(const Adjacency& near, const RankedSide& side, State* states, u32* choices,
                     std::size_t& deferred) const {
        State at;
        std::vector<int> chosen;
        for (std::size_t s = 0; s < side.half.steps.size(); ++s) {
            const HalfStep& step = side.half.steps[s];
            chosen.clear();
            for (std::size_t e = 0; e < step.edges.size(); ++e)
                if (near.has(step.edges[e].first, step.edges[e].second))
                    chosen.push_back(static_cast<int>(e));
            const std::size_t c = choice_of(step.choices, chosen);
            const EdgeChoice& choice = step.choices[c];
            if (!choice.applies(at.pattern)) fault("a cycle takes an edge choice that does not apply");
            if (!choice.runs.empty()) {
                const u64 ends = in.ends(at.pattern);
                const RunEffect effect = effect_of_run(choice.runs[0], ends);
                const int pairs = pairs_of(ends);
                if (!effect.same) {
                    at.rank = rank_after(effect.kind, pairs, effect.i, effect.j, at.rank);
                    if (at.rank >= kMatchings[static_cast<std::size_t>(pairs_after(effect.kind, pairs))])
                        fault("a cycle closes early");
                }
            }
            at.pattern += choice.delta;
            states[s] = at;
            choices[s] = static_cast<u32>(c);
        }
        chosen.clear();
        for (std::size_t e = 0; e < side.deferred.size(); ++e)
            if (near.has(side.deferred[e].first, side.deferred[e].second))
                chosen.push_back(static_cast<int>(e));
        deferred = choice_of(side.side->choices(), chosen);
    }

    // The pattern that the cycle's edges of the top give to the separator.
    u64 pattern_of(const Adjacency& near) const {
        u64 pattern = 0;
        const int split = in.plan.split;
        for (std::size_t s = 0; s < in.plan.separator.size(); ++s) {
            const int v = in.plan.separator[s];
            for (const int u : near.of(v)) {
                if (!of_top(v, u)) continue;
                const bool second = v == split && in.plan.colour[static_cast<std::size_t>(u)] == 1;
                pattern += field(static_cast<int>(s), second ? 2 : 1);
            }
        }
        return pattern;
    }

    bool of_top(int v, int u) const {
        const int there = part[static_cast<std::size_t>(u)];
        if (there < 0) return there == -1;
        return top_edges[static_cast<std::size_t>(part[static_cast<std::size_t>(v)] * 32 + there)] != 0;
    }

    // -1: top, -2: bottom, else the slot in the separator; and which pairs of slots are edges of the top.
    std::vector<int> part;
    std::array<u8, 32 * 32> top_edges{};

    void divide() {
        part.assign(static_cast<std::size_t>(in.graph.vertices), -2);
        for (const int v : in.plan.top) part[static_cast<std::size_t>(v)] = -1;
        for (std::size_t s = 0; s < in.plan.separator.size(); ++s)
            part[static_cast<std::size_t>(in.plan.separator[s])] = static_cast<int>(s);
        const auto mark = [&](const std::vector<int>& edges) {
            for (const int e : edges) {
                const auto [u, v] = in.graph.edges[static_cast<std::size_t>(e)];
                const int a = part[static_cast<std::size_t>(u)], b = part[static_cast<std::size_t>(v)];
                top_edges[static_cast<std::size_t>(32 * a + b)] = 1;
                top_edges[static_cast<std::size_t>(32 * b + a)] = 1;
            }
        };
        mark(in.plan.top_deferred);
        for (const auto& edges : in.plan.top_preapplied) mark(edges);
    }

    // A path's number from the states and choices along it: what comes before it at each step.
    void add_up(const KeptHalf& half, const std::vector<Path*>& paths, const std::vector<State>& states,
                const std::vector<u32>& choices) {
        const std::size_t steps = half.steps.size();
        in_chunks(context, paths, [&](int worker, std::vector<u32> numbers) {
            Tracer tracer(half, in.ends);
            for (std::size_t step = steps; step-- > 0;) {
                std::sort(numbers.begin(), numbers.end(), [&](u32 a, u32 b) {
                    return states[a * steps + step].pattern < states[b * steps + step].pattern;
                });
                for (const u32 n : numbers) {
                    const State from = step == 0 ? State{} : states[n * steps + step - 1];
                    const u32 choice = choices[n * steps + step];
                    u64 before = 0;
                    const bool found = tracer.each(
                        step, states[n * steps + step], [&](std::size_t c, const State& state, u64 count) {
                            if (c == choice && state.pattern == from.pattern && state.rank == from.rank)
                                return true;
                            before += count;
                            return false;
                        });
                    if (!found) fault("a cycle passes a state that the tables do not have");
                    paths[n]->number += before;
                }
                context.workers.tick(worker);
            }
        });
    }

    void find_number(std::vector<Query>& queries, const OrbitGroup& group, const ClosedLane& lane) {
        const auto first = queries.begin() + static_cast<std::ptrdiff_t>(group.first);
        const auto end = queries.begin() + static_cast<std::ptrdiff_t>(group.end);
        std::vector<Source> above, below;
        (void)in.top.side->sources(group.pattern, above);
        (void)in.lower().side->sources(group.opposite, below);
        const int pairs = pairs_of(in.ends(group.pattern));
        for (auto query = first; query != end; ++query) {
            const auto is_source = [&](const Source& source, const Path& path) {
                return source.choice == path.deferred && source.pattern == path.state.pattern;
            };
            const auto entry_of = [&](const Source& source, const Path& path) {
                return is_source(source, path)
                           ? place_of_rank(source.group, pairs_of(in.ends(source.pattern)), path.state.rank)
                           : u64{source.group.count};
            };
            u128 sum = 0;
            bool found = false;
            for (const Source& source : above) {
                const u64 wanted = entry_of(source, query->top);
                u64 place = 0;
                each_extended(source, context, [&](u64 rank, u64 count) {
                    if (found) return;
                    const u64 closed = value_of(lane, rank);
                    if (place++ != wanted) {
                        sum += static_cast<u128>(closed) * count;
                        return;
                    }
                    found = true;
                    u64 left = 0;
                    bool completed = false;
                    const u64 seen = seen_from_below(in.symmetries, in.ends, group.pattern, rank);
                    each_completion(below, pairs, seen, [&](const Source& under, u64 at, u64 ways) {
                        if (at == entry_of(under, query->bottom)) return completed = true;
                        left += ways;
                        return false;
                    });
                    if (!completed) fault("the halves of a cycle do not close it");
                    sum += static_cast<u128>(query->top.number) * closed + left + query->bottom.number;
                });
                if (found) break;
            }
            if (!found) fault("a cycle has a state that the table does not have");
            query->number = sum;
        }
    }

    void rank(std::vector<Query>& queries, const std::int32_t* cycles, std::vector<u64>& indices) {
        const auto vertices = static_cast<std::size_t>(in.graph.vertices);
        const std::size_t top_steps = in.top.half.steps.size(), steps = in.lower().half.steps.size();
        std::vector<State> top(queries.size() * top_steps), bottom(queries.size() * steps);
        std::vector<u32> top_choices(top.size()), bottom_choices(bottom.size());
        std::vector<int> member(queries.size());
        context.workers.run((queries.size() + kChunk - 1) / kChunk, [&](int worker, u64 chunk) {
            Adjacency near(in.graph.vertices), image(in.graph.vertices), flipped(in.graph.vertices);
            for (std::size_t q = chunk * kChunk;
                 q < std::min<std::size_t>(queries.size(), (chunk + 1) * kChunk); ++q) {
                Query& query = queries[q];
                const std::int32_t* const cycle = cycles + query.place * vertices;
                const auto each_edge = [&](auto&& use) {
                    for (std::size_t i = 0; i < vertices; ++i)
                        use(cycle[i], cycle[i + 1 == vertices ? 0 : i + 1]);
                };
                near.clear();
                each_edge([&](int u, int v) { near.add(u, v); });
                const u64 pattern = pattern_of(near), least = in.symmetries.least(pattern);
                query.orbit = in.totals.of_pattern(least);
                if (query.orbit == in.totals.size())
                    throw std::invalid_argument("a cycle is not one of those that were counted");
                const auto members = in.symmetries.members(least);
                int m = 0;
                while (members.pattern[static_cast<std::size_t>(m)] != pattern) ++m;
                member[q] = m;
                // Each symmetry is its own inverse.
                const int symmetry = members.symmetry[static_cast<std::size_t>(m)];
                image.clear();
                flipped.clear();
                each_edge([&](int u, int v) {
                    const int a = in.symmetries.vertex(symmetry, u), b = in.symmetries.vertex(symmetry, v);
                    image.add(a, b);
                    if (in.flipped())
                        flipped.add(in.plan.flip[static_cast<std::size_t>(a)],
                                    in.plan.flip[static_cast<std::size_t>(b)]);
                });
                run_through(image, in.top, &top[q * top_steps], &top_choices[q * top_steps],
                            query.top.deferred);
                run_through(in.flipped() ? flipped : image, in.lower(), &bottom[q * steps],
                            &bottom_choices[q * steps], query.bottom.deferred);
                query.top.state = top[(q + 1) * top_steps - 1];
                query.bottom.state = bottom[(q + 1) * steps - 1];
            }
            context.workers.tick(worker);
        });
        std::vector<Path*> above, below;
        for (Query& query : queries) {
            above.push_back(&query.top);
            below.push_back(&query.bottom);
        }
        add_up(in.top.half, above, top, top_choices);
        add_up(in.lower().half, below, bottom, bottom_choices);
        for (std::size_t q = 0; q < queries.size(); ++q) queries[q].symmetry = member[q];
        std::stable_sort(queries.begin(), queries.end(),
                         [](const Query& a, const Query& b) { return a.orbit < b.orbit; });
        with_contractions(queries, [&](const OrbitGroup& group, const ClosedLane& lane) {
            find_number(queries, group, lane);
        });
        for (const Query& query : queries) {
            const u128 begin = in.totals.begin(query.orbit), size = in.totals.end(query.orbit) - begin;
            const auto count = in.symmetries.members(in.totals.pattern(query.orbit)).count;
            const u128 index =
                begin + size / static_cast<u128>(count) * static_cast<u128>(query.symmetry) + query.number;
            indices[2 * query.place] = static_cast<u64>(index);
            indices[2 * query.place + 1] = static_cast<u64>(index >> 64);
        }
    }
};

namespace {

// Runs work(context) under limits. Counts that were bounded when the tables were made can only be too large
// in a damaged file.
template <class Work>
Status answered(JoinRanking::Inside& in, int threads, double seconds, Monitor* monitor, Work&& work) {
    try {
        return in.watched(threads, seconds, monitor, work);
    } catch (const CountTooWide&) {
        throw DamagedBytes();
    }
}

} // namespace

RankedReport JoinRanking::unrank(const std::vector<std::uint64_t>& indices, int start, int threads,
                                 double seconds, Monitor* monitor) {
    Inside& in = *inside_;
    if (start < 0 || start >= in.graph.vertices) throw std::invalid_argument("there is no such vertex");
    const std::size_t many = indices.size() / 2;
    const auto index = [&](u64 i) { return static_cast<u128>(indices[2 * i + 1]) << 64 | indices[2 * i]; };
    RankedReport report;
    report.status = answered(in, threads, seconds, monitor, [&](Context& context) {
        const u128 count = in.totals.count();
        for (std::size_t i = 0; i < many; ++i)
            if (index(i) >= count) throw std::out_of_range("there is no cycle with that index");
        const Reservation results(
            in.pool, many * (sizeof(std::int32_t) * static_cast<u64>(in.graph.vertices) + sizeof(u64)));
        std::vector<u64> order(many); // counted with the results
        std::iota(order.begin(), order.end(), u64{0});
        std::sort(order.begin(), order.end(), [&](u64 a, u64 b) { return index(a) < index(b); });
        report.cycles.resize(many * static_cast<std::size_t>(in.graph.vertices));
        RankingQueries answers(in, context);
        const u64 size = answers.batch_size();
        const Reservation batch(in.pool, std::min<u64>(size, many) * answers.query_bytes());
        context.workers.progress().total = many;
        for (u64 first = 0; first < many; first += size) {
            const auto end = static_cast<std::size_t>(std::min<u64>(many, first + size));
            std::vector<Query> queries;
            queries.reserve(end - first);
            for (std::size_t i = first; i < end; ++i) {
                Query query;
                query.place = order[i];
                const u128 wanted = index(query.place);
                query.orbit = in.totals.of_index(wanted);
                const u64 pattern = in.totals.pattern(query.orbit);
                const u128 begin = in.totals.begin(query.orbit), past = in.totals.end(query.orbit);
                in.check_orbit(pattern);
                const auto members = in.symmetries.members(pattern);
                const u128 each = (past - begin) / static_cast<u128>(members.count);
                if (wanted < begin || past <= wanted ||
                    each * static_cast<u128>(members.count) != past - begin)
                    throw DamagedBytes();
                query.symmetry = members.symmetry[static_cast<std::size_t>((wanted - begin) / each)];
                query.number = (wanted - begin) % each;
                queries.push_back(query);
            }
            answers.unrank(queries, start, report.cycles.data());
            context.workers.progress().step = end;
            context.workers.poll();
        }
    });
    return report;
}

RankedReport JoinRanking::rank(const std::int32_t* cycles, std::uint64_t number, int threads, double seconds,
                               Monitor* monitor) {
    Inside& in = *inside_;
    RankedReport report;
    report.status = answered(in, threads, seconds, monitor, [&](Context& context) {
        const auto vertices = static_cast<std::size_t>(in.graph.vertices);
        std::vector<char> seen(vertices);
        for (std::size_t i = 0; i < number * vertices; ++i) {
            if (i % vertices == 0) std::fill(seen.begin(), seen.end(), char{0});
            if (cycles[i] < 0 || cycles[i] >= in.graph.vertices ||
                seen[static_cast<std::size_t>(cycles[i])]++ != 0)
                throw std::invalid_argument("a cycle names every vertex once");
        }
        const Reservation results(in.pool, 2 * number * sizeof(u64));
        report.indices.resize(2 * number);
        RankingQueries answers(in, context);
        answers.divide();
        const u64 size = answers.batch_size();
        const Reservation batch(in.pool, std::min<u64>(size, number) * answers.query_bytes());
        context.workers.progress().total = number;
        for (u64 first = 0; first < number; first += size) {
            std::vector<Query> queries(std::min<u64>(size, number - first));
            for (std::size_t q = 0; q < queries.size(); ++q) queries[q].place = first + q;
            answers.rank(queries, cycles, report.indices);
            context.workers.progress().step = first + queries.size();
            context.workers.poll();
        }
    });
    return report;
}

} // namespace ktsolve
