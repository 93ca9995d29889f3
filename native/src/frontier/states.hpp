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
inline constexpr unsigned kMate = 2; // kMate + slot; kMate + its own slot: the vertex must be left out

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
        for (const int slot : step.optional) may_skip_.set(slot, kFull);
        for (const Neighbour& neighbour : step.later) required_ += neighbour.required;
    }

    // Calls emit(state, choice) for each successor that is not found to be dead, and close(choice) for each
    // complete cycle.
    template <class Emit, class Close> void of(const KeyT& state, Emit&& emit, Close&& close) const {
        const int here = step_.slot;
        const unsigned code = state.get(here);
        KeyT base = state;
        base.set(here, kUntouched);
        if (step_.marked >= 0) base.set(step_.marked, kFull);
        const auto& later = step_.later;
        const int options = static_cast<int>(later.size());
        const auto pass = [&](KeyT& key, int i, int j) {
            if (step_.marked >= 0 && !(without_chords(key, i, j) && settled(key))) return;
            if (alive(key)) emit(key, Choice{static_cast<std::int8_t>(i), static_cast<std::int8_t>(j)});
        };

        const auto end = [&](KeyT& key, int i, int j, int p, int q) {
            if (step_.marked < 0 ? complete(key, p, q)
                                 : without_chords(key, i, j) && complete_part(key, p, q))
                close(Choice{static_cast<std::int8_t>(i), static_cast<std::int8_t>(j)});
        };

        if (code == kFull) {
            if (required_ == 0) pass(base, -1, -1);
            return;
        }
        if (step_.may_skip && (code == kUntouched || is_barred(code, here))) {
            if (required_ == 0 && alive(base)) emit(base, Choice{});
            if (code != kUntouched) return;
        }
        if (code >= kMate) {
            if (required_ > 1) return;
            const int mate = static_cast<int>(code - kMate);
            for (int i = 0; i < options; ++i) {
                if (required_ == 1 && !later[i].required) continue;
                const int to = later[i].slot;
                const unsigned other = base.get(to);
                if (other == kFull || is_barred(other, to)) continue;
                KeyT key = base;
                if (other == kUntouched) {
                    key.set(to, kMate + mate);
                    key.set(mate, kMate + to);
                } else if (to == mate) {
                    end(key, i, -1, to, to);
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
            if (p_code == kFull || is_barred(p_code, p)) continue;
            for (int j = i + 1; j < options; ++j) {
                if (later[i].required + later[j].required < required_) continue;
                const int q = later[j].slot;
                const unsigned q_code = base.get(q);
                if (q_code == kFull || is_barred(q_code, q)) continue;
                KeyT key = base;
                if (add_edge(key, p, p_code, q, q_code))
                    pass(key, i, j);
                else
                    end(key, i, j, p, q);
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

    // Whether the vertex of a slot must be left out.
    static bool is_barred(unsigned code, int slot) { return code == kMate + static_cast<unsigned>(slot); }

    // Whether the vertex of a slot may be left out, or must be.
    bool is_free(unsigned code, int slot) const {
        return (code == kUntouched && may_skip_.get(slot) != 0) || is_barred(code, slot);
    }

    // Bars the neighbours that the vertex eliminated, which is used, has besides those chosen; false if one
    // is used.
    bool without_chords(KeyT& key, int i, int j) const {
        for (int k = 0; k < static_cast<int>(step_.later.size()); ++k)
            if (step_.later[static_cast<std::size_t>(k)].chord && k != i && k != j &&
                !bar(key, step_.later[static_cast<std::size_t>(k)].slot))
                return false;
        return true;
    }

    static bool bar(KeyT& key, int slot) {
        const unsigned code = key.get(slot);
        if (code == kUntouched) key.set(slot, kMate + static_cast<unsigned>(slot));
        return code == kUntouched || is_barred(code, slot);
    }

    // Bars the neighbours of full vertices; false if one is used.
    bool settled(KeyT& key) const {
        for (const auto& [a, b] : step_.chords)
            if ((key.get(a) == kFull && !bar(key, b)) || (key.get(b) == kFull && !bar(key, a))) return false;
        return true;
    }

    // Whether a cycle that closes at p, q passes every vertex that must not be left out, and has no chord.
    bool complete_part(KeyT key, int p, int q) const {
        if (!step_.may_close) return false;
        key.set(p, kFull);
        key.set(q, kFull);
        if (!settled(key)) return false;
        for (const int slot : step_.optional)
            if (is_free(key.get(slot), slot)) key.set(slot, kFull);
        return key == all_full_;
    }

    bool alive(const KeyT& key) const {
        for (const Touched& touched : step_.touched) {
            const unsigned code = key.get(touched.slot);
            if (is_free(code, touched.slot) && touched.future_required == 0) continue;
            const int have = static_cast<int>(degree(code));
            if (have + touched.future < 2 || have + touched.future_required > 2) return false;
        }
        for (const Scarce& scarce : step_.scarce) {
            const unsigned code = key.get(scarce.slot);
            if (code == kFull || is_free(code, scarce.slot)) continue;
            int free = scarce.outside + static_cast<int>(degree(code));
            for (const int slot : scarce.inside) free += key.get(slot) != kFull;
            if (free < 2) return false;
        }
        return true;
    }

    const Step& step_;
    KeyT all_full_{};
    KeyT may_skip_{}; // 1 in the slots of vertices that may be left out
    int required_ = 0;
};

template <class KeyT> Successors<KeyT> successors_of(const Step& step) {
    return Successors<KeyT>(step);
}

// A vertex has at most 40 neighbours in the frontier: most successors of one state.
inline std::size_t most_successors(const Plan&) {
    return kWidestFrontier * (kWidestFrontier - 1) / 2 + 1;
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
