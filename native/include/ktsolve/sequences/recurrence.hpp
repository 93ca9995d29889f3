// Linear recurrences modulo primes below 2^60: the shortest one, and far terms.
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

inline constexpr std::uint64_t kLargestPrime = std::uint64_t{1} << 60;

struct ShortestRecurrence {
    int order = 0;                           // the linear complexity L of the terms
    std::vector<std::uint64_t> coefficients; // c[0] = 1: the sum of c[i] * terms[n - i] is 0 for n >= L
};

// The shortest recurrence of a finite sequence modulo a prime (Berlekamp 1968; Massey 1969). Quadratic time.
// Throws std::invalid_argument for a modulus or terms out of range.
ShortestRecurrence shortest_recurrence(const std::vector<std::uint64_t>& terms, std::uint64_t prime);

// Coefficient n of numerator / denominator as power series, modulo each of several primes; the polynomials
// have one row of residues for each prime, constant term first, and the denominators begin with 1.
// O(log n) products of polynomials (Fiduccia 1985; in the form of Bostan & Mori 2021).
Status far_terms(const std::vector<std::uint64_t>& numerators, const std::vector<std::uint64_t>& denominators,
                 const std::vector<std::uint64_t>& primes, std::uint64_t n, int threads, const Limits& limits,
                 Monitor* monitor, std::vector<std::uint64_t>& found);

} // namespace ktsolve
