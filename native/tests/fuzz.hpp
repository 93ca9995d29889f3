// The loop of a fuzz target: random cases for some seconds, each from a seed of its own, which is printed
// when a check fails, the sanitizer ends the program or an exception escapes.
//
//     fuzz_tables SECONDS [SEED]       SEED alone is run first: `fuzz_tables 0 SEED` repeats one case
#pragma once

#include <chrono>
#include <cstdlib>
#include <exception>

#include "check.hpp"
#if defined(__SANITIZE_ADDRESS__) && __has_include(<sanitizer/common_interface_defs.h>)
#include <sanitizer/common_interface_defs.h>
#define KTSOLVE_SANITIZED 1
#endif

namespace fuzz {

using Random = std::mt19937_64;

inline const char* target = "";
inline std::uint64_t seed = 0;

inline void print_seed() {
    std::fprintf(stderr, "fuzz_%s: repeat with: fuzz_%s 0 %llu\n", target, target,
                 static_cast<unsigned long long>(seed));
}

// A number from 0 to below `size`, which is not 0.
inline std::size_t below(Random& random, std::size_t size) {
    return static_cast<std::size_t>(random() % size);
}
inline bool one_in(Random& random, unsigned n) {
    return random() % n == 0;
}

// Small and large numbers, powers of two and their neighbours.
inline std::uint64_t odd_number(Random& random) {
    switch (random() % 6) {
    case 0:
        return random() % 8;
    case 1:
        return ~std::uint64_t{0} - random() % 8;
    case 2:
        return std::uint64_t{1} << random() % 64;
    case 3:
        return (std::uint64_t{1} << random() % 64) - 1;
    case 4:
        return random() % 1000;
    default:
        return random();
    }
}

template <class Case> int run(const char* name, int argc, char** argv, Case&& one) {
    target = name;
#if defined(KTSOLVE_SANITIZED)
    __sanitizer_set_death_callback(print_seed);
#endif
    const double seconds = argc > 1 ? std::atof(argv[1]) : 10;
    const auto start = std::chrono::steady_clock::now();
    seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::random_device{}() * std::uint64_t{1000003};
    std::uint64_t cases = 0;
    do {
        Random random(seed);
        try {
            one(random);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "fuzz_%s: %s\n", name, error.what());
            ++failures;
        } catch (...) {
            std::fprintf(stderr, "fuzz_%s: an exception of no known kind\n", name);
            ++failures;
        }
        if (failures > 0) {
            print_seed();
            return 1;
        }
        ++cases;
        ++seed;
    } while (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds);
    std::printf("fuzz_%s: %llu cases, %d checks\n", name, static_cast<unsigned long long>(cases), checks);
    return 0;
}

} // namespace fuzz
