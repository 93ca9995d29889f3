// One half: the sweep, vertex by vertex, from the empty state to the table of states on the separator.
#pragma once

#include <functional>
#include <optional>

#include "join/groups.hpp"
#include "join/half_steps.hpp"
#include "join/step.hpp"
#include "ktsolve/join/count.hpp"

namespace ktsolve::join {

struct Half {
    Layer layer;
    bool folded = false;     // the layer with its mirror image has twice the true counts: see fold.cpp
    FieldPermutation mirror; // of the separator slots, when folded
};

// The layer before the first step: the empty state.
Layer empty_layer(ChunkPool& pool);

Half make_half(const HalfTask& task, Context& context, std::vector<LayerReport>& log);

// The states of these blocks together, or of all if there are none; task(sums) makes those of one.
Half make_blocks(const std::vector<std::vector<int>>& blocks,
                 const std::function<HalfTask(const std::vector<int>&)>& task, Context& context,
                 std::vector<LayerReport>& log);

// A half whose first steps are all those of another, from the states of that one; `separator` is the other's.
Half grow_half(const HalfTask& task, const Half& from, std::size_t steps, const std::vector<int>& separator,
               Context& context, std::vector<LayerReport>& log);

// Keeps of the layers that of most states, and the last: those of thousands of blocks would take megabytes.
void shorten(std::vector<LayerReport>& log);

// Files of what follows from one block of the last stage of these tasks, a file for each of them: what they
// share is made once. Then the file of each task from those of all blocks of its last stage, which go. Both
// end where there is no more disk.
void divide_stage(const HalfTask& stage, const std::vector<HalfTask>& tasks, Context& context,
                  std::vector<LayerReport>& log);
void put_together(const HalfTask& task, const std::vector<HalfTask>& stages, Context& context,
                  std::vector<LayerReport>& log);

// The bytes of the half's file, if it has been made before.
std::optional<u64> bytes_on_disk(const HalfTask& task);

} // namespace ktsolve::join
