// The states of the frontier sweep and what a step makes of one: shared by counts, lists and weighted sums.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "frontier/plan.hpp"
#include "frontier/table.hpp"
#include "ktsolve/frontier/count.hpp"

namespace ktsolve::frontier {

inline constexpr unsigned kUntouched = 0;
inline constexpr unsigned kFull = 1;
inline constexpr unsigned kMate = 2; // kMate + slot

inline unsigned degree(unsigned code) {
    return code == kUntouched ? 0 : code == kFull ? 2 : 1;
}

// The edges that a step takes: places in Step::later, -1 for none.
struct Choice {
    std::int8_t first = -1;
    std::int8_t second = -1;
};

// The successors of states under one step.
template <class KeyT> class Successors {
  public:
    explicit Successors(const Step& step) : step_(step) {
        for (const int slot : step.occupied) all_full_.set(slot, kFull);
        for (const Neighbour& neighbour : step.later) required_ += neighbour.required;
    }

    // Calls emit(state, choice) for each successor that is not found to be dead, and close(choice) for each
    // complete cycle.
    template <class Emit, class Close> void of(const KeyT& state, Emit&& emit, Close&& close) const {
        const int here = step_.slot;
        const unsigned code = state.get(here);
        KeyT base = state;
        base.set(here, kUntouched);
        const auto& later = step_.later;
        const int options = static_cast<int>(later.size());
        const auto pass = [&](const KeyT& key, int i, int j) {
            if (alive(key)) emit(key, Choice{static_cast<std::int8_t>(i), static_cast<std::int8_t>(j)});
        };

        if (code == kFull) {
            if (required_ == 0) pass(base, -1, -1);
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
                if (other == kUntouched) {
                    key.set(to, kMate + mate);
                    key.set(mate, kMate + to);
                } else if (to == mate) {
                    if (complete(key, to, to)) close(Choice{static_cast<std::int8_t>(i), -1});
                    continue;
                } else {
                    join(key, mate, static_cast<int>(other - kMate));
                    key.set(to, kFull);
                }
                pass(key, i, -1);
            }
            return;
        }
        if (required_ > 2) return;
        for (int i = 0; i < options; ++i) {
            const int p = later[i].slot;
            const unsigned p_code = base.get(p);
            if (p_code == kFull) continue;
            for (int j = i + 1; j < options; ++j) {
                if (later[i].required + later[j].required < required_) continue;
                const int q = later[j].slot;
                const unsigned q_code = base.get(q);
                if (q_code == kFull) continue;
                KeyT key = base;
                if (add_edge(key, p, p_code, q, q_code))
                    pass(key, i, j);
                else if (complete(key, p, q))
                    close(Choice{static_cast<std::int8_t>(i), static_cast<std::int8_t>(j)});
            }
        }
    }

  private:
    static void join(KeyT& key, int a, int b) {
        key.set(a, kMate + static_cast<unsigned>(b));
        key.set(b, kMate + static_cast<unsigned>(a));
    }

    // Joins two vertices that are not full; false, and nothing done, if that would close a cycle.
    static bool add_edge(KeyT& key, int p, unsigned p_code, int q, unsigned q_code) {
        if (p_code == kUntouched && q_code == kUntouched) {
            join(key, p, q);
        } else if (p_code == kUntouched) {
            key.set(q, kFull);
            join(key, p, static_cast<int>(q_code - kMate));
        } else if (q_code == kUntouched) {
            key.set(p, kFull);
            join(key, q, static_cast<int>(p_code - kMate));
        } else if (static_cast<int>(p_code - kMate) == q) {
            return false;
        } else {
            key.set(p, kFull);
            key.set(q, kFull);
            join(key, static_cast<int>(p_code - kMate), static_cast<int>(q_code - kMate));
        }
        return true;
    }

    // Whether a cycle that closes at p, q passes every vertex.
    bool complete(KeyT key, int p, int q) const {
        if (!step_.may_close) return false;
        key.set(p, kFull);
        key.set(q, kFull);
        return key == all_full_;
    }

    bool alive(const KeyT& key) const {
        for (const Touched& touched : step_.touched) {
            const int have = static_cast<int>(degree(key.get(touched.slot)));
            if (have + touched.future < 2 || have + touched.future_required > 2) return false;
        }
        for (const Scarce& scarce : step_.scarce) {
            const unsigned code = key.get(scarce.slot);
            if (code == kFull) continue;
            int free = scarce.outside + static_cast<int>(degree(code));
            for (const int slot : scarce.inside) free += key.get(slot) != kFull;
            if (free < 2) return false;
        }
        return true;
    }

    const Step& step_;
    KeyT all_full_{};
    int required_ = 0;
};

template <class KeyT> Successors<KeyT> successors_of(const Step& step) {
    return Successors<KeyT>(step);
}

// A vertex has at most 40 neighbours in the frontier: most successors of one state.
inline std::size_t most_successors(const Plan&) {
    return kWidestFrontier * (kWidestFrontier - 1) / 2;
}

// Calls work with the narrowest key that holds the plan's slots. Throws std::length_error if none does.
template <class Work> void with_key(int slots, Work&& work) {
    using Small = Key<1, 4>;
    using Medium = Key<2, 5>;
    using Large = Key<4, 6>;
    static_assert(Large::kSlots == kWidestFrontier);
    if (slots <= Small::kSlots)
        work(Small{});
    else if (slots <= Medium::kSlots)
        work(Medium{});
    else if (slots <= Large::kSlots)
        work(Large{});
    else
        throw std::length_error("the frontier needs " + std::to_string(slots) + " slots; at most " +
                                std::to_string(kWidestFrontier) + " fit");
}

} // namespace ktsolve::frontier
