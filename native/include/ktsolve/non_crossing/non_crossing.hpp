// The longest walk on a graph drawn in the plane that visits no vertex twice and crosses no line it has
// drawn.
//
// Depth first, every walk from every given start; a branch ends when even all the vertices that can still be
// reached without crossing would not make the walk longer than the best one known.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

struct NonCrossingTask {
    int vertices = 0;
    std::vector<std::pair<int, int>> edges;
    std::vector<std::pair<int, int>> crossings; // pairs of edges, by index, of which at most one is drawn
    // For paths: where to begin (one of each orbit is enough). Cycles begin at their smallest vertex, and
    // this is not read.
    std::vector<int> starts;
    bool closed = false;
    int longer_than = 0; // only walks with more edges than this count
};

struct NonCrossingReport {
    Status status = Status::done; // done: there is no longer walk
    int length = 0;               // edges of the longest walk found; `longer_than` if none
    std::vector<int> walk;        // its vertices
    std::uint64_t nodes = 0;
};

// Throws std::invalid_argument for a malformed task.
NonCrossingReport longest_non_crossing(const NonCrossingTask& task, const Limits& limits,
                                       Monitor* monitor = nullptr);

} // namespace ktsolve
