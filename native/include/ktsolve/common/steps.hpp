// Tours as arrays of step numbers, row by row: checked, written as text and as moves, and read again.
//
// check_steps is the checker of tours that are too large for objects. It shares no code with the numbering of
// mosaics (ktsolve/divide/mosaic.hpp): it reads the numbers alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ktsolve/common/control.hpp"

namespace ktsolve {

struct StepsView {
    std::int64_t rows = 0, columns = 0;
    const std::int32_t* steps = nullptr;

    std::int64_t cells() const { return rows * columns; }
};

enum class StepsFault {
    none,
    not_a_step, // `cell` holds a number outside 1..cells
    twice,      // `cell` holds `step`, and so does `other` before it
    no_move // `cell` holds `step`, which no knight's move reaches from `other`, the step before (the last of
            // all for step 1 of a closed tour)
};

struct StepsReport {
    Status status = Status::done;
    StepsFault fault = StepsFault::none;
    std::int64_t step = 0, cell = 0, other = 0;
};

// The first fault: places before moves, moves by step. A bit per cell, linear, all threads.
StepsReport check_steps(const StepsView& view, bool closed, int threads, const Limits& limits,
                        Monitor* monitor);

// The numbers right-aligned to `width`, a blank between two, a line per row, the last one ended too.
std::string steps_as_text(const StepsView& view, int width);

struct ParsedGrid {
    std::vector<std::int32_t> steps;
    std::int64_t columns = 0;
    std::int64_t bad_line = 0, bad_entry = 0; // from 1, when something is not a number; entry 0: line too
                                              // long or too short
};

// Lines of numbers with blanks, tabs or bars between; empty lines are passed over.
ParsedGrid parse_grid(std::string_view text);

// The cells in the order of their steps; empty if the numbers are not a permutation.
std::vector<std::int32_t> cells_in_order(const StepsView& view);

// One digit 0..7 per move, as in ktsolve/divide/mosaic.hpp, with the return to step 1 if closed. The view
// must have passed check_steps.
std::string moves_of_steps(const StepsView& view, bool closed);

// Writes the steps of a walk, cells * 4 bytes. Returns the number of moves that could be followed: a walk is
// stopped by a cell it has been to, by the edge, and by anything but a digit 0..7. A last move back to the
// start, after every cell, is followed.
std::int64_t steps_of_moves(std::string_view moves, std::int64_t rows, std::int64_t columns,
                            std::int64_t start, std::int32_t* steps);

} // namespace ktsolve
