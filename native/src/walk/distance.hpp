// Distances to the end of another walk, for an end that moves by two moves at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "walk/rule.hpp"

namespace ktsolve {

// Lengths of shortest walks of moves from one cell, separately for even and odd lengths: exchanges keep the
// colour of an end, and only ends of different colours can be adjacent. Breadth first, as far as requested; a
// new search costs no time for cells that it does not reach.
class Distances {
  public:
    explicit Distances(const Rule& rule, int cells)
        : rule_(rule), states_(2 * static_cast<std::size_t>(cells)) {}

    static constexpr std::int32_t kFar = INT32_MAX;

    std::int32_t odd(int v) const { return value(2 * static_cast<std::size_t>(v) + 1); }

    // From a cell outwards until `stop(cell, parity, distance)`; returns the cell where it stopped, or -1.
    template <class Stop> int search(int from, Stop&& stop) {
        ++round_;
        queue_.clear();
        reach(2 * Rule::at(from), 0);
        for (std::size_t done = 0; done < queue_.size(); ++done) {
            const std::size_t state = queue_[done];
            const int v = static_cast<int>(state / 2);
            const std::int32_t distance = states_[state].distance;
            if (stop(v, static_cast<int>(state % 2), distance)) return v;
            for (const int w : rule_.around(v)) {
                const std::size_t there = 2 * Rule::at(w) + (1 - state % 2);
                if (states_[there].round != round_) reach(there, distance + 1);
            }
        }
        return -1;
    }

  private:
    struct State {
        std::uint32_t round = 0;
        std::int32_t distance = 0;
    };

    std::int32_t value(std::size_t state) const {
        return states_[state].round == round_ ? states_[state].distance : kFar;
    }
    void reach(std::size_t state, std::int32_t distance) {
        states_[state] = {round_, distance};
        queue_.push_back(state);
    }

    const Rule& rule_;
    std::vector<State> states_; // of each cell, even and odd
    std::vector<std::size_t> queue_;
    std::uint32_t round_ = 0;
};

} // namespace ktsolve
