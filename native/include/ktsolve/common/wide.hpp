// Unsigned integers of a fixed number of 64-bit limbs whose addition detects overflow.
//
// The frontier sweep starts with one limb and takes four times as many when an addition overflows. Least
// significant limb first.
#pragma once

#include <array>
#include <cstdint>

namespace ktsolve {

template <int Limbs> struct Wide {
    static constexpr int kLimbs = Limbs;
    static constexpr bool kGraded = false; // see voltage_count.hpp

    std::array<std::uint64_t, Limbs> limb{};

    static Wide one() {
        Wide w;
        w.limb[0] = 1;
        return w;
    }

    // Adds `other`; returns false, leaving this value unusable, when the sum does not fit.
    [[nodiscard]] bool add(const Wide& other) {
        unsigned char carry = 0;
        for (int i = 0; i < Limbs; ++i) {
            const std::uint64_t partial = limb[i] + carry;
            const unsigned char first = partial < carry;
            limb[i] = partial + other.limb[i];
            carry = static_cast<unsigned char>(first | (limb[i] < partial));
        }
        return carry == 0;
    }

    template <int More> Wide<More> widened() const {
        static_assert(More >= Limbs);
        Wide<More> result;
        for (int i = 0; i < Limbs; ++i) result.limb[i] = limb[i];
        return result;
    }
};

} // namespace ktsolve
