// The frontier sweep itself, layer by layer, for any store: see ktsolve/frontier/count.hpp and
// frontier/store.hpp.
//
// A large layer is in parts, by the hashes of its keys. A part is a task: one thread makes its successors,
// and collects them in a batch for each part of the next layer, which it adds up under the lock of that part.
// Parts that are done are given up, and those of the next layer grow one by one, so that both layers together
// take little more than the larger of them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "common/return_memory.hpp"
#include "common/workers.hpp"
#include "frontier/plan.hpp"
#include "frontier/states.hpp"
#include "frontier/store.hpp"
#include "frontier/table.hpp"
#include "ktsolve/frontier/count.hpp"

namespace ktsolve::frontier {

// The sweep with one width of key, one store, and steps of one kind: of single vertices, or of orbits.
template <class KeyT, class Store, class PlanT = Plan> class Sweep {
  public:
    using Value = typename Store::Value;
    using TableT = Table<KeyT, Value>;
    using EntryT = Entry<KeyT, Value>;
    using StepT = typename decltype(PlanT::steps)::value_type;

    // `first` is what the store keeps of the empty state.
    Sweep(const PlanT& plan, Workers& workers, Budget& budget, FrontierReport& report, Store& store,
          Value first)
        : steps_in_all(plan.steps.size()), plan_(plan), workers_(workers), budget_(budget), report_(report),
          store_(store), first_(first) {
        report.widest = std::max(report.widest, plan.widest);
    }
    // Goes on until `steps` steps are done. Throws Stopped.
    void run(int steps) {
        while (report_.eliminated < steps) {
            const StepT& step = plan_.steps[static_cast<std::size_t>(report_.eliminated)];
            try {
                advance(step);
            } catch (...) {
                record();
                throw;
            }
            ++report_.eliminated;
            report_.total_states += size();
            record();
        }
    }

    std::size_t size() const { return report_.eliminated == 0 ? 1 : made_.load(); }

    // Layers and those of other passes: the total of the progress.
    u64 steps_in_all;

    // Calls visit(entry) for each state of the layer.
    template <class Visit> void each(Visit&& visit) const {
        for (const TableT& part : layer_)
            for (const EntryT& entry : part)
                if (!entry.key.empty()) visit(entry);
    }

  private:
    static constexpr std::size_t kParts = 64;                    // of a large layer
    static constexpr std::size_t kLarge = task_size(1ull << 15); // states
    // Successors are collected in a batch, so that their places in the table are prefetched.
    static constexpr std::size_t kBatch = 64;

    struct Successor {
        KeyT key;
        Value from;
        u64 hash;
        Choice choice;
    };
    struct Batch {
        std::array<Successor, kBatch> successors;
        std::size_t size = 0;
    };
    // What one thread has collected for each part of the next layer, and for the cycles that close.
    using Batches = std::array<std::unique_ptr<Batch>, kParts + 1>;

    void advance(const StepT& step) {
        parts_ = Store::kThreads && size() >= kLarge ? kParts : 1;
        const std::size_t source_parts = report_.eliminated == 0 ? 1 : layer_.size();
        // At first the next layer has room for as many states as this one. Where memory is short it begins
        // with less, and grows while this one goes: growing takes up to as much time as the states.
        const std::size_t like_this = TableT::places_for(size() / parts_);
        const bool roomy = budget_.has_twice(2 * parts_ * like_this * sizeof(EntryT));
        const std::size_t places = roomy ? like_this : TableT::places_for(size() / parts_ / 4);
        store_.begin_step(parts_);
        states_before_ = size();
        made_ = 0;
        transitions_ = 0;
        for (std::size_t part = 0; part < parts_; ++part) {
            budget_.take(places * sizeof(EntryT));
            next_.emplace_back(places);
        }
        batches_.resize(static_cast<std::size_t>(workers_.threads()));
        const auto successors = successors_of<KeyT>(step);
        workers_.run(source_parts,
                     [&](int worker, u64 part) { advance_part(step, successors, worker, part); });
        store_.end_step();
        layer_.swap(next_);
        next_.clear();
        freed_.freed(budget_.given() - given_, budget_.held());
        given_ = budget_.given();
    }

    template <class SuccessorsT>
    void advance_part(const StepT& step, const SuccessorsT& successors, int worker, u64 part) {
        Batches& batches = batches_[static_cast<std::size_t>(worker)];
        const auto push = [&](std::size_t to, const KeyT& key, const Value& from, u64 hash, Choice choice) {
            if (!batches[to]) batches[to].reset(new Batch);
            Batch& batch = *batches[to];
            batch.successors[batch.size] = {key, from, hash, choice};
            if (++batch.size == kBatch) flush(batch, to, step);
        };
        u64 visited = 0;
        const auto visit = [&](const KeyT& state, const Value& value) {
            if ((visited++ & 0x3FF) == 0) {
                if (worker == 0)
                    workers_.progress() = {
                        static_cast<u64>(report_.eliminated), steps_in_all,
                        std::max<u64>(states_before_, made_.load(std::memory_order_relaxed))};
                workers_.tick(worker);
            }
            successors.of(
                state,
                [&](const KeyT& key, Choice choice) {
                    const u64 hash = key.hash();
                    push(parts_ == 1 ? 0 : hash % kParts, key, value, hash, choice);
                },
                [&](Choice choice) { push(kParts, {}, value, 0, choice); });
        };
        if (report_.eliminated == 0) {
            visit(KeyT{}, first_);
        } else {
            for (const EntryT& entry : layer_[part])
                if (!entry.key.empty()) visit(entry.key, entry.value);
        }
        for (std::size_t to = 0; to <= kParts; ++to)
            if (batches[to] && batches[to]->size > 0) flush(*batches[to], to, step);
        store_.release(part);
        if (report_.eliminated == 0) return;
        budget_.give(layer_[part].bytes());
        layer_[part] = TableT(0);
    }

    void flush(Batch& batch, std::size_t to, const StepT& step) {
        const std::lock_guard lock(locks_[to]);
        if (to == kParts) {
            for (std::size_t i = 0; i < batch.size; ++i)
                store_.close(batch.successors[i].from, batch.successors[i].choice, step);
            batch.size = 0;
            return;
        }
        TableT& part = next_[to];
        const std::size_t before = part.size();
        for (std::size_t i = 0; i < batch.size; ++i) part.prefetch(batch.successors[i].hash);
        for (std::size_t i = 0; i < batch.size; ++i) {
            if (part.crowded()) grow(part);
            const Successor& each = batch.successors[i];
            const auto [entry, fresh] = part.find_or_add(each.key, each.hash);
            store_.merge(entry->value, fresh, each.from, each.choice, step, to);
        }
        made_.fetch_add(part.size() - before, std::memory_order_relaxed);
        transitions_.fetch_add(batch.size, std::memory_order_relaxed);
        batch.size = 0;
    }

    void grow(TableT& part) {
        const u64 smaller = part.bytes();
        budget_.take(part.bytes_to_grow());
        part.grow();
        budget_.give(smaller);
    }

    void record() {
        report_.transitions += transitions_.exchange(0);
        report_.peak_states = std::max<u64>(report_.peak_states, size());
        report_.peak_bytes = std::max(report_.peak_bytes, budget_.peak());
    }

    const PlanT& plan_;
    Workers& workers_;
    Budget& budget_;
    FrontierReport& report_;
    Store& store_;
    Value first_;
    std::size_t parts_ = 1;
    std::vector<TableT> layer_, next_;
    std::array<std::mutex, kParts + 1> locks_; // of the parts of the next layer, and of the cycles that close
    std::vector<Batches> batches_;             // of the workers
    u64 states_before_ = 0;
    std::atomic<u64> made_{0}, transitions_{0}; // of the step: states and successors
    FreedMemory freed_;
    u64 given_ = 0; // bytes that were given back before the step
};

// A count of the whole sweep.
template <class KeyT, int Parts, class PlanT = Plan>
std::vector<u64> count_by_sweep(const PlanT& plan, const Limits& limits, Workers& workers,
                                FrontierReport& report) {
    // What one thread frees, the allocator keeps for it: with several threads up to two fifths more than is
    // in use.
    Budget budget(workers.threads() > 1 ? limits.bytes / 10 * 7 : limits.bytes);
    Counts<Parts> counts(budget);
    Sweep<KeyT, Counts<Parts>, PlanT> sweep(plan, workers, budget, report, counts, counts.one());
    sweep.run(static_cast<int>(plan.steps.size()));
    const std::vector<u64> total = counts.total();
    report.limbs = static_cast<int>(total.size()) / Parts;
    return total;
}

} // namespace ktsolve::frontier
