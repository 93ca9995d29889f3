// The states of the frontier sweep and what a step makes of one: shared by counts, lists and weighted sums.
#pragma once

#include <algorithm>
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
        const int here = step_.here.slot;
        const unsigned code = state.get(here);
        KeyT base = state;
        const bool releases = !KeyT::kPaired || step_.releases;
        if (releases) base.set(here, kUntouched);
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

        if (!lacks_edge(step_.here, code)) {
            if (required_ == 0) pass(base, -1, -1);
            return;
        }
        if (step_.may_skip && (code == kUntouched || is_barred(code, here))) {
            if (required_ == 0 && alive(base)) emit(base, Choice{});
            if (code != kUntouched) return;
        }
        if (code >= kMate || (KeyT::kPaired && step_.here.paired)) {
            if (required_ > 1) return;
            // The other end of the path that ends here.
            const End own = end_of(base, step_.here, code);
            if (!releases && code >= kMate) base.set(here, kFull);
            for (int i = 0; i < options; ++i) {
                if (required_ == 1 && !later[i].required) continue;
                const int to = later[i].slot;
                const unsigned other = base.get(to);
                if (!lacks_edge(later[i], other) || is_barred(other, to)) continue;
                KeyT key = base;
                if (other != kUntouched && to == own.slot) {
                    end(key, i, -1, to, to);
                    continue;
                }
                const End far = end_of(base, later[i], other);
                if (other != kUntouched) key.set(to, kFull);
                join(key, own, far);
                pass(key, i, -1);
            }
            return;
        }
        if (required_ > 2) return;
        for (int i = 0; i < options; ++i) {
            const int p = later[i].slot;
            const unsigned p_code = base.get(p);
            if (!lacks_edge(later[i], p_code) || is_barred(p_code, p)) continue;
            for (int j = i + 1; j < options; ++j) {
                if (later[i].required + later[j].required < required_) continue;
                const int q = later[j].slot;
                const unsigned q_code = base.get(q);
                if (!lacks_edge(later[j], q_code) || is_barred(q_code, q)) continue;
                KeyT key = base;
                const End one = end_of(base, later[i], p_code), two = end_of(base, later[j], q_code);
                if (p == q || (p_code != kUntouched && one.slot == q)) {
                    end(key, i, j, p, q);
                    continue;
                }
                if (p_code != kUntouched) key.set(p, kFull);
                if (q_code != kUntouched) key.set(q, kFull);
                join(key, one, two);
                pass(key, i, j);
            }
        }
    }

  private:
    static constexpr unsigned kSides = KeyT::kPaired ? 2 : 1;

    // An end of a path: its slot, and which vertex of a pair it is.
    struct End {
        int slot;
        unsigned side;
    };

    static int mate_of(unsigned code) { return static_cast<int>((code - kMate) / kSides); }
    static unsigned side_of(unsigned code) { return (code - kMate) % kSides; }

    // Whether a vertex needs an edge besides those that it has, and besides that of a pair.
    static bool lacks_edge(const Port& port, unsigned code) {
        if (code == kFull) return false;
        return !KeyT::kPaired || code == kUntouched || side_of(code) == port.side;
    }

    // The other end of the path that ends at a vertex: itself or the other one of a pair if it is untouched.
    static End end_of(const KeyT& key, const Port& port, unsigned code) {
        if (code == kUntouched) return {port.slot, KeyT::kPaired ? port.open_side() : 0};
        const int mate = mate_of(code);
        return {mate, KeyT::kPaired ? side_of(key.get(mate)) : 0};
    }

    static void join(KeyT& key, End a, End b) {
        key.set(a.slot, kMate + kSides * static_cast<unsigned>(b.slot) + a.side);
        key.set(b.slot, kMate + kSides * static_cast<unsigned>(a.slot) + b.side);
    }

    // Whether a cycle that closes at p, q passes every vertex.
    bool complete(KeyT key, int p, int q) const {
        if (!step_.may_close) return false;
        key.set(p, kFull);
        key.set(q, kFull);
        return key == all_full_;
    }

    // Whether the vertex of a slot must be left out.
    static bool is_barred(unsigned code, int slot) {
        return !KeyT::kPaired && code == kMate + static_cast<unsigned>(slot);
    }

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
            const int lacks = lacking(touched, code);
            if (touched.future < lacks || touched.future_required > lacks) return false;
        }
        for (const Scarce& scarce : step_.scarce) {
            const unsigned code = key.get(scarce.slot);
            const int lacks = lacking(scarce, code);
            if (lacks == 0 || is_free(code, scarce.slot)) continue;
            int free = scarce.outside;
            for (const Port& port : scarce.inside) free += lacks_edge(port, key.get(port.slot));
            if (free < lacks) return false;
        }
        return true;
    }

    // The edges that a vertex needs besides those that it has, and besides that of a pair.
    static int lacking(const Port& port, unsigned code) {
        if (KeyT::kPaired && port.paired) return lacks_edge(port, code);
        return 2 - static_cast<int>(degree(code));
    }

    const Step& step_;
    KeyT all_full_{};
    KeyT may_skip_{}; // 1 in the slots of vertices that may be left out
    int required_ = 0;
};

template <class KeyT> Successors<KeyT> successors_of(const Step& step) {
    return Successors<KeyT>(step);
}

// Calls work with the first key that holds the slots.
template <class KeyT, class... Wider, class Work> void with_key_of(int slots, Work&& work) {
    if (slots <= std::min(KeyT::kSlots, kWidestFrontier)) return work(KeyT{});
    if constexpr (sizeof...(Wider) > 0)
        with_key_of<Wider...>(slots, work);
    else
        throw std::length_error("the frontier needs " + std::to_string(slots) + " slots; at most " +
                                std::to_string(kWidestFrontier) + " fit");
}

// Calls work with the narrowest key that holds the slots. Throws std::length_error if none does.
template <class Work> void with_key(int slots, Work&& work) {
    with_key_of<Key<1, 4>, Key<2, 5>, Key<4, 6>>(slots, work);
}
template <class Work> void with_key(const Plan& plan, Work&& work) {
    if (!plan.pairs.empty())
        with_key_of<Key<1, 5, 2>, Key<2, 6, 2>, Key<3, 6, 2>, Key<5, 7, 2>>(plan.slots, work);
    else
        with_key(plan.slots, work);
}

} // namespace ktsolve::frontier
