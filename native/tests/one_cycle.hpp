// Whether two matchings form one cycle, by walking it: the tests' own definition. Lists for what it is
// compared with.

#pragma once

#include <cstddef>

#include "join/contraction.hpp"
#include "join/matching.hpp"

namespace ktsolve::join {

inline bool one_cycle(int pairs, const Mates& a, const Mates& b) {
    int at = 0, length = 0;
    do {
        at = b[a[static_cast<std::size_t>(at)]];
        ++length;
    } while (at != 0);
    return length == pairs;
}

// Makes the lists of at most a given number of pairs.
inline void prepare(ContractionLists& lists, int pairs) {
    Watch watch({}, nullptr);
    Workers workers(2, watch);
    lists.prepare(pairs, workers);
}

} // namespace ktsolve::join
