// Counts the Hamiltonian cycles that a symmetry maps to themselves, by a sweep of the whole graph.
//
// A *place* is a slot of an orbit times the size of the largest orbit, plus the number of a member: the image
// of a member is the next one. A state has one code for each slot, that of the first member.
#include "ktsolve/frontier/invariant.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string>

#include "frontier/sweep.hpp"

namespace ktsolve {

namespace frontier {

namespace {

struct Pair {
    std::uint8_t a, b; // places
};

// Edges that are taken together.
struct Bundle {
    std::vector<Pair> edges;
    int here; // of these at each vertex that the step eliminates
    bool required;
};

// A slot in use during a step, and what its first member has left after the step.
struct Live {
    int slot;
    int size; // of the orbit
    int undecided = 0;
    int required = 0;                 // edges among those
    int outside = 0;                  // of the undecided edges, those to vertices not yet in the frontier
    std::vector<std::uint8_t> inside; // places of the other ends of the others
};

struct OrbitStep {
    int slot = 0; // of the orbit eliminated
    int size = 0;
    int largest = 1; // size of the largest orbit
    std::vector<Bundle> bundles;
    std::vector<Live> live;          // without the orbit eliminated
    std::vector<std::uint8_t> image; // of each place
    bool may_close = false;          // a cycle closed here could be complete
};

struct OrbitPlan {
    std::vector<OrbitStep> steps;
    int slots = 0;
    int places = 0;
    int widest = 0;
    bool impossible = false; // a required edge has no image
};

constexpr std::uint8_t kInner = 255; // as a mate: the vertex has two edges
constexpr int kMostPlaces = 254;

// Lays out orbits, bundles and slots.
class OrbitPlanner {
  public:
    OrbitPlanner(const Graph& graph, const std::vector<int>& images) : images_(images) {
        graph.validate();
        check(graph);
        find_orbits(graph);
        find_bundles(graph);
    }

    OrbitPlan finish() {
        slot_of_.assign(orbits_.size(), -1);
        required_left_ = 0;
        for (const Edges& bundle : bundles_) required_left_ += bundle.required;
        for (int orbit = 0; orbit < static_cast<int>(orbits_.size()); ++orbit) eliminate(orbit);
        plan_.slots = static_cast<int>(orbit_in_.size());
        plan_.places = plan_.slots * largest_;
        return std::move(plan_);
    }

  private:
    struct Edges {
        std::vector<std::pair<int, int>> edges;
        bool required = false;
        bool decided = false;
    };

    void check(const Graph& graph) const {
        std::vector<char> reached(graph.vertices, 0);
        if (images_.size() != reached.size()) throw std::invalid_argument("there is one image per vertex");
        for (const int image : images_) {
            if (image < 0 || image >= graph.vertices || reached[image])
                throw std::invalid_argument("the images are a permutation of the vertices");
            reached[image] = 1;
        }
    }

    void find_orbits(const Graph& graph) {
        orbit_of_.assign(graph.vertices, -1);
        member_of_.assign(graph.vertices, 0);
        for (int v = 0; v < graph.vertices; ++v) {
            if (orbit_of_[v] >= 0) continue;
            std::vector<int>& orbit = orbits_.emplace_back();
            for (int w = v; orbit_of_[w] < 0; w = images_[w]) {
                orbit_of_[w] = static_cast<int>(orbits_.size()) - 1;
                member_of_[w] = static_cast<int>(orbit.size());
                orbit.push_back(w);
            }
            largest_ = std::max(largest_, static_cast<int>(orbit.size()));
        }
    }

    void find_bundles(const Graph& graph) {
        std::map<std::pair<int, int>, bool> left;
        for (std::size_t e = 0; e < graph.edges.size(); ++e) left[graph.edges[e]] = graph.required[e] != 0;
        around_.resize(orbits_.size());
        while (!left.empty()) {
            const std::pair<int, int> first = left.begin()->first;
            Edges bundle;
            bool whole = true;
            std::pair<int, int> edge = first;
            do {
                bundle.edges.push_back(edge);
                if (const auto found = left.find(edge); found == left.end())
                    whole = false;
                else
                    bundle.required = bundle.required || found->second;
                edge = std::minmax(images_[edge.first], images_[edge.second]);
            } while (edge != first);
            for (const auto& each : bundle.edges) left.erase(each);
            if (!whole) {
                plan_.impossible = plan_.impossible || bundle.required;
                continue;
            }
            const int number = static_cast<int>(bundles_.size());
            const int one = orbit_of_[first.first], other = orbit_of_[first.second];
            around_[one].push_back(number);
            if (other != one) around_[other].push_back(number);
            bundles_.push_back(std::move(bundle));
        }
    }

    void enter(int orbit) {
        if (slot_of_[orbit] >= 0) return;
        const auto free = std::find(orbit_in_.begin(), orbit_in_.end(), -1);
        slot_of_[orbit] = static_cast<int>(free - orbit_in_.begin());
        if (free == orbit_in_.end())
            orbit_in_.push_back(orbit);
        else
            *free = orbit;
        if (orbit_in_.size() * static_cast<std::size_t>(largest_) > kMostPlaces)
            throw std::length_error("the frontier needs more than " + std::to_string(kMostPlaces) +
                                    " places");
        ++entered_;
    }

    std::uint8_t place(int vertex) const {
        return static_cast<std::uint8_t>(slot_of_[orbit_of_[vertex]] * largest_ + member_of_[vertex]);
    }

    void eliminate(int orbit) {
        OrbitStep& step = plan_.steps.emplace_back();
        enter(orbit);
        const int first = orbits_[orbit][0];
        step.slot = slot_of_[orbit];
        step.size = static_cast<int>(orbits_[orbit].size());
        step.largest = largest_;
        for (const int number : around_[orbit]) {
            Edges& bundle = bundles_[number];
            if (bundle.decided) continue;
            bundle.decided = true;
            required_left_ -= bundle.required;
            Bundle& made = step.bundles.emplace_back();
            made.required = bundle.required;
            made.here = 0;
            for (const auto& [u, v] : bundle.edges) {
                enter(orbit_of_[u]);
                enter(orbit_of_[v]);
                made.edges.push_back({place(u), place(v)});
                made.here += (u == first) + (v == first);
            }
        }
        step.may_close = entered_ == orbits_.size() && required_left_ == 0;
        step.image.assign(orbit_in_.size() * largest_, 0);
        for (std::size_t slot = 0; slot < orbit_in_.size(); ++slot) {
            if (orbit_in_[slot] < 0) continue;
            const int size = static_cast<int>(orbits_[orbit_in_[slot]].size());
            for (int member = 0; member < size; ++member)
                step.image[slot * largest_ + member] =
                    static_cast<std::uint8_t>(slot * largest_ + (member + 1) % size);
        }
        for (std::size_t slot = 0; slot < orbit_in_.size(); ++slot)
            if (orbit_in_[slot] >= 0 && orbit_in_[slot] != orbit)
                step.live.push_back(left(static_cast<int>(slot)));
        plan_.widest = std::max(plan_.widest, static_cast<int>(step.live.size()));
        orbit_in_[slot_of_[orbit]] = -1;
    }

    // What the first member of the orbit in a slot has left.
    Live left(int slot) const {
        const std::vector<int>& orbit = orbits_[orbit_in_[slot]];
        Live live{slot, static_cast<int>(orbit.size()), 0, 0, 0, {}};
        for (const int number : around_[orbit_in_[slot]]) {
            const Edges& bundle = bundles_[number];
            if (bundle.decided) continue;
            for (const auto& [u, v] : bundle.edges) {
                if (u != orbit[0] && v != orbit[0]) continue;
                const int other = u == orbit[0] ? v : u;
                ++live.undecided;
                live.required += bundle.required;
                if (slot_of_[orbit_of_[other]] < 0)
                    ++live.outside;
                else
                    live.inside.push_back(place(other));
            }
        }
        return live;
    }

    const std::vector<int>& images_;
    std::vector<std::vector<int>> orbits_;
    std::vector<int> orbit_of_, member_of_;
    int largest_ = 1;
    std::vector<Edges> bundles_;
    std::vector<std::vector<int>> around_; // bundles at each orbit
    std::vector<int> slot_of_, orbit_in_;
    std::size_t entered_ = 0;
    int required_left_ = 0;
    OrbitPlan plan_;
};

// The successors of states under the elimination of an orbit.
template <class KeyT> class OrbitSuccessors {
  public:
    explicit OrbitSuccessors(const OrbitStep& step) : step_(step), largest_(step.largest) {}

    template <class Emit, class Close> void of(const KeyT& state, Emit&& emit, Close&& close) const {
        Mates mates;
        unfold(state, step_.slot, step_.size, mates);
        for (const Live& live : step_.live) unfold(state, live.slot, live.size, mates);
        const int have = degree_at(mates, step_.slot * largest_);
        choose(0, 2 - have, mates, emit, close);
    }

  private:
    // The other end of the path of each place: itself if it has no edge, kInner if it has two.
    using Mates = std::array<std::uint8_t, kMostPlaces>;
    enum class Made { open, complete, impossible };

    static int degree_at(const Mates& mates, int place) {
        return mates[place] == kInner ? 2 : mates[place] == place ? 0 : 1;
    }

    void unfold(const KeyT& state, int slot, int size, Mates& mates) const {
        const unsigned code = state.get(slot);
        const int base = slot * largest_;
        std::uint8_t mate = code >= kMate ? static_cast<std::uint8_t>(code - kMate) : kInner;
        for (int member = 0; member < size; ++member) {
            mates[base + member] = code == kUntouched ? static_cast<std::uint8_t>(base + member) : mate;
            if (code >= kMate) mate = step_.image[mate];
        }
    }

    template <class Emit, class Close>
    void choose(std::size_t next, int missing, const Mates& mates, Emit& emit, Close& close) const {
        if (missing == 0) {
            if (!needs_more(next) && alive(mates)) emit(folded(mates), Choice{});
            return;
        }
        if (next == step_.bundles.size()) return;
        const Bundle& bundle = step_.bundles[next];
        if (bundle.here <= missing) {
            Mates with = mates;
            const Made made = add(with, bundle);
            if (made == Made::open)
                choose(next + 1, missing - bundle.here, with, emit, close);
            else if (made == Made::complete && !needs_more(next + 1))
                close(Choice{});
        }
        if (!bundle.required) choose(next + 1, missing, mates, emit, close);
    }

    bool needs_more(std::size_t next) const {
        for (; next < step_.bundles.size(); ++next)
            if (step_.bundles[next].required) return true;
        return false;
    }

    Made add(Mates& mates, const Bundle& bundle) const {
        for (const Pair& edge : bundle.edges) {
            const std::uint8_t u = mates[edge.a], v = mates[edge.b];
            if (u == kInner || v == kInner) return Made::impossible;
            mates[edge.a] = mates[edge.b] = kInner;
            if (u == edge.b) {
                // A cycle: of all vertices, by the last of the edges, or one too many.
                const bool last = &edge == &bundle.edges.back();
                return last && step_.may_close && all_inner(mates) ? Made::complete : Made::impossible;
            }
            mates[u] = v;
            mates[v] = u;
        }
        return Made::open;
    }

    bool all_inner(const Mates& mates) const {
        const auto inner = [&](int slot, int size) {
            for (int member = 0; member < size; ++member)
                if (mates[slot * largest_ + member] != kInner) return false;
            return true;
        };
        return inner(step_.slot, step_.size) &&
               std::all_of(step_.live.begin(), step_.live.end(),
                           [&](const Live& live) { return inner(live.slot, live.size); });
    }

    bool alive(const Mates& mates) const {
        for (const Live& live : step_.live) {
            const int have = degree_at(mates, live.slot * largest_);
            if (have + live.required > 2) return false;
            if (have == 2) continue;
            int free = have + live.outside;
            for (const std::uint8_t place : live.inside) free += mates[place] != kInner;
            if (free < 2) return false;
        }
        return true;
    }

    KeyT folded(const Mates& mates) const {
        KeyT key{};
        for (const Live& live : step_.live) {
            const int place = live.slot * largest_;
            const int have = degree_at(mates, place);
            key.set(live.slot, have == 0 ? kUntouched : have == 2 ? kFull : kMate + mates[place]);
        }
        return key;
    }

    const OrbitStep& step_;
    int largest_;
};

template <class KeyT> OrbitSuccessors<KeyT> successors_of(const OrbitStep& step) {
    return OrbitSuccessors<KeyT>(step);
}

// Calls work with a key that holds the slots, each with the places as codes. Throws std::length_error.
template <class Work> void with_orbit_key(const OrbitPlan& plan, Work&& work) {
    const auto fits = [&](auto key) {
        using KeyT = decltype(key);
        return plan.slots <= KeyT::kSlots && plan.places + kMate <= KeyT::kMask + 1;
    };
    if (fits(Key<1, 5>{}))
        work(Key<1, 5>{});
    else if (fits(Key<2, 6>{}))
        work(Key<2, 6>{});
    else if (fits(Key<3, 6>{}))
        work(Key<3, 6>{});
    else if (fits(Key<5, 8>{}))
        work(Key<5, 8>{});
    else
        throw std::length_error("the frontier needs " + std::to_string(plan.slots) +
                                " slots of orbits; at most " + std::to_string(Key<5, 8>::kSlots) + " fit");
}

} // namespace

} // namespace frontier

FrontierReport count_invariant_cycles(const Graph& graph, const std::vector<int>& images,
                                      const Limits& limits, Monitor* monitor, int threads) {
    using namespace frontier;
    FrontierReport report;
    const OrbitPlan plan = OrbitPlanner(graph, images).finish();
    if (graph.vertices < 3 || plan.impossible) {
        report.count = {0};
        return report;
    }
    Watch watch(limits, monitor);
    Workers workers(threads, watch);
    report.status = status_of([&] {
        with_orbit_key(plan, [&](auto key) {
            report.count = count_by_sweep<decltype(key), 1>(plan, limits, workers, report);
        });
    });
    return report;
}

} // namespace ktsolve
