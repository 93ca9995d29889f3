// The states of one pattern, made by themselves.
//
// A pattern of many ends has so many matchings that the states of a block it belongs to would not fit. Its
// states alone are far fewer, and are folded as well, by the elements of the plan's group that keep it: the
// half is swept from its vertices farthest from the separator to the nearest. Where those elements map what
// has been eliminated to itself, the count T of a state is that of its images. So each state may be replaced
// by any of its images: that of the leading pattern on the frontier. A table N is kept with
//
//     |H| T = sum of the images of N under all elements h of H,
//
// as eliminating the other vertices is linear and commutes with the elements. For the join it is enough to
// take the images of one of the two tables (single_join.hpp).
#pragma once

#include "join/context.hpp"
#include "join/half_steps.hpp"

namespace ktsolve::join {

// Whether a block gives the degree of each vertex of the separator of a plan with a group.
inline bool is_single(const HalfTask& task) {
    return task.group != nullptr && task.block_sums.size() == task.separator.size();
}

// How the half is swept for the pattern of a block, which must lead its orbit: the task by itself, and how
// its states are folded. After all steps they are the table N.
class SinglePattern {
  public:
    explicit SinglePattern(const HalfTask& task);
    SinglePattern(const SinglePattern&) = delete;
    SinglePattern& operator=(const SinglePattern&) = delete;

    const HalfTask& task() const { return task_; }
    // Replaces the states after a step by their leading images, if what has been eliminated allows it.
    Layer fold(Layer&& layer, const HalfSteps& steps, Context& context) const;

  private:
    const std::vector<std::vector<int>> keepers_; // generators, as images of the vertices
    const std::vector<int> order_;
    const HalfTask task_;
};

} // namespace ktsolve::join
