// Reduces a graph: forced edges, contracted chains, separators; or finds that it has no Hamiltonian cycle.
#include "ktsolve/graphs/reduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "ktsolve/frontier/count.hpp"
#include "ktsolve/frontier/order.hpp"

namespace ktsolve {
namespace {

constexpr int kLeastTrees = 4; // depth-first trees of each part, whatever they cost
constexpr int kSmallSide = 20; // vertices behind a cut of three edges, always counted in their order
constexpr std::uint64_t kBundleWork = 300; // edges that could be visited while the paths are counted
constexpr double kMostSwept = 1 << 20;     // states that are predicted for the paths through a larger side
constexpr std::int64_t kMostInVain = 8;    // times the vertices of the graph: sides that were not contracted
constexpr double kOrderEffort = 0.05;      // of the search for the order of their sweep
constexpr std::uint64_t kSweptWork = 50;   // edges that could be visited meanwhile, for each of its vertices

// The graph changes in place. Its connected components are the parts: a split copies the two vertices of the
// separator. Lists of edges around a vertex are cleaned when they are read.
class Reducer {
  public:
    Reducer(const Graph& graph, std::uint64_t work, bool counting, const Limits& limits, Monitor* monitor)
        : watch_(limits, monitor), budget_(work), counting_(counting) {
        report_.fixed = graph.required;
        report_.deleted.assign(graph.edges.size(), 0);
        for (int v = 0; v < graph.vertices; ++v) add_vertex(v, 0);
        members_.emplace_back(static_cast<std::size_t>(graph.vertices));
        std::iota(members_[0].begin(), members_[0].end(), 0);
        size_.push_back(graph.vertices);
        most_in_vain_ = kMostInVain * graph.vertices;
        epoch_.push_back(clock_);
        for (std::size_t e = 0; e < graph.edges.size(); ++e)
            add_edge(graph.edges[e].first, graph.edges[e].second, static_cast<int>(e),
                     graph.required[e] != 0);
    }

    ReductionReport run() {
        if (vertices() < 3) {
            refute("size", {});
            return report_;
        }
        for (int v = vertices(); v-- > 0;) pending_.push_back(v);
        std::vector<int> open{0};
        settle();
        while (!open.empty() && running()) {
            const int part = open.back();
            open.pop_back();
            decompose(part, open);
        }
        for (std::vector<int>* each : {&takes_, &taken_by_, &sent_by_, &taker_, &sender_})
            each->assign(name_.size(), 0);
        used_.resize(edges_.size());
        for (int part = 0; part < static_cast<int>(size_.size()); ++part)
            if (running() && size_[part] > 0) balance(part);
        for (int part = 0; part < static_cast<int>(size_.size()); ++part)
            if (running() && size_[part] > 0) write(part);
        return report_;
    }

  private:
    struct Edge {
        int u, v, original;
        bool required, gone;
    };
    struct Cut { // the subtree below `child` has no edges but to `a` and `b`
        int a, b, child;
    };

    // -- the graph ------------------------------------------------------------------------------------------

    int vertices() const { return static_cast<int>(name_.size()); }
    bool running() const { return report_.refuted.empty() && report_.status == Status::done; }
    int other(int e, int v) const { return edges_[e].u == v ? edges_[e].v : edges_[e].u; }

    int add_vertex(int name, int part) {
        name_.push_back(name);
        part_.push_back(part);
        around_.emplace_back();
        degree_.push_back(0);
        forced_.push_back(0);
        tested_.push_back(-1);
        return vertices() - 1;
    }

    void add_edge(int u, int v, int original, bool required) {
        const int e = static_cast<int>(edges_.size());
        edges_.push_back({u, v, original, required, false});
        for (const int end : {u, v}) {
            around_[end].push_back(e);
            ++degree_[end];
            forced_[end] += required;
        }
    }

    // The edges of a vertex. Those that are gone or were moved to a copy of the vertex are dropped.
    const std::vector<int>& around(int v) {
        std::erase_if(around_[v],
                      [&](int e) { return edges_[e].gone || (edges_[e].u != v && edges_[e].v != v); });
        return around_[v];
    }

    int edge_between(int u, int v) {
        if (around_[u].size() > around_[v].size()) std::swap(u, v);
        for (const int e : around(u))
            if (other(e, u) == v) return e;
        return -1;
    }

    void take_out(int e) {
        edges_[e].gone = true;
        for (const int end : {edges_[e].u, edges_[e].v}) {
            --degree_[end];
            forced_[end] -= edges_[e].required;
            pending_.push_back(end);
        }
    }

    // Deletes a free edge. That may cut off more than before: vertices of the part are tested again.
    void remove(int e, std::int64_t& counter) {
        ++counter;
        report_.deleted[edges_[e].original] = 1;
        epoch_[part_[edges_[e].u]] = ++clock_;
        take_out(e);
    }

    bool require(int e) {
        if (edges_[e].required) return false;
        edges_[e].required = true;
        report_.fixed[edges_[e].original] = 1;
        for (const int end : {edges_[e].u, edges_[e].v}) {
            ++forced_[end];
            pending_.push_back(end);
        }
        return true;
    }

    void refute(const char* theorem, std::vector<int> evidence) {
        report_.refuted = theorem;
        for (int& v : evidence) v = name_[v];
        report_.evidence = std::move(evidence);
    }

    // -- forced edges ---------------------------------------------------------------------------------------

    void settle() {
        while (!pending_.empty() && running()) {
            const int v = pending_.back();
            pending_.pop_back();
            if (part_[v] >= 0) settle(v);
        }
    }

    void settle(int v) {
        if (degree_[v] < 2) return refute("degrees", {v});
        if (forced_[v] > 2) return refute("forced edges", {v});
        if (forced_[v] == 2 && degree_[v] > 2) {
            const std::vector<int> all = around(v);
            for (const int e : all)
                if (!edges_[e].required) remove(e, report_.surplus);
        }
        if (degree_[v] != 2) return;
        const int e = around(v)[0], f = around_[v][1];
        report_.forced += require(e) + require(f);
        const int a = other(e, v), b = other(f, v), closing = edge_between(a, b), part = part_[v];
        if (size_[part] == 3) { // a triangle, or less
            if (closing < 0) return refute("degrees", {a});
            report_.forced += require(closing);
            for (const int w : {a, b, v}) part_[w] = -1;
            size_[part] = 0;
            return;
        }
        if (closing >= 0) {
            if (edges_[closing].required) return refute("forced cycle", {a, v, b});
            remove(closing, report_.closing);
        }
        take_out(e);
        take_out(f);
        add_edge(a, b, -1, true);
        part_[v] = -1;
        --size_[part];
        ++report_.contracted;
    }

    // -- separators -----------------------------------------------------------------------------------------

    // Splits a part until no tree finds a separator; the parts that split off are added to `open`.
    void decompose(int part, std::vector<int>& open) {
        int trees = 0;
        std::shuffle(members_[part].begin(), members_[part].end(), random_);
        std::size_t at = 0;
        while (running() && size_[part] > 0 && at < members_[part].size()) {
            const int root = members_[part][at];
            if (part_[root] != part || tested_[root] == epoch_[part]) {
                ++at;
                continue;
            }
            if (trees >= kLeastTrees && work_ > budget_) return;
            ++trees;
            report_.status = watch_.poll({work_, budget_, 0});
            if (!running()) return;
            tested_[root] = epoch_[part];
            const std::size_t parts = size_.size();
            const std::int64_t before = clock_;
            const int size = size_[part];
            grow_tree(root, part);
            for (const Cut& cut : cuts_)
                if (running()) split(cut, part);
            for (const int child : narrow_)
                if (running()) bundle(child, part);
            for (std::size_t each = parts; each < size_.size(); ++each)
                open.push_back(static_cast<int>(each));
            settle();
            if (clock_ != before) at = 0;
            if ((size - size_[part]) * 16 > size) trees = 0; // this cannot go on for long
        }
    }

    // Makes a depth-first tree of the part and lists the separators seen in it, the innermost first.
    void grow_tree(int root, int part) {
        const std::size_t n = name_.size();
        for (std::vector<int>* each : {&seen_at_, &low_, &second_, &parent_, &place_, &end_, &leaving_})
            each->resize(n);
        for (const int v : members_[part]) seen_at_[v] = -1;
        visited_.clear();
        cuts_.clear();
        narrow_.clear();
        int children_of_root = 0, cut_vertex = -1;
        std::vector<int> stack;
        const auto enter = [&](int v, int from) {
            seen_at_[v] = low_[v] = second_[v] = static_cast<int>(visited_.size());
            visited_.push_back(v);
            parent_[v] = from;
            place_[v] = leaving_[v] = 0;
            stack.push_back(v);
            work_ += around(v).size() + 1;
            // Separators that one order of the edges misses, another one finds.
            if (around_[v].size() > 1) std::swap(around_[v][0], around_[v][random_() % around_[v].size()]);
        };
        enter(root, -1);
        while (!stack.empty()) {
            const int v = stack.back();
            if (place_[v] < static_cast<int>(around_[v].size())) {
                const int w = other(around_[v][place_[v]++], v);
                if (seen_at_[w] < 0)
                    enter(w, v);
                else if (w != parent_[v] && seen_at_[w] < seen_at_[v]) {
                    lower(v, seen_at_[w]);
                    ++leaving_[v];
                    --leaving_[w];
                }
                continue;
            }
            stack.pop_back();
            end_[v] = static_cast<int>(visited_.size());
            const int up = parent_[v];
            if (up < 0) continue;
            if (low_[v] > seen_at_[up]) return refute("bridge", {up, v});
            if (up == root ? ++children_of_root > 1 : low_[v] >= seen_at_[up]) cut_vertex = up;
            if (low_[v] < seen_at_[up] && second_[v] >= seen_at_[up])
                cuts_.push_back({visited_[low_[v]], up, v});
            if (leaving_[v] == 2 && end_[v] - seen_at_[v] > 2) narrow_.push_back(v);
            leaving_[up] += leaving_[v];
            lower(up, low_[v]);
            lower(up, second_[v]);
        }
        if (static_cast<int>(visited_.size()) < size_[part]) {
            const auto apart = std::find_if(members_[part].begin(), members_[part].end(),
                                            [&](int v) { return part_[v] == part && seen_at_[v] < 0; });
            return refute("connectivity", {root, *apart});
        }
        if (cut_vertex >= 0) return refute("cut vertex", {cut_vertex});
        next_.resize(visited_.size() + 1);
        std::iota(next_.begin(), next_.end(), 0);
    }

    // The two lowest places that the subtree of v reaches.
    void lower(int v, int place) {
        if (place < low_[v]) {
            second_[v] = low_[v];
            low_[v] = place;
        } else if (place > low_[v]) {
            second_[v] = std::min(second_[v], place);
        }
    }

    // The first place from `at` on whose vertex was not split off.
    int next(int at) {
        while (next_[at] != at) at = next_[at] = next_[next_[at]];
        return at;
    }

    void split(const Cut& cut, int part) {
        const auto [a, b, child] = cut;
        std::vector<int> side;
        for (int at = next(seen_at_[child]); at < end_[child]; at = next(at + 1))
            side.push_back(visited_[at]);
        const int inside = static_cast<int>(side.size());
        if (inside == 0 || size_[part] - inside <= 2) return;
        const int direct = edge_between(a, b);
        if (direct >= 0) {
            if (edges_[direct].required) return refute("separator", {a, b});
            remove(direct, report_.between);
        }
        const int own = static_cast<int>(size_.size());
        const int a2 = add_vertex(name_[a], own), b2 = add_vertex(name_[b], own);
        for (const int w : side) {
            for (const int e : around(w))
                for (const auto& [old, copy] : {std::pair{a, a2}, std::pair{b, b2}})
                    if (other(e, w) == old) move_end(e, old, copy);
            part_[w] = own;
            next_[seen_at_[w]] = seen_at_[w] + 1;
        }
        side.push_back(a2);
        side.push_back(b2);
        tested_[a2] = tested_[a];
        tested_[b2] = tested_[b];
        members_.push_back(std::move(side));
        size_.push_back(inside + 2);
        size_[part] -= inside;
        epoch_.push_back(epoch_[part]);
        add_edge(a, b, -1, true);
        add_edge(a2, b2, -1, true);
        pending_.insert(pending_.end(), {a, b, a2, b2});
        ++report_.separators;
    }

    void move_end(int e, int old, int copy) {
        (edges_[e].u == old ? edges_[e].u : edges_[e].v) = copy;
        around_[copy].push_back(e);
        --degree_[old];
        ++degree_[copy];
        forced_[old] -= edges_[e].required;
        forced_[copy] += edges_[e].required;
    }

    // -- cuts of three edges --------------------------------------------------------------------------------

    // Contracts the subtree below a vertex, which three edges leave, or all vertices but these, if they are
    // fewer; or finds that one of the three is needed.
    void bundle(int child, int part) {
        const int below = end_[child] - seen_at_[child], inside = std::min(below, size_[part] - below);
        if (inside < 3 || (inside > kSmallSide && (work_ > budget_ || in_vain_ + inside > most_in_vain_)))
            return;
        if (inside > kSmallSide) in_vain_ += inside; // unless it is contracted
        std::vector<int> side(visited_.begin() + seen_at_[child], visited_.begin() + end_[child]);
        for (const int w : side)
            if (part_[w] != part) return; // split off or contracted meanwhile
        if (inside < below) {
            inside_.resize(name_.size(), 0);
            ++side_;
            for (const int w : side) inside_[w] = side_;
            std::erase_if(side = members_[part],
                          [&](int w) { return part_[w] != part || inside_[w] == side_; });
        }
        if (static_cast<int>(side.size()) != inside) return; // the part is smaller than it was
        local_.resize(name_.size());
        inside_.resize(name_.size(), 0);
        number_in(side);
        const auto place = [&](int v) { return inside_[v] == side_ ? local_[v] : -1; };
        std::vector<int> inner, cut;
        for (const int w : side)
            for (const int e : around(w)) {
                const int at = place(other(e, w));
                if (at < 0)
                    cut.push_back(e);
                else if (place(w) < at)
                    inner.push_back(e);
            }
        if (cut.size() != 3) return;
        const auto end = [&](int i, bool within) {
            const Edge& e = edges_[cut[i]];
            return (place(e.u) >= 0) == within ? e.u : e.v;
        };
        for (const bool within : {true, false})
            for (int i = 0; i < 3; ++i)
                if (end(i, within) == end((i + 1) % 3, within)) return; // a separator of two vertices
        work_ += kBundleWork;
        if (inside > kSmallSide && !arrange(side, inner)) return;
        const int rest = inside;

        // paths[i]: through the side without edge i of the cut.
        std::array<std::uint64_t, 3> paths{};
        for (int i = 0; i < 3; ++i) {
            if (edges_[cut[i]].required) continue;
            Graph through;
            through.vertices = inside + 1;
            for (const int e : inner) {
                const auto [low, high] = std::minmax({place(edges_[e].u), place(edges_[e].v)});
                through.edges.emplace_back(low, high);
                through.required.push_back(edges_[e].required);
            }
            for (int j = 0; j < 3; ++j)
                if (j != i) {
                    through.edges.emplace_back(place(end(j, true)), rest);
                    through.required.push_back(1);
                }
            const FrontierReport found = count_cycles_by_frontier(through, {}, nullptr);
            if (found.status != Status::done) return;
            const bool large =
                std::any_of(found.count.begin() + 1, found.count.end(), [](auto limb) { return limb != 0; });
            if (large && counting_) return;
            paths[i] = large ? 1 : found.count[0];
        }
        const std::uint64_t most = *std::max_element(paths.begin(), paths.end());
        const auto possible = 3 - std::count(paths.begin(), paths.end(), 0U);
        if (possible == 0) return refute("cut of three edges", side);
        if (possible == 1)
            return remove(cut[std::max_element(paths.begin(), paths.end()) - paths.begin()], report_.unused);
        for (int i = 0; i < 3; ++i)
            if (paths[i] == 0) report_.needed += require(cut[i]);
        const bool equal =
            std::all_of(paths.begin(), paths.end(), [&](auto n) { return n == 0 || n == most; });
        if (counting_ && !equal) return;

        // The vertex that stands for the rest in the bundle, and the one that stands for the side.
        Bundle made{{}, {}, equal ? most : 0};
        for (const int e : cut)
            if (!edges_[e].required) made.cut.push_back(edges_[e].original);
        std::vector<std::pair<std::pair<int, int>, int>> listed;
        for (const int e : inner)
            listed.push_back({std::minmax({place(edges_[e].u), place(edges_[e].v)}), e});
        for (int i = 0; i < 3; ++i) listed.push_back({{place(end(i, true)), rest}, cut[i]});
        for (const int w : side) made.part.vertices.push_back(name_[w]);
        made.part.vertices.push_back(name_[end(0, false)]);
        fill(made.part, listed);
        report_.bundles.push_back(std::move(made));

        const int whole = add_vertex(name_[side[0]], part);
        members_[part].push_back(whole);
        const std::array<int, 3> ends{end(0, true), end(1, true), end(2, true)};
        for (int i = 0; i < 3; ++i) move_end(cut[i], ends[i], whole);
        for (const int w : side) part_[w] = -1;
        size_[part] -= inside - 1;
        report_.bundled += inside;
        if (inside > kSmallSide) in_vain_ -= inside;
        epoch_[part] = ++clock_;
        pending_.push_back(whole);
    }

    void number_in(const std::vector<int>& side) {
        ++side_;
        for (std::size_t i = 0; i < side.size(); ++i) {
            inside_[side[i]] = side_;
            local_[side[i]] = static_cast<int>(i);
        }
    }

    // Brings the vertices of a side into an order of few states. False if all that were tried have many.
    bool arrange(std::vector<int>& side, const std::vector<int>& inner) {
        Graph graph;
        graph.vertices = static_cast<int>(side.size());
        for (const int e : inner) {
            graph.edges.push_back(std::minmax(local_[edges_[e].u], local_[edges_[e].v]));
            graph.required.push_back(edges_[e].required);
        }
        work_ += kSweptWork * side.size();
        OrderProblem problem;
        problem.effort = kOrderEffort;
        const OrderAnswer best = best_frontier_order(graph, problem, {}, nullptr);
        double states = 0;
        for (const double bits : best.bits) states += std::exp2(bits);
        if (states > kMostSwept) return false;
        std::vector<int> arranged;
        for (const int i : best.order) arranged.push_back(side[i]);
        side = std::move(arranged);
        number_in(side);
        return true;
    }

    // -- neighbours -----------------------------------------------------------------------------------------

    // Refutes a part in which some vertices need more edges than their neighbours can take. Every vertex
    // sends as many edges as it lacks of two and takes as many, each free edge once in each direction. A
    // cycle gives such a flow. Where no path augments it, the senders that the search reached are too many
    // (as in Hall's theorem). Each search begins at a vertex that still has an edge to send.
    void balance(int part) {
        std::vector<int> senders;
        for (const int v : members_[part])
            if (part_[v] == part) senders.push_back(v);
        std::sort(senders.begin(), senders.end(), [&](int u, int v) { return degree_[u] < degree_[v]; });
        const auto sent = [&](int e, int from) -> bool& { return used_[e][from != edges_[e].u]; };
        for (const int v : senders) takes_[v] = 2 - forced_[v];
        std::uint64_t work = 0;
        std::vector<int> reached;
        for (const int start : senders)
            for (int left = 2 - forced_[start]; left > 0; --left) {
                reached.assign(1, start);
                sender_[start] = ++search_;
                int end = -1;
                for (std::size_t i = 0; i < reached.size() && end < 0; ++i) {
                    const int u = reached[i];
                    work += around(u).size();
                    for (const int e : around_[u]) {
                        const int w = other(e, u);
                        if (edges_[e].required || sent(e, u) || taker_[w] == search_) continue;
                        taker_[w] = search_;
                        taken_by_[w] = e;
                        if (takes_[w] > 0) {
                            end = w;
                            break;
                        }
                        work += around(w).size();
                        for (const int f : around_[w]) {
                            const int x = other(f, w);
                            if (!sent(f, x) || sender_[x] == search_) continue;
                            sender_[x] = search_;
                            sent_by_[x] = f;
                            reached.push_back(x);
                        }
                    }
                }
                if (end < 0) return refute("neighbours", reached);
                if (work > budget_) return;
                --takes_[end];
                for (int w = end;;) {
                    const int u = other(taken_by_[w], w);
                    sent(taken_by_[w], u) = true;
                    if (u == start) break;
                    sent(sent_by_[u], u) = false;
                    w = other(sent_by_[u], u);
                }
            }
    }

    // -- the result -----------------------------------------------------------------------------------------

    void write(int part) {
        std::vector<int> kept;
        for (const int v : members_[part])
            if (part_[v] == part) kept.push_back(v);
        std::sort(kept.begin(), kept.end(), [&](int u, int v) { return name_[u] < name_[v]; });
        place_.resize(name_.size());
        for (std::size_t i = 0; i < kept.size(); ++i) place_[kept[i]] = static_cast<int>(i);
        std::vector<std::pair<std::pair<int, int>, int>> listed;
        for (const int v : kept)
            for (const int e : around(v))
                if (place_[v] < place_[other(e, v)]) listed.push_back({{place_[v], place_[other(e, v)]}, e});
        ReducedPart made;
        for (const int v : kept) made.vertices.push_back(name_[v]);
        fill(made, listed);
        report_.parts.push_back(std::move(made));
    }

    void fill(ReducedPart& made, std::vector<std::pair<std::pair<int, int>, int>>& listed) {
        std::sort(listed.begin(), listed.end());
        made.graph.vertices = static_cast<int>(made.vertices.size());
        for (const auto& [ends, e] : listed) {
            made.graph.edges.push_back(ends);
            made.graph.required.push_back(edges_[e].required);
            made.original.push_back(edges_[e].required ? -1 : edges_[e].original);
        }
    }

    Watch watch_;
    std::uint64_t budget_, work_ = 0;
    bool counting_;
    ReductionReport report_;
    std::mt19937 random_{1};

    std::vector<Edge> edges_;
    std::vector<int> name_, part_; // of vertices; part -1: contracted
    std::vector<std::vector<int>> around_;
    std::vector<int> degree_, forced_;
    std::vector<int> pending_; // vertices whose edges changed
    std::vector<std::vector<int>> members_;
    std::vector<int> size_; // vertices of each part that are left

    // A vertex is tested if no pair with it separates; valid in the epoch of its part.
    std::int64_t clock_ = 0;
    std::vector<std::int64_t> tested_, epoch_;

    // The tree.
    std::vector<int> seen_at_, low_, second_, parent_, place_, end_, visited_, next_;
    std::vector<int> leaving_; // edges from the subtree to proper ancestors, but the one to the parent
    std::vector<Cut> cuts_;
    std::vector<int> narrow_; // children whose subtrees three edges leave

    // The last side of a cut: its number, for each vertex the number of its last side and its place there.
    int side_ = 0;
    std::vector<int> inside_, local_;
    std::int64_t in_vain_ = 0, most_in_vain_ = 0; // vertices of larger sides that were not contracted

    // The flow: what each vertex can still take, the edges over which the search came, and the last search
    // that reached it; for each edge whether it is sent from u and from v.
    std::vector<int> takes_, taken_by_, sent_by_, taker_, sender_;
    std::vector<std::array<bool, 2>> used_;
    int search_ = 0;
};

} // namespace

ReductionReport reduce_graph(const Graph& graph, std::uint64_t work, bool counting, const Limits& limits,
                             Monitor* monitor) {
    graph.validate();
    return Reducer(graph, work, counting, limits, monitor).run();
}

} // namespace ktsolve
