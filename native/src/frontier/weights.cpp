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
    static constexpr bool kThreads = false;

    LeastWeights(const std::vector<i64>& weights, Budget& budget) : weights_(weights), budget_(budget) {
        make_room(now_);
        now_.push_back(0);
    }

    void merge(Value& to, bool fresh, Value from, Choice choice, const Step& step, std::size_t) {
        const i64 weight = now_[from] + weight_of(choice, step);
        if (fresh) {
            if (next_.size() == ~u32{0}) throw Stopped{Status::out_of_memory};
            make_room(next_);
            make_room(came_);
            to = static_cast<u32>(next_.size());
            next_.push_back(weight);
            came_.push_back({from, choice});
        } else if (weight < next_[to]) {
            next_[to] = weight;
            came_[to] = {from, choice};
        }
    }
    void close(Value from, Choice choice, const Step& step) {
        const i64 weight = now_[from] + weight_of(choice, step);
        if (!found || weight < least) {
            found = true;
            least = weight;
            end_ = {from, choice};
            end_step_ = layers_.size();
        }
    }
    void begin_step(std::size_t) {
        next_.clear();
        came_.clear();
    }
    void release(std::size_t) {}
    void end_step() {
        now_.swap(next_);
        const std::size_t room = came_.capacity();
        budget_.take(came_.size() * sizeof(Came));
        layers_.emplace_back(came_);
        came_ = std::vector<Came>();
        budget_.give(room * sizeof(Came));
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
    struct Came {
        u32 from;
        Choice choice;
    };

    template <class T> void make_room(std::vector<T>& in) {
        if (in.size() < in.capacity()) return;
        const std::size_t room = in.capacity(), wider = 2 * room + 16;
        budget_.take(wider * sizeof(T));
        in.reserve(wider);
        budget_.give(room * sizeof(T));
    }

    i64 weight_of(Choice choice, const Step& step) const {
        i64 sum = 0;
        for (const int place : {choice.first, choice.second})
            if (place >= 0) sum += weights_[step.later[static_cast<std::size_t>(place)].edge];
        return sum;
    }

    const std::vector<i64>& weights_;
    Budget& budget_;
    std::vector<i64> now_, next_;
    std::vector<Came> came_;
    std::vector<std::vector<Came>> layers_;
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
        with_key(plan, [&](auto key) {
            using KeyT = decltype(key);
            Budget budget(limits.bytes);
            LeastWeights store(weights, budget);
            Workers workers(1, watch);
            Sweep<KeyT, LeastWeights> sweep(plan, workers, budget, report, store, 0);
            sweep.run(graph.vertices);
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
