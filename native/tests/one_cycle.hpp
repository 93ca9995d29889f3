// Whether two matchings form one cycle, by walking it: the tests' own definition.

#pragma once

#include <cstddef>

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

} // namespace ktsolve::join
