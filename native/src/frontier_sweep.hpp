// The frontier sweep itself, for any kind of count: see ktsolve/frontier.hpp and ktsolve/voltage.hpp.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "frontier_plan.hpp"
#include "frontier_table.hpp"
#include "ktsolve/frontier.hpp"

namespace ktsolve::frontier {

inline constexpr unsigned kUntouched = 0;
inline constexpr unsigned kFull = 1;
inline constexpr unsigned kMate = 2; // kMate + slot

inline unsigned degree(unsigned code) {
    return code == kUntouched ? 0 : code == kFull ? 2 : 1;
}

enum class StepResult { ok, overflow, stop };

// The sweep with one width of key and of count. When a count overflows, the layer before the step is still
// complete: it moves to a sweep with counts four times as wide, which repeats the step. `kGraded` counts
// depend on the numbers of parallel edges; others are for simple graphs.
template <class KeyT, class CountT> class Sweep {
  public:
    using TableT = Table<KeyT, CountT>;
    using EntryT = Entry<KeyT, CountT>;

    Sweep(const Plan& plan, const Limits& limits, Watch& watch, FrontierReport& report)
        : plan_(plan), limits_(limits), watch_(watch), report_(report) {}

    // `carried` is the layer to start from: the empty state, or what a narrower sweep left.
    std::vector<EntryT> carried;
    CountT total{};

    StepResult run() {
        const int n = static_cast<int>(plan_.steps.size());
        for (int v = report_.eliminated; v < n; ++v) {
            const CountT total_before = total;
            const std::size_t places = places_for(carried.empty() ? layer_.size() : carried.size());
            if (held() + places * sizeof(EntryT) > limits_.bytes) {
                report_.status = Status::out_of_memory;
                return StepResult::stop;
            }
            TableT next(places);
            const StepResult result = eliminate(plan_.steps[v], next);
            if (result == StepResult::overflow) total = total_before;
            if (result != StepResult::ok) return result;
            carried.clear();
            carried.shrink_to_fit();
            layer_ = std::move(next);
            report_.eliminated = v + 1;
            report_.total_states += layer_.size();
            report_.peak_states = std::max<std::uint64_t>(report_.peak_states, layer_.size());
        }
        return StepResult::ok;
    }

    // Bytes that the layer takes now, and what it takes while it moves to counts of `entry` bytes each.
    std::uint64_t held() const { return layer_.bytes() + carried.capacity() * sizeof(EntryT); }
    std::uint64_t held_while_widening(std::size_t entry) const {
        return held() + (carried.empty() ? layer_.size() : carried.size()) * entry;
    }

    // Moves the layer to a sweep with wider counts and frees the memory of this one.
    template <class Wider> void hand_over(Wider& wider) {
        wider.carried.reserve(carried.empty() ? layer_.size() : carried.size());
        auto give = [&](const EntryT& entry) {
            wider.carried.push_back({entry.key, entry.count.template widened<kWiderLimbs>()});
        };
        if (!carried.empty()) {
            for (const EntryT& entry : carried) give(entry);
        } else {
            for (const EntryT& entry : layer_)
                if (!entry.key.empty()) give(entry);
        }
        wider.total = total.template widened<kWiderLimbs>();
        layer_ = TableT(1);
        carried = {};
    }

    static constexpr int kWiderLimbs = CountT::kLimbs * 4;

  private:
    static constexpr int kBatch = 64;

    static std::size_t places_for(std::size_t states) {
        std::size_t places = 1024;
        while (places < states) places *= 2;
        return places;
    }

    StepResult eliminate(const Step& step, TableT& next) {
        all_full_ = KeyT{};
        for (const int slot : step.occupied) all_full_.set(slot, kFull);
        required_ = 0;
        for (const Neighbour& neighbour : step.later) required_ += neighbour.required;

        std::uint64_t visited = 0;
        auto visit = [&](const EntryT& entry) {
            if ((visited++ & 0x3FF) == 0) {
                const Progress progress{static_cast<std::uint64_t>(report_.eliminated), plan_.steps.size(),
                                        std::max<std::uint64_t>(layer_.size(), next.size())};
                report_.status = watch_.poll(progress);
                if (report_.status != Status::done) return StepResult::stop;
            }
            expand(step, entry.key, entry.count);
            return pending_ >= kBatch ? flush(next) : StepResult::ok;
        };
        pending_ = 0;
        overflow_ = false;
        if (!carried.empty()) {
            for (const EntryT& entry : carried)
                if (const StepResult r = visit(entry); r != StepResult::ok) return r;
        } else {
            for (const EntryT& entry : layer_)
                if (!entry.key.empty())
                    if (const StepResult r = visit(entry); r != StepResult::ok) return r;
        }
        return flush(next);
    }

    // Generates the successors of one state into the batch.
    void expand(const Step& step, const KeyT& state, const CountT& count) {
        const int here = step.slot;
        const unsigned code = state.get(here);
        KeyT base = state;
        base.set(here, kUntouched);
        const auto& later = step.later;
        const int options = static_cast<int>(later.size());

        if (code == kFull) {
            if (required_ == 0) emit(step, base, count);
            return;
        }
        if (code >= kMate) {
            if (required_ > 1) return;
            const int mate = static_cast<int>(code - kMate);
            for (int i = 0; i < options; ++i) {
                if (required_ == 1 && !later[i].required) continue;
                const int to = later[i].slot;
                const unsigned other = base.get(to);
                if (other == kFull) continue;
                KeyT key = base;
                const CountT& by_one = taken(count, later[i].parallel);
                if (other == kUntouched) {
                    key.set(to, kMate + mate);
                    key.set(mate, kMate + to);
                } else if (to == mate) {
                    close(step, key, to, to, by_one);
                    continue;
                } else {
                    join(key, mate, static_cast<int>(other - kMate));
                    key.set(to, kFull);
                }
                emit(step, key, by_one);
            }
            return;
        }
        if (required_ > 2) return;
        for (int i = 0; i < options; ++i) {
            const int p = later[i].slot;
            const unsigned p_code = base.get(p);
            if (p_code == kFull) continue;
            const CountT& by_one = taken(count, later[i].parallel);
            for (int j = i + 1; j < options; ++j) {
                if (later[i].required + later[j].required < required_) continue;
                const int q = later[j].slot;
                const unsigned q_code = base.get(q);
                if (q_code == kFull) continue;
                KeyT key = base;
                const CountT& by_two = taken(by_one, later[j].parallel);
                if (p_code == kUntouched && q_code == kUntouched) {
                    join(key, p, q);
                } else if (p_code == kUntouched) {
                    key.set(q, kFull);
                    join(key, p, static_cast<int>(q_code - kMate));
                } else if (q_code == kUntouched) {
                    key.set(p, kFull);
                    join(key, q, static_cast<int>(p_code - kMate));
                } else if (static_cast<int>(p_code - kMate) == q) {
                    close(step, key, p, q, by_two);
                    continue;
                } else {
                    key.set(p, kFull);
                    key.set(q, kFull);
                    join(key, static_cast<int>(p_code - kMate), static_cast<int>(q_code - kMate));
                }
                emit(step, key, by_two);
            }
        }
    }

    // The count after one of the parallel edges is taken; the count itself in a simple graph.
    using Taken = std::conditional_t<CountT::kGraded, CountT, const CountT&>;
    Taken taken(const CountT& count, const Parallel& edges) {
        if constexpr (CountT::kGraded) {
            CountT result{};
            if (!result.add_taken(count, edges)) overflow_ = true;
            return result;
        } else {
            (void)edges;
            return count;
        }
    }

    static void join(KeyT& key, int a, int b) {
        key.set(a, kMate + static_cast<unsigned>(b));
        key.set(b, kMate + static_cast<unsigned>(a));
    }

    // A cycle closes at p, q: it counts if it has passed every vertex.
    void close(const Step& step, KeyT key, int p, int q, const CountT& count) {
        if (!step.may_close) return;
        key.set(p, kFull);
        key.set(q, kFull);
        if (key == all_full_ && !total.add(count)) overflow_ = true;
    }

    bool alive(const Step& step, const KeyT& key) const {
        for (const Neighbour& neighbour : step.later) {
            const int have = static_cast<int>(degree(key.get(neighbour.slot)));
            if (have + neighbour.future < 2 || have + neighbour.future_required > 2) return false;
        }
        for (const Scarce& scarce : step.scarce) {
            const unsigned code = key.get(scarce.slot);
            if (code == kFull) continue;
            int free = scarce.outside + static_cast<int>(degree(code));
            for (const int slot : scarce.inside) free += key.get(slot) != kFull;
            if (free < 2) return false;
        }
        return true;
    }

    void emit(const Step& step, const KeyT& key, const CountT& count) {
        if (!alive(step, key)) return;
        batch_[pending_].entry.key = key;
        batch_[pending_].entry.count = count;
        batch_[pending_].hash = key.hash();
        ++pending_;
    }

    StepResult flush(TableT& next) {
        if (overflow_) return StepResult::overflow;
        report_.transitions += pending_;
        for (int i = 0; i < pending_; ++i) next.prefetch(batch_[i].hash);
        for (int i = 0; i < pending_; ++i) {
            if (next.crowded()) {
                if (held() + next.bytes() * 3 > limits_.bytes) {
                    report_.peak_states = std::max<std::uint64_t>(report_.peak_states, next.size());
                    report_.status = Status::out_of_memory;
                    return StepResult::stop;
                }
                report_.peak_bytes = std::max(report_.peak_bytes, held() + next.bytes() * 3);
                next.grow();
            }
            if (!next.add(batch_[i].entry.key, batch_[i].hash, batch_[i].entry.count))
                return StepResult::overflow;
        }
        report_.peak_bytes = std::max(report_.peak_bytes, held() + next.bytes());
        pending_ = 0;
        return StepResult::ok;
    }

    // Successors are collected in a batch, so that their places in the table are prefetched.
    // One state may add C(40, 2) to a batch: a vertex has at most 40 neighbours in the frontier.
    static constexpr int kMostSuccessors = kWidestFrontier * (kWidestFrontier - 1) / 2;
    struct Pending {
        EntryT entry;
        std::uint64_t hash;
    };

    const Plan& plan_;
    const Limits& limits_;
    Watch& watch_;
    FrontierReport& report_;
    TableT layer_;
    KeyT all_full_{};
    int required_ = 0;
    bool overflow_ = false;
    int pending_ = 0;
    std::vector<Pending> batch_ = std::vector<Pending>(kMostSuccessors + kBatch);
};

// Counts `CountOf<1>`, `CountOf<4>`, ... wide; `finish(total)` is called once everything is counted.
template <class KeyT, template <int> class CountOf, int Limbs, class Finish>
void sweep_from(Sweep<KeyT, CountOf<Limbs>>& sweep, const Plan& plan, const Limits& limits, Watch& watch,
                FrontierReport& report, const Finish& finish) {
    report.limbs = Limbs;
    const StepResult result = sweep.run();
    if (result == StepResult::ok) {
        finish(sweep.total);
        return;
    }
    if (result == StepResult::stop) return;
    if constexpr (Limbs < 256) {
        using Wider = Sweep<KeyT, CountOf<Limbs * 4>>;
        const std::uint64_t needed = sweep.held_while_widening(sizeof(typename Wider::EntryT));
        if (needed > limits.bytes) {
            report.status = Status::out_of_memory;
            return;
        }
        report.peak_bytes = std::max(report.peak_bytes, needed);
        Wider wider(plan, limits, watch, report);
        sweep.hand_over(wider);
        sweep_from<KeyT, CountOf, Limbs * 4>(wider, plan, limits, watch, report, finish);
    } else {
        throw std::overflow_error("the count needs more than 16384 bits");
    }
}

template <class KeyT, template <int> class CountOf, class Finish>
void sweep_keys(const Plan& plan, const Limits& limits, Watch& watch, FrontierReport& report,
                const Finish& finish) {
    Sweep<KeyT, CountOf<1>> sweep(plan, limits, watch, report);
    sweep.carried.push_back({KeyT{}, CountOf<1>::one()});
    sweep_from<KeyT, CountOf, 1>(sweep, plan, limits, watch, report, finish);
}

// The sweep with the narrowest keys that hold the plan's slots. Throws std::length_error if none does.
template <template <int> class CountOf, class Finish>
void sweep_all(const Plan& plan, const Limits& limits, Monitor* monitor, FrontierReport& report,
               const Finish& finish) {
    Watch watch(limits, monitor);
    report.widest = plan.widest;
    using Small = Key<1, 4>;
    using Medium = Key<2, 5>;
    using Large = Key<4, 6>;
    static_assert(Large::kSlots == kWidestFrontier);
    if (plan.slots <= Small::kSlots)
        sweep_keys<Small, CountOf>(plan, limits, watch, report, finish);
    else if (plan.slots <= Medium::kSlots)
        sweep_keys<Medium, CountOf>(plan, limits, watch, report, finish);
    else if (plan.slots <= Large::kSlots)
        sweep_keys<Large, CountOf>(plan, limits, watch, report, finish);
    else
        throw std::length_error("the frontier needs " + std::to_string(plan.slots) + " slots; at most " +
                                std::to_string(kWidestFrontier) + " fit");
}

} // namespace ktsolve::frontier
