// Short names of the unsigned and signed integers that table layouts and counts are written in, and what
// compilers do not agree on about them: 128 bits, sums and products that are checked.
//
// GCC and Clang have 128-bit integers and checked arithmetic built in. Elsewhere, and everywhere with
// KTSOLVE_PORTABLE (which the native tests are built with too), plain C++ does the same.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__SIZEOF_INT128__) && !defined(KTSOLVE_PORTABLE)
#define KTSOLVE_NATIVE_U128 1
#else
#define KTSOLVE_NATIVE_U128 0
#include "common/uint128.hpp"
#endif

namespace ktsolve {

// Numbers of states and places in tables are computed in 64 bits. Where addresses have 32 (native/wasm),
// every table that fits into memory has fewer entries than that, and containers refuse longer ones. Entries
// of some bytes are read as the low end of eight.
static_assert(sizeof(std::size_t) == 8 || sizeof(std::size_t) == 4, "addresses have 64 bits, or 32");
static_assert(std::endian::native == std::endian::little, "ktsolve needs a little-endian processor");

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
#if KTSOLVE_NATIVE_U128
__extension__ typedef unsigned __int128 u128;
#else
using u128 = UInt128;
#endif

// *sum = a + b; whether that is wrong, as the sum needs more bits.
template <class T> [[nodiscard]] bool add_overflows(T a, std::type_identity_t<T> b, T* sum) {
#if defined(__GNUC__) && !defined(KTSOLVE_PORTABLE)
    return __builtin_add_overflow(a, b, sum);
#else
    static_assert(T(0) - T(1) > T(0), "unsigned numbers only");
    *sum = a + b;
    return *sum < a;
#endif
}

// *product = a * b; whether that is wrong.
template <class T> [[nodiscard]] bool multiply_overflows(T a, std::type_identity_t<T> b, T* product) {
#if defined(__GNUC__) && !defined(KTSOLVE_PORTABLE)
    return __builtin_mul_overflow(a, b, product);
#else
    static_assert(T(0) - T(1) > T(0), "unsigned numbers only");
    *product = a * b;
    return a != T(0) && *product / a != b;
#endif
}

} // namespace ktsolve
