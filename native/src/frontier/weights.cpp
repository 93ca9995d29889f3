// Finds the lightest Hamiltonian cycle: the sweep keeps the least weight of each state.
#include <stdexcept>

#include "common/integers.hpp"
#include "frontier/cycle.hpp"
#include "frontier/sweep.hpp"
#include "ktsolve/frontier/count.hpp"

namespace ktsolve {

using namespace frontier;

namespace {

// A store of least weights. The value of a state is its number in its layer; where it came from is kept for
// all layers.
class LeastWeights {
  public:
    using Value = u32;

    explicit LeastWeights(const std::vector<i64>& weights) : weights_(weights), now_{0} {}

    [[nodiscard]] bool merge(Value& to, bool fresh, Value from, Choice choice, const Step& step) {
        const i64 weight = now_[from] + weight_of(choice, step);
        if (fresh) {
            if (next_.size() == ~u32{0}) throw Stopped{Status::out_of_memory};
            to = static_cast<u32>(next_.size());
            next_.push_back(weight);
            came_.push_back({from, choice});
        } else if (weight < next_[to]) {
            next_[to] = weight;
            came_[to] = {from, choice};
        }
        return true;
    }
    [[nodiscard]] bool close(Value from, Choice choice, const Step& step) {
        const i64 weight = now_[from] + weight_of(choice, step);
        if (!found || weight < least) {
            found = true;
            least = weight;
            end_ = {from, choice};
            end_step_ = layers_.size();
        }
        return true;
    }
    void begin_step(bool) {
        next_.clear();
        came_.clear();
    }
    void end_step(std::size_t) {
        now_.swap(next_);
        came_.shrink_to_fit();
        kept_ += came_.capacity() * sizeof(Came);
        layers_.push_back(std::move(came_));
        came_ = {};
    }
    u64 bytes() const {
        return kept_ + came_.capacity() * sizeof(Came) + (now_.capacity() + next_.capacity()) * sizeof(i64);
    }
    // A layer's vectors may move to twice their size, and its record is copied to its final size.
    u64 bytes_to_grow() const {
        const bool room =
            next_.size() + kRoom <= next_.capacity() && came_.size() + kRoom <= came_.capacity();
        return room ? 0 : next_.capacity() * 2 * sizeof(i64) + came_.capacity() * 2 * sizeof(Came);
    }

    // The choices along the lightest cycle.
    std::vector<Choice> choices() const {
        std::vector<Choice> made(end_step_ + 1);
        Came at = end_;
        for (std::size_t step = end_step_ + 1; step-- > 0;) {
            made[step] = at.choice;
            if (step > 0) at = layers_[step - 1][at.from];
        }
        return made;
    }

    bool found = false;
    i64 least = 0;

  private:
    static constexpr std::size_t kRoom = 1024;
    struct Came {
        u32 from;
        Choice choice;
    };

    i64 weight_of(Choice choice, const Step& step) const {
        i64 sum = 0;
        for (const int place : {choice.first, choice.second})
            if (place >= 0) sum += weights_[step.later[static_cast<std::size_t>(place)].edge];
        return sum;
    }

    const std::vector<i64>& weights_;
    std::vector<i64> now_, next_;
    std::vector<Came> came_;
    std::vector<std::vector<Came>> layers_;
    u64 kept_ = 0;
    Came end_{};
    std::size_t end_step_ = 0;
};

void check_weights(const Graph& graph, const std::vector<i64>& weights) {
    if (weights.size() != graph.edges.size()) throw std::invalid_argument("there is one weight per edge");
    u64 most = 0;
    for (const i64 weight : weights)
        most = std::max(most, weight < 0 ? ~static_cast<u64>(weight) + 1 : u64(weight));
    if (u128{most} * static_cast<u64>(graph.vertices) > (u128{1} << 62))
        throw std::overflow_error("the weight of a cycle may have more than 63 bits");
}

} // namespace

LightestReport lightest_cycle_by_frontier(const Graph& graph, const std::vector<std::int64_t>& weights,
                                          const Limits& limits, Monitor* monitor) {
    LightestReport report;
    const Plan plan = make_plan(graph);
    check_weights(graph, weights);
    if (graph.vertices < 3) return report;
    report.widest = plan.widest;
    Watch watch(limits, monitor);
    report.status = status_of([&] {
        const Poll poll = [&](const Progress& progress) { poll_or_throw(watch, progress); };
        with_key(plan, [&](auto key) {
            using KeyT = decltype(key);
            LeastWeights store(weights);
            Sweep<KeyT, LeastWeights> sweep(plan, limits.bytes, poll, report, store);
            sweep.carried.push_back({KeyT{}, 0});
            (void)sweep.run(graph.vertices);
            report.found = store.found;
            if (!store.found) return;
            report.weight = store.least;
            for (const int edge : plan.pairs) report.weight += weights[static_cast<std::size_t>(edge)];
            append_cycle(graph, plan, store.choices(), report.cycle);
        });
    });
    return report;
}

} // namespace ktsolve
