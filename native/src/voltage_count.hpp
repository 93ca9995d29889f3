// Two counts in one: partial solutions of even and of odd voltage. An element of the group ring of Z_2.
#pragma once

#include "ktsolve/voltage.hpp"
#include "ktsolve/wide.hpp"

namespace ktsolve::frontier {

template <int Limbs> struct Graded {
    static constexpr int kLimbs = Limbs;
    static constexpr bool kGraded = true;

    Wide<Limbs> even{};
    Wide<Limbs> odd{};

    static Graded one() { return {Wide<Limbs>::one(), {}}; }

    // As Wide::add: false when a sum does not fit.
    [[nodiscard]] bool add(const Graded& other) { return even.add(other.even) && odd.add(other.odd); }

    // Adds `other`, once for every parallel edge; the odd ones exchange even and odd.
    [[nodiscard]] bool add_taken(const Graded& other, const Parallel& edges) {
        bool fits = true;
        for (int i = 0; i < edges.even && fits; ++i) fits = add(other);
        for (int i = 0; i < edges.odd && fits; ++i) fits = even.add(other.odd) && odd.add(other.even);
        return fits;
    }

    template <int More> Graded<More> widened() const {
        return {even.template widened<More>(), odd.template widened<More>()};
    }
};

} // namespace ktsolve::frontier
