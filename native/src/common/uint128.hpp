// Unsigned integers of 128 bits in two limbs, for compilers without them (common/integers.hpp).
//
// Arithmetic is modulo 2^128 as of the built-in type; conversions to fewer bits are explicit. Products are
// made of four 32-bit products; quotients bit by bit, or by 32-bit digits when the divisor fits 64 bits
// (Knuth, The Art of Computer Programming 2, algorithm 4.3.1 D, for two digits).
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace ktsolve {

class UInt128 {
  public:
    UInt128() = default;
    template <std::integral T>
    constexpr UInt128(T value)
        : low_(static_cast<std::uint64_t>(value)), high_(value < T(0) ? ~std::uint64_t{0} : 0) {}
    constexpr UInt128(std::uint64_t high, std::uint64_t low) : low_(low), high_(high) {}

    template <std::integral T> explicit constexpr operator T() const { return static_cast<T>(low_); }
    explicit constexpr operator double() const {
        return static_cast<double>(high_) * 18446744073709551616.0 + static_cast<double>(low_);
    }

    friend constexpr bool operator==(const UInt128& a, const UInt128& b) = default;
    friend constexpr bool operator<(UInt128 a, UInt128 b) {
        return a.high_ != b.high_ ? a.high_ < b.high_ : a.low_ < b.low_;
    }
    friend constexpr bool operator>(UInt128 a, UInt128 b) { return b < a; }
    friend constexpr bool operator<=(UInt128 a, UInt128 b) { return !(b < a); }
    friend constexpr bool operator>=(UInt128 a, UInt128 b) { return !(a < b); }

    friend constexpr UInt128 operator+(UInt128 a, UInt128 b) {
        const std::uint64_t low = a.low_ + b.low_;
        return {a.high_ + b.high_ + (low < a.low_), low};
    }
    friend constexpr UInt128 operator-(UInt128 a, UInt128 b) {
        return {a.high_ - b.high_ - (a.low_ < b.low_), a.low_ - b.low_};
    }
    friend constexpr UInt128 operator*(UInt128 a, UInt128 b) {
        const UInt128 low = product(a.low_, b.low_);
        return {low.high_ + a.high_ * b.low_ + a.low_ * b.high_, low.low_};
    }
    friend constexpr UInt128 operator/(UInt128 a, UInt128 b) {
        UInt128 rest = 0;
        return divided(a, b, rest);
    }
    friend constexpr UInt128 operator%(UInt128 a, UInt128 b) {
        UInt128 rest = 0;
        (void)divided(a, b, rest);
        return rest;
    }

    friend constexpr UInt128 operator|(UInt128 a, UInt128 b) { return {a.high_ | b.high_, a.low_ | b.low_}; }
    friend constexpr UInt128 operator&(UInt128 a, UInt128 b) { return {a.high_ & b.high_, a.low_ & b.low_}; }
    friend constexpr UInt128 operator<<(UInt128 a, int by) {
        if (by == 0) return a;
        if (by >= 64) return {a.low_ << (by - 64), 0};
        return {a.high_ << by | a.low_ >> (64 - by), a.low_ << by};
    }
    friend constexpr UInt128 operator>>(UInt128 a, int by) {
        if (by == 0) return a;
        if (by >= 64) return {0, a.high_ >> (by - 64)};
        return {a.high_ >> by, a.low_ >> by | a.high_ << (64 - by)};
    }

    constexpr UInt128& operator+=(UInt128 other) { return *this = *this + other; }
    constexpr UInt128& operator-=(UInt128 other) { return *this = *this - other; }
    constexpr UInt128& operator*=(UInt128 other) { return *this = *this * other; }
    constexpr UInt128& operator/=(UInt128 other) { return *this = *this / other; }
    constexpr UInt128& operator%=(UInt128 other) { return *this = *this % other; }

  private:
    static constexpr UInt128 product(std::uint64_t a, std::uint64_t b) {
        constexpr std::uint64_t kLow = 0xFFFFFFFF;
        const std::uint64_t low = (a & kLow) * (b & kLow), one = (a >> 32) * (b & kLow),
                            two = (a & kLow) * (b >> 32);
        const std::uint64_t middle = (low >> 32) + (one & kLow) + (two & kLow);
        return {(a >> 32) * (b >> 32) + (one >> 32) + (two >> 32) + (middle >> 32),
                middle << 32 | (low & kLow)};
    }

    // One digit of 32 bits of (high, next) / by, for high < by, by with its top bit set; `high` becomes the
    // rest.
    static constexpr std::uint64_t digit(std::uint64_t& high, std::uint64_t next, std::uint64_t by) {
        const std::uint64_t first = by >> 32, second = by & 0xFFFFFFFF;
        std::uint64_t guess = high / first, rest = high % first;
        while (guess >> 32 != 0 || guess * second > (rest << 32 | next)) {
            --guess;
            rest += first;
            if (rest >> 32 != 0) break;
        }
        high = (high << 32 | next) - guess * by; // modulo 2^64, the rest is smaller
        return guess;
    }

    // The quotient, and the rest.
    static constexpr UInt128 divided(UInt128 a, UInt128 b, UInt128& rest) {
        rest = a;
        if (a < b) return 0;
        if (b.high_ == 0) {
            const std::uint64_t by = b.low_, top = a.high_ / by;
            if (a.high_ == 0) {
                rest = a.low_ % by;
                return a.low_ / by;
            }
            const int shift = std::countl_zero(by);
            const UInt128 scaled = UInt128{a.high_ % by, a.low_} << shift;
            std::uint64_t left = scaled.high_;
            const std::uint64_t upper = digit(left, scaled.low_ >> 32, by << shift);
            const std::uint64_t lower = digit(left, scaled.low_ & 0xFFFFFFFF, by << shift);
            rest = left >> shift;
            return {top, upper << 32 | lower};
        }
        UInt128 quotient = 0;
        for (int shift = std::countl_zero(b.high_) - std::countl_zero(a.high_); shift >= 0; --shift)
            if (const UInt128 part = b << shift; part <= rest) {
                rest -= part;
                quotient.low_ |= std::uint64_t{1} << shift;
            }
        return quotient;
    }

    std::uint64_t low_, high_;
};

} // namespace ktsolve
