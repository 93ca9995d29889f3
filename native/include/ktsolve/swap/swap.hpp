// Pieces that change places on a graph: breadth-first search over positions, and the shortest solutions
// counted.
//
// A position gives the piece on each cell. Positions are numbered without gaps (src/swap_positions.hpp), so
// that one array of two bytes per position holds every distance, and the memory of a search is known before
// it begins. Rejected: a hash table, with eight to sixteen bytes for every position reached, whose number is
// not known beforehand.
//
//   forward    layer by layer from the start until the goal is met; a layer is a list of numbers
//   backward   from the goal, only through positions one step nearer to the start: exactly those on shortest
//              solutions, far fewer than were reached; the numbers of solutions are added up
//
// A *step* is one jump, or a walk of one piece over empty cells, of at most `longest` jumps and visiting no
// cell twice. Two walks with the same ends are one edge of the search and two ways of the count.
#pragma once

#include <cstdint>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

struct SwapProblem {
    int cells = 0;
    // jumps[k][cell]: where a piece of kind k + 1 could jump to from there, on an empty board. Symmetric.
    std::vector<std::vector<std::vector<int>>> jumps;
    // Colour of each kind, 0, 1, ...
    std::vector<int> colours;
    // What stands on each cell: 0 nothing, else the kind.
    std::vector<std::uint8_t> start, goal;
    int longest = 1;        // jumps in one step
    bool alternate = false; // the two colours move alternately
    bool peaceful = false;  // no piece where one of another colour attacks it, nor the other way round
    std::uint64_t most = 0; // layers to search at most

    // Throws std::invalid_argument for anything malformed.
    void validate() const;
};

struct SwapReport {
    Status status = Status::done;
    int length = -1;                   // of the shortest solutions; -1: none within `most` layers
    bool exhausted = false;            // no further position can be reached
    std::uint64_t states = 0;          // numbers there are: positions, twice that if colours alternate
    std::uint64_t reached = 0;         // of these, met by the search
    std::vector<std::uint64_t> layers; // how many at each distance
    std::vector<std::uint64_t> count;  // ways to make a shortest solution, least significant limb first
    std::uint64_t on_shortest = 0;     // positions on shortest solutions
    std::uint64_t peak_bytes = 0;
    // One shortest solution: length + 1 positions, cell by cell.
    std::vector<std::uint8_t> line;
    // With `keep`: all positions on shortest solutions, by layer from the start; the sizes of these layers.
    std::vector<std::uint8_t> kept;
    std::vector<std::uint64_t> kept_layers;
};

struct SwapSettings {
    bool whole = false; // go on after the goal, until everything that can be reached is
    bool count = false;
    bool keep = false;
};

// The number of positions of these pieces; 0 if more than 2^62.
std::uint64_t count_positions(const std::vector<std::uint8_t>& position);

// Throws std::length_error for more than 65533 layers or a count of more than 1024 bits.
SwapReport search_swap(const SwapProblem& problem, const SwapSettings& settings, const Limits& limits,
                       Monitor* monitor = nullptr);

} // namespace ktsolve
