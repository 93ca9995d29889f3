// Eight numbers side by side, added at once where the compiler has vectors (GCC and Clang), else by a loop.
#pragma once

#include <array>

#include "common/integers.hpp"

namespace ktsolve {

#if defined(__GNUC__) && !defined(KTSOLVE_PORTABLE)
typedef u32 Narrow8 __attribute__((vector_size(32)));
typedef u64 Wide8 __attribute__((vector_size(64)));
#else
template <class T> struct alignas(8 * sizeof(T)) Eight {
    T values[8];

    T& operator[](std::size_t i) { return values[i]; }
    const T& operator[](std::size_t i) const { return values[i]; }
    Eight& operator+=(const Eight& other) {
        for (std::size_t i = 0; i < 8; ++i) values[i] += other.values[i];
        return *this;
    }
    friend Eight operator+(Eight a, const Eight& b) { return a += b; }
};
using Narrow8 = Eight<u32>;
using Wide8 = Eight<u64>;
#endif

} // namespace ktsolve
