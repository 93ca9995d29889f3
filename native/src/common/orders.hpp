// The first numbers, and a random order of them: the same order on every machine, which std::shuffle does not
// promise.
#pragma once

#include <cstddef>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace ktsolve {

// 0 to n - 1 in their order.
inline std::vector<int> numbers(int n) {
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

inline std::vector<int> shuffled(int n, std::mt19937_64& random) {
    std::vector<int> order = numbers(n);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    return order;
}

} // namespace ktsolve
