// Finds a set of edges that uses every node twice, by augmenting paths.
#include "ktsolve/sat/two_factor.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ktsolve {

namespace {

// The generator splitmix64 (Steele, Lea & Flood 2014): the same numbers on every machine.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

  private:
    std::uint64_t state_;
};

class Finder {
  public:
    Finder(int nodes, const std::vector<std::pair<int, int>>& arcs, const std::vector<ArcUse>& use,
           const std::vector<std::int32_t>& cost)
        : arcs_(arcs), use_(use), cost_(cost), used_(arcs.size()), degree_(static_cast<std::size_t>(nodes)),
          first_(static_cast<std::size_t>(nodes) + 1), around_(2 * arcs.size()) {
        for (const auto& [u, v] : arcs) {
            ++first_[at(u) + 1];
            ++first_[at(v) + 1];
        }
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
        for (std::size_t e = 0; e < arcs.size(); ++e) {
            for (const int v : {arcs[e].first, arcs[e].second}) around_[next[at(v)]++] = static_cast<int>(e);
            if (use[e] == ArcUse::needed) take(static_cast<int>(e));
        }
        for (auto& states : reached_) states.assign(at(nodes), 0);
        for (auto& states : through_) states.assign(at(nodes), -1);
    }

    // Only arcs of at most this cost are taken or given back from now on.
    void allow(std::int32_t cost) { allowed_ = cost; }

    // Takes arcs in the order of the nodes and of the arcs around them, while both ends have room.
    void take_greedily() {
        for (int v = 0; at(v) < degree_.size(); ++v)
            for (std::size_t i = first_[at(v)]; i < first_[at(v) + 1]; ++i)
                if (const int e = around_[i];
                    open(e) && used_[at(e)] == 0 && short_of(v) && short_of(other(e, v)))
                    take(e);
    }

    void complete() {
        for (std::size_t v = 0; v < degree_.size(); ++v)
            while (short_of(static_cast<int>(v)) && augment(static_cast<int>(v))) {
            }
    }

    template <class Less> void sort_around(const Less& less) {
        for (std::size_t v = 0; v + 1 < first_.size(); ++v)
            std::sort(around_.begin() + static_cast<std::ptrdiff_t>(first_[v]),
                      around_.begin() + static_cast<std::ptrdiff_t>(first_[v + 1]), less);
    }

    TwoFactor result() && {
        TwoFactor found{std::move(used_), 0};
        for (const int d : degree_) found.missing += std::max(0, 2 - d);
        return found;
    }

  private:
    static std::size_t at(int v) { return static_cast<std::size_t>(v); }
    int other(int e, int v) const {
        return arcs_[at(e)].first == v ? arcs_[at(e)].second : arcs_[at(e)].first;
    }
    bool open(int e) const {
        return use_[at(e)] == ArcUse::free && (cost_.empty() || cost_[at(e)] <= allowed_);
    }
    bool short_of(int v) const { return degree_[at(v)] < 2; }
    void take(int e) {
        used_[at(e)] = 1;
        ++degree_[at(arcs_[at(e)].first)];
        ++degree_[at(arcs_[at(e)].second)];
    }

    // Breadth first from `root` along unused and used arcs in turn, to a node that is short of an arc. A node
    // is reached by an unused arc (side 1) or by a used one (side 0), each once.
    bool augment(int root) {
        ++stamp_;
        waiting_.assign(1, {root, 0});
        reached_[0][at(root)] = stamp_;
        for (std::size_t head = 0; head < waiting_.size(); ++head) {
            const auto [v, side] = waiting_[head];
            for (std::size_t i = first_[at(v)]; i < first_[at(v) + 1]; ++i) {
                const int e = around_[i];
                if (!open(e) || used_[at(e)] != side) continue;
                const int w = other(e, v), next = 1 - side;
                if (reached_[next][at(w)] == stamp_) continue;
                reached_[next][at(w)] = stamp_;
                through_[next][at(w)] = e;
                const bool ends = next == 1 && (w == root ? degree_[at(w)] == 0 : short_of(w));
                if (ends && exchange(root, w)) return true;
                waiting_.emplace_back(w, next);
            }
        }
        return false;
    }

    // Exchanges the arcs on the way back from `v` to `root`, if none of them comes twice.
    bool exchange(int root, int v) {
        path_.clear();
        for (int side = 1; side != 0 || v != root; side = 1 - side) {
            const int e = through_[side][at(v)];
            path_.push_back(e);
            v = other(e, v);
        }
        std::vector<int> sorted = path_;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return false;
        for (const int e : path_) {
            const int change = used_[at(e)] != 0 ? -1 : 1;
            used_[at(e)] ^= 1;
            degree_[at(arcs_[at(e)].first)] += change;
            degree_[at(arcs_[at(e)].second)] += change;
        }
        return true;
    }

    const std::vector<std::pair<int, int>>& arcs_;
    const std::vector<ArcUse>& use_;
    const std::vector<std::int32_t>& cost_;
    std::int32_t allowed_ = 0;
    std::vector<std::uint8_t> used_;
    std::vector<int> degree_;
    std::vector<std::size_t> first_; // of the arcs around each node
    std::vector<int> around_;
    std::vector<int> reached_[2]; // the search that reached a node last, by side
    std::vector<int> through_[2]; // the arc by which it did
    std::vector<std::pair<int, int>> waiting_;
    std::vector<int> path_;
    int stamp_ = 0;
};

} // namespace

TwoFactor find_two_factor(int nodes, const std::vector<std::pair<int, int>>& arcs,
                          const std::vector<ArcUse>& use, const std::vector<std::int32_t>& cost,
                          std::uint64_t seed) {
    if (nodes < 0 || use.size() != arcs.size() || (!cost.empty() && cost.size() != arcs.size()))
        throw std::invalid_argument("there is one use, and one cost or none, for each arc");
    for (const auto& [u, v] : arcs)
        if (u < 0 || v < 0 || u >= nodes || v >= nodes || u == v)
            throw std::invalid_argument("an arc joins two nodes");
    Finder finder(nodes, arcs, use, cost);
    if (seed != 0) {
        std::vector<std::uint64_t> lot(arcs.size());
        Random random(seed);
        for (auto& each : lot) each = random.next();
        finder.sort_around([&](int a, int b) {
            const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
            return lot[i] < lot[j];
        });
    }
    std::vector<std::int32_t> steps = cost.empty() ? std::vector<std::int32_t>{0} : cost;
    std::sort(steps.begin(), steps.end());
    steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
    for (const std::int32_t step : steps) {
        finder.allow(step);
        finder.take_greedily();
        finder.complete();
    }
    return std::move(finder).result();
}

} // namespace ktsolve
