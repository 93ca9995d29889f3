// Lists Hamiltonian cycles by a depth-first search through the states of the frontier sweep.
//
// The search goes from state to state of ktsolve/frontier/count.hpp, one vertex deeper each time. A state
// from which no cycle is reached is *dead*; dead states are kept, one set for each vertex, and not entered
// again. So all cycles are listed in time proportional to the states of the sweep and to the cycles, and the
// first cycle is found long before all states are made. Rejected: all layers first, then marked from the end:
// the same memory, and no cycle before the last layer.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"

namespace ktsolve {

class FrontierList {
  public:
    // Vertices are eliminated in the order 0, 1, 2, ... `seed` changes the order of the cycles; 0 leaves it.
    // Throws std::invalid_argument for a malformed graph, std::length_error for a frontier over
    // kWidestFrontier.
    explicit FrontierList(const Graph& graph, std::uint64_t seed = 0);
    ~FrontierList();
    FrontierList(FrontierList&&) noexcept;

    // Appends up to `most` further cycles to `cycles`, each a sequence of vertices. Each cycle is listed
    // once. It can go on after a time limit or an interruption, and after a memory limit with a higher one.
    Status run(std::uint64_t most, std::vector<std::int32_t>& cycles, const Limits& limits,
               Monitor* monitor = nullptr);

    bool exhausted() const; // all cycles are listed
    std::uint64_t found() const;
    std::uint64_t states() const; // states visited
    std::uint64_t dead() const;   // dead states kept
    std::uint64_t bytes() const;

    class Search;

  private:
    std::unique_ptr<Search> search_;
};

} // namespace ktsolve
