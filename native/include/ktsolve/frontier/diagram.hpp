// All Hamiltonian cycles of a graph in a fixed order: the states of the frontier sweep as a decision diagram.
//
// A cycle is a sequence of choices: the step of vertex v chooses its edges to later vertices
// (ktsolve/frontier/count.hpp). Cycles are in the lexicographic order of these sequences. The choices of a
// step are in the lexicographic order of the places of their edges, so that the order depends on the graph
// alone. Each state has the choices that some cycle makes there, and for each the number of cycles that come
// before it among those that pass the state. The rank of a cycle is the sum of these numbers along its states
// (Knuth, The Art of Computer Programming, volume 4A, section 7.1.4; Cover, Enumerative source encoding,
// 1973).
//
// A first pass makes the states, layer by layer, and keeps their keys. A second pass, from the last layer to
// the first, makes the successors again and drops the states from which no cycle is reached. Rejected:
// successors kept by the first pass, most of which lead to states that are dropped.
//
// A layer is an array of records of one length, one for each choice of each state:
//
//     | cycles before it, count_bytes | link, link_bytes |      link = target, choice, 1 for the last of a
//     state
//
// A target is the first record of a state in the next layer, or the number of its records if the cycle
// closes. A state needs no record of its own. Rejected: completions kept by state and an array of offsets,
// which took 18 bytes for a state of 7x8 where the records take 12.
//
// An edge may stand for parallel edges, each of even or of odd voltage (ktsolve/quotient/voltage.hpp): then a
// choice says which one, and a state is split by the parity that it needs.
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/common/checked_bytes.hpp"
#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"
#include "ktsolve/frontier/count.hpp"

namespace ktsolve {

struct DiagramLayer {
    std::uint64_t records = 0;
    int choice_bits = 0;
    int link_bytes = 1;
    int count_bytes = 0;
    std::vector<std::uint8_t> made; // the records, unless they lie in a file; and eight bytes to read over
    CheckedBytes bytes;

    std::size_t record_bytes() const { return static_cast<std::size_t>(link_bytes + count_bytes); }
    // The records and eight bytes more.
    std::size_t size() const { return static_cast<std::size_t>(records) * record_bytes() + 8; }
};

struct FrontierDiagram {
    Graph graph;
    // For each edge the parity of the voltage of each parallel edge; empty if every edge stands for itself.
    std::vector<std::vector<std::uint8_t>> parallel;
    bool odd = false;                 // only cycles of odd voltage
    std::vector<std::uint64_t> count; // limbs of the number of cycles, as many as any number here has
    std::vector<DiagramLayer> layers; // one for each vertex

    int limbs() const { return static_cast<int>(count.size()); }
    std::uint64_t bytes() const;
};

// Makes the layers. The report has the count. Throws as count_cycles_by_frontier, and std::invalid_argument
// for parallel edges that are not as described.
FrontierReport build_diagram(FrontierDiagram& diagram, const Limits& limits, Monitor* monitor = nullptr);

// Gives a diagram of the same graph its layers again, whose bytes must outlive it, and the count. The records
// are checked when they are read: all that follows may throw DamagedBytes, as this does for sizes that do not
// fit.
void restore_diagram(FrontierDiagram& diagram, std::vector<std::uint64_t> count,
                     std::vector<DiagramLayer> layers);

// Several cycles, each as its vertices from vertex 0 towards its lower neighbour, and for each the number of
// the parallel edge that leads to the next. `parallel` is empty if every edge stands for itself.
struct Cycles {
    std::vector<std::int32_t> vertices;
    std::vector<std::uint8_t> parallel;
};

// Appends the cycles with the given numbers, rows of limbs in ascending order, each below the count. Cycles
// that begin with the same choices share the work. Throws DamagedBytes for layers that are not those of the
// graph.
Status unrank_cycles(const FrontierDiagram& diagram, const std::uint64_t* indices, std::size_t number,
                     Cycles& cycles, const Limits& limits, Monitor* monitor = nullptr);

// The numbers of cycles, as rows of limbs; all bits set for anything but a cycle of the diagram.
Status rank_cycles(const FrontierDiagram& diagram, const Cycles& cycles, std::vector<std::uint64_t>& indices,
                   const Limits& limits, Monitor* monitor = nullptr);

// For each parallel edge, edge by edge, the number of cycles that use it, as a row of limbs. One pass through
// the layers: the ways to reach a state times the cycles that go on from there by each choice.
Status count_uses(const FrontierDiagram& diagram, std::vector<std::uint64_t>& uses, const Limits& limits,
                  Monitor* monitor = nullptr);

// The number of cycles by their weight, as rows of limbs from weight 0 on, without zeros at the end.
// `weights` has a small whole number for each parallel edge, edge by edge. Each state has a polynomial: its
// ways by weight; two layers of polynomials are held. Throws std::invalid_argument for a wrong number of
// weights.
Status tally_weights(const FrontierDiagram& diagram, const std::vector<std::uint8_t>& weights,
                     std::vector<std::uint64_t>& tally, const Limits& limits, Monitor* monitor = nullptr);

} // namespace ktsolve
