// A 2-factor: a set of arcs that uses every node twice, found without a solver as its starting point.
//
// On a graph whose nodes have two colours (a knight's moves on a board) this is a flow problem: arcs are
// taken greedily, and where a node comes out short an alternating path of unused and used arcs is exchanged.
// Elsewhere such a path may cross itself, is dropped, and a node stays short: the result is a hint only.
// Source: augmenting paths, Berge (1957), Hopcroft & Karp (1973); here with two instead of one at a node.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace ktsolve {

enum class ArcUse : std::uint8_t { free = 0, needed = 1, barred = 2 };

struct TwoFactor {
    std::vector<std::uint8_t> used; // flag of every arc
    int missing = 0;                // arc ends that nodes are short of: 0 if every node has two
};

// Arcs of least `cost` are taken first, as many as fit, then those of the next cost where nodes are still
// short; empty for no difference. The same seed gives the same answer, others give others. Arcs that are
// needed are always used, those barred never, and no node has more than two used arcs, save where it needs
// more. Throws std::invalid_argument.
TwoFactor find_two_factor(int nodes, const std::vector<std::pair<int, int>>& arcs,
                          const std::vector<ArcUse>& use, const std::vector<std::int32_t>& cost,
                          std::uint64_t seed);

} // namespace ktsolve
