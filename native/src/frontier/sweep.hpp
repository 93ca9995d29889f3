// The frontier sweep itself, layer by layer, for any store: see ktsolve/frontier/count.hpp and
// frontier/store.hpp.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "common/return_memory.hpp"
#include "common/stopped.hpp"
#include "frontier/plan.hpp"
#include "frontier/states.hpp"
#include "frontier/store.hpp"
#include "frontier/table.hpp"
#include "ktsolve/frontier/count.hpp"

namespace ktsolve::frontier {

// Called every thousand states or so; throws Stopped at a limit.
using Poll = std::function<void(const Progress&)>;

// The sweep with one width of key, one store, and steps of one kind: of single vertices, or of orbits.
template <class KeyT, class Store, class PlanT = Plan> class Sweep {
  public:
    using Value = typename Store::Value;
    using TableT = Table<KeyT, Value>;
    using EntryT = Entry<KeyT, Value>;

    using StepT = typename decltype(PlanT::steps)::value_type;

    Sweep(const PlanT& plan, u64 bytes, const Poll& poll, FrontierReport& report, Store& store)
        : plan_(plan), bytes_(bytes), poll_(poll), report_(report), store_(store) {}

    // The layer to start from: the empty state, or what another sweep left.
    std::vector<EntryT> carried;

    // Goes on until `steps` steps are done. False when a count does not fit the store: the layer before the
    // step is still complete then. Throws Stopped.
    [[nodiscard]] bool run(int steps) {
        for (int s = report_.eliminated; s < steps; ++s) {
            const std::size_t places = TableT::places_for(size());
            if (held() + places * sizeof(EntryT) > bytes_) throw Stopped{Status::out_of_memory};
            TableT next(places);
            store_.begin_step(plan_.steps[s].may_close);
            if (!advance(plan_.steps[s], next)) return false;
            store_.end_step(next.size());
            const u64 before = held();
            carried = {};
            layer_ = std::move(next);
            freed_.freed(before, held());
            report_.eliminated = s + 1;
            report_.total_states += layer_.size();
            report_.peak_states = std::max<u64>(report_.peak_states, layer_.size());
        }
        return true;
    }

    std::size_t size() const { return carried.empty() ? layer_.size() : carried.size(); }

    // Calls visit(entry) for each state of the layer.
    template <class Visit> void each(Visit&& visit) const {
        for (const EntryT& entry : carried) visit(entry);
        if (carried.empty())
            for (const EntryT& entry : layer_)
                if (!entry.key.empty()) visit(entry);
    }

    // Bytes that the layer takes.
    u64 held() const { return layer_.bytes() + carried.capacity() * sizeof(EntryT) + store_.bytes(); }

    void release() {
        layer_ = TableT(1);
        carried = {};
    }

  private:
    [[nodiscard]] bool advance(const StepT& step, TableT& next) {
        const auto successors = successors_of<KeyT>(step);
        u64 visited = 0;
        pending_ = 0;
        bool fits = true;
        const auto visit = [&](const EntryT& entry) {
            if ((visited++ & 0x3FF) == 0)
                poll_(Progress{static_cast<u64>(report_.eliminated), plan_.steps.size(),
                               std::max<u64>(size(), next.size())});
            successors.of(
                entry.key,
                [&](const KeyT& key, Choice choice) {
                    batch_[pending_++] = {key, entry.value, key.hash(), choice};
                },
                [&](Choice choice) { fits = fits && store_.close(entry.value, choice, step); });
            return fits && (pending_ < kBatch || flush(step, next));
        };
        if (!carried.empty()) {
            for (const EntryT& entry : carried)
                if (!visit(entry)) return false;
        } else {
            for (const EntryT& entry : layer_)
                if (!entry.key.empty() && !visit(entry)) return false;
        }
        return flush(step, next);
    }

    bool flush(const StepT& step, TableT& next) {
        report_.transitions += pending_;
        for (int i = 0; i < pending_; ++i) next.prefetch(batch_[i].hash);
        const u64 growth = store_.bytes_to_grow();
        if (growth > 0) need(next, growth);
        for (int i = 0; i < pending_; ++i) {
            if (next.crowded()) {
                need(next, next.bytes_to_grow());
                const u64 smaller = next.bytes();
                next.grow();
                freed_.freed(smaller, held() + next.bytes());
            }
            const Pending& each = batch_[i];
            const auto [entry, fresh] = next.find_or_add(each.key, each.hash);
            if (!store_.merge(entry->value, fresh, each.from, each.choice, step)) return false;
        }
        report_.peak_bytes = std::max(report_.peak_bytes, held() + next.bytes());
        pending_ = 0;
        return true;
    }

    void need(const TableT& next, u64 more) {
        const u64 in_all = held() + next.bytes() + more;
        if (in_all > bytes_) {
            report_.peak_states = std::max<u64>(report_.peak_states, next.size());
            throw Stopped{Status::out_of_memory};
        }
        report_.peak_bytes = std::max(report_.peak_bytes, in_all);
    }

    // Successors are collected in a batch, so that their places in the table are prefetched.
    static constexpr int kBatch = 64;
    struct Pending {
        KeyT key;
        Value from;
        u64 hash;
        Choice choice;
    };

    const PlanT& plan_;
    u64 bytes_;
    const Poll& poll_;
    FrontierReport& report_;
    Store& store_;
    TableT layer_{1};
    FreedMemory freed_;
    int pending_ = 0;
    std::vector<Pending> batch_ = std::vector<Pending>(most_successors(plan_) + kBatch);
};

// A count: with 64 bits first, with as many as needed after an overflow.
template <class KeyT, int Parts, class PlanT = Plan> class Counter {
  public:
    Counter(const PlanT& plan, u64 bytes, Poll poll, FrontierReport& report)
        : plan_(plan), bytes_(bytes), poll_(std::move(poll)), report_(report),
          narrow_(plan, bytes, poll_, report, words_) {
        narrow_.carried.push_back({KeyT{}, words_.one()});
        report.limbs = 1;
        report.widest = std::max(report.widest, plan.widest);
    }

    // Goes on until `steps` steps are done. Throws Stopped.
    void run(int steps) {
        if (!wide_) {
            if (narrow_.run(steps)) return;
            words_.undo_step();
            widen();
        }
        while (!wide_->run(steps)) {
            const u64 needed = wide_->held() + rows_.bytes_to_widen();
            if (needed > bytes_) throw Stopped{Status::out_of_memory};
            report_.peak_bytes = std::max(report_.peak_bytes, needed);
            rows_.undo_step();
            report_.limbs = rows_.limbs();
        }
    }

    // Limbs of the complete cycles, part by part.
    std::vector<u64> total() const {
        return wide_ ? rows_.total : std::vector<u64>(words_.total.begin(), words_.total.end());
    }

  private:
    void widen() {
        using Wide = Sweep<KeyT, LongCounts<Parts>, PlanT>;
        const u64 needed =
            narrow_.held() + narrow_.size() * (sizeof(typename Wide::EntryT) + rows_.width() * sizeof(u64));
        if (needed > bytes_) throw Stopped{Status::out_of_memory};
        report_.peak_bytes = std::max(report_.peak_bytes, needed);
        wide_.emplace(plan_, bytes_, poll_, report_, rows_);
        wide_->carried.reserve(narrow_.size());
        narrow_.each(
            [&](const auto& entry) { wide_->carried.push_back({entry.key, rows_.carry(entry.value)}); });
        rows_.carry_total(words_.total);
        narrow_.release();
        report_.limbs = rows_.limbs();
    }

    const PlanT& plan_;
    u64 bytes_;
    Poll poll_;
    FrontierReport& report_;
    ShortCounts<Parts> words_;
    LongCounts<Parts> rows_{2};
    Sweep<KeyT, ShortCounts<Parts>, PlanT> narrow_;
    std::optional<Sweep<KeyT, LongCounts<Parts>, PlanT>> wide_;
};

} // namespace ktsolve::frontier
