// Whole numbers of any size as rows of limbs of one length, least significant limb first.
#pragma once

#include "common/integers.hpp"

namespace ktsolve {

// to += from; returns the carry.
inline u64 add_limbs(u64* to, const u64* from, int limbs) {
    u64 carry = 0;
    for (int i = 0; i < limbs; ++i) {
        const u128 sum = u128{to[i]} + from[i] + carry;
        to[i] = static_cast<u64>(sum);
        carry = static_cast<u64>(sum >> 64);
    }
    return carry;
}

// to -= from, where `from` is not larger.
inline void subtract_limbs(u64* to, const u64* from, int limbs) {
    u64 borrow = 0;
    for (int i = 0; i < limbs; ++i) {
        const u64 before = to[i], less = before - borrow;
        to[i] = less - from[i];
        borrow = (before < borrow) | (less < from[i]);
    }
}

inline bool less_limbs(const u64* a, const u64* b, int limbs) {
    for (int i = limbs; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i];
    return false;
}

inline bool is_zero(const u64* a, int limbs) {
    u64 any = 0;
    for (int i = 0; i < limbs; ++i) any |= a[i];
    return any == 0;
}

// Limbs up to the last that is not 0.
inline int significant_limbs(const u64* a, int limbs) {
    while (limbs > 0 && a[limbs - 1] == 0) --limbs;
    return limbs;
}

// to += a x b, for a of n limbs and b of m, where the result fits into the limbs of `to`. What does not fit,
// as in forged files, is cut off.
inline void add_product(u64* to, int limbs, const u64* a, int n, const u64* b, int m) {
    n = significant_limbs(a, n);
    m = significant_limbs(b, m);
    for (int i = 0; i < n; ++i) {
        if (a[i] == 0) continue;
        u64 carry = 0;
        int at = i;
        for (int j = 0; j < m && at < limbs; ++j, ++at) {
            const u128 sum = u128{a[i]} * b[j] + to[at] + carry;
            to[at] = static_cast<u64>(sum);
            carry = static_cast<u64>(sum >> 64);
        }
        for (; carry != 0 && at < limbs; ++at) carry = add_overflows(to[at], carry, &to[at]);
    }
}

} // namespace ktsolve
