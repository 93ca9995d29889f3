// Finds linear recurrences modulo primes (Berlekamp-Massey), and far terms of rational functions.
#include "ktsolve/sequences/recurrence.hpp"

#include <algorithm>
#include <stdexcept>

#include "common/integers.hpp"
#include "common/workers.hpp"

namespace ktsolve {

namespace {

using Polynomial = std::vector<u64>; // constant term first

u64 product(u64 a, u64 b, u64 prime) {
    return static_cast<u64>(u128{a} * b % prime);
}

u64 power(u64 base, u64 exponent, u64 prime) {
    u64 result = 1;
    for (; exponent != 0; exponent >>= 1) {
        if (exponent & 1) result = product(result, base, prime);
        base = product(base, base, prime);
    }
    return result;
}

// The sum of a[i] * b[-i] for i < n: 256 products of numbers below 2^60 fit into 128 bits.
u64 convolved(const u64* a, const u64* b, std::ptrdiff_t n, u64 prime) {
    u128 sum = 0;
    for (std::ptrdiff_t i = 0; i < n;) {
        const std::ptrdiff_t stop = std::min<std::ptrdiff_t>(n, i + 255);
        for (; i < stop; ++i) sum += u128{a[i]} * b[-i];
        sum %= prime;
    }
    return static_cast<u64>(sum);
}

void check_prime(u64 prime) {
    if (prime < 2 || prime >= kLargestPrime) throw std::invalid_argument("the modulus is out of range");
}

// Every second coefficient of a * b, from the first or the second one on.
Polynomial half_product(const Polynomial& a, const Polynomial& b, std::size_t from, u64 prime) {
    Polynomial half;
    const std::size_t terms = a.size() + b.size() - 1;
    for (std::size_t k = from; k < terms; k += 2) {
        const std::size_t low = k + 1 > b.size() ? k + 1 - b.size() : 0, high = std::min(k, a.size() - 1);
        half.push_back(convolved(a.data() + low, b.data() + (k - low),
                                 static_cast<std::ptrdiff_t>(high - low + 1), prime));
    }
    if (half.empty()) half.push_back(0);
    return half;
}

// Coefficient n of p / q: p(x) q(-x) / (q(x) q(-x)) has an even denominator, so that the even or the odd part
// of the numerator is enough, and n is halved.
u64 far_term(Polynomial p, Polynomial q, u64 n, u64 prime) {
    for (; n != 0; n >>= 1) {
        Polynomial mirrored = q;
        for (std::size_t i = 1; i < mirrored.size(); i += 2)
            mirrored[i] = mirrored[i] == 0 ? 0 : prime - mirrored[i];
        p = half_product(p, mirrored, n & 1, prime);
        q = half_product(q, mirrored, 0, prime);
    }
    return p[0];
}

} // namespace

ShortestRecurrence shortest_recurrence(const std::vector<u64>& terms, u64 prime) {
    check_prime(prime);
    if (std::any_of(terms.begin(), terms.end(), [&](u64 term) { return term >= prime; }))
        throw std::invalid_argument("a term is out of range");
    Polynomial now{1}, before{1};
    u64 discrepancy_before = 1;
    int order = 0, since = 1;
    for (std::size_t n = 0; n < terms.size(); ++n, ++since) {
        const auto used = static_cast<std::ptrdiff_t>(std::min(now.size(), n + 1));
        const u64 discrepancy = convolved(now.data(), terms.data() + n, used, prime);
        if (discrepancy == 0) continue;
        const u64 factor = prime - product(discrepancy, power(discrepancy_before, prime - 2, prime), prime);
        const bool longer = 2 * order <= static_cast<int>(n);
        Polynomial kept;
        if (longer) kept = now;
        const std::size_t shift = static_cast<std::size_t>(since);
        now.resize(std::max(now.size(), before.size() + shift), 0);
        for (std::size_t i = 0; i < before.size(); ++i)
            now[i + shift] = (now[i + shift] + product(factor, before[i], prime)) % prime;
        if (longer) {
            order = static_cast<int>(n) + 1 - order;
            before = std::move(kept);
            discrepancy_before = discrepancy;
            since = 0;
        }
    }
    now.resize(std::min(now.size(), static_cast<std::size_t>(order) + 1));
    while (now.size() > 1 && now.back() == 0) now.pop_back();
    return {order, now};
}

Status far_terms(const std::vector<u64>& numerators, const std::vector<u64>& denominators,
                 const std::vector<u64>& primes, u64 n, int threads, const Limits& limits, Monitor* monitor,
                 std::vector<u64>& found) {
    const std::size_t count = primes.size();
    if (count == 0 || numerators.size() % count != 0 || denominators.size() % count != 0 ||
        numerators.empty() || denominators.empty())
        throw std::invalid_argument("there is one row of residues for each prime");
    const std::size_t top = numerators.size() / count, bottom = denominators.size() / count;
    for (std::size_t k = 0; k < count; ++k) {
        check_prime(primes[k]);
        if (denominators[k * bottom] != 1) throw std::invalid_argument("a denominator begins with 1");
        const auto fits = [&](const std::vector<u64>& rows, std::size_t width) {
            return std::all_of(rows.begin() + static_cast<std::ptrdiff_t>(k * width),
                               rows.begin() + static_cast<std::ptrdiff_t>((k + 1) * width),
                               [&](u64 residue) { return residue < primes[k]; });
        };
        if (!fits(numerators, top) || !fits(denominators, bottom))
            throw std::invalid_argument("a residue is out of range");
    }
    found.assign(count, 0);
    Watch watch(limits, monitor);
    Workers workers(threads, watch);
    workers.progress().total = count;
    return status_of([&] {
        workers.run(count, [&](int worker, u64 k) {
            const auto row = [&](const std::vector<u64>& rows, std::size_t width) {
                return Polynomial(rows.begin() + static_cast<std::ptrdiff_t>(k * width),
                                  rows.begin() + static_cast<std::ptrdiff_t>((k + 1) * width));
            };
            if (worker == 0) workers.progress().step = k;
            workers.tick(worker);
            found[k] = far_term(row(numerators, top), row(denominators, bottom), n, primes[k]);
        });
    });
}

} // namespace ktsolve
