// The choices of each step of a diagram, in their order: see ktsolve/frontier/diagram.hpp.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "common/integers.hpp"
#include "frontier/plan.hpp"
#include "frontier/states.hpp"
#include "ktsolve/frontier/diagram.hpp"

namespace ktsolve::frontier {

// A choice of edges together with the parallel edges that are used.
struct Variant {
    Choice choice;
    u8 first = 0; // number of the parallel edge
    u8 second = 0;
    u8 parity = 0; // of their voltages

    std::tuple<int, int, int, int> key() const { return {choice.first, choice.second, first, second}; }
};

// All choices of a step, sorted: by the places of the edges, then by the numbers of the parallel edges.
class StepChoices {
  public:
    StepChoices(const Step& step, const std::vector<std::vector<u8>>& parallel)
        : options_(static_cast<int>(step.later.size())) {
        const std::vector<u8> alone{0};
        const auto voltages = [&](int place) -> const std::vector<u8>& {
            if (place < 0 || parallel.empty()) return alone;
            return parallel[static_cast<std::size_t>(step.later[static_cast<std::size_t>(place)].edge)];
        };
        begins_.reserve(static_cast<std::size_t>((options_ + 1) * (options_ + 1)) + 1);
        for (int first = -1; first < options_; ++first)
            for (int second = -1; second < options_; ++second) {
                begins_.push_back(static_cast<u32>(variants.size()));
                if (second >= 0 && second <= first) continue; // not a choice
                if (first < 0 && second >= 0) continue;
                const auto &one = voltages(first), &two = voltages(second);
                for (std::size_t i = 0; i < one.size(); ++i)
                    for (std::size_t j = 0; j < two.size(); ++j)
                        variants.push_back(
                            {{static_cast<std::int8_t>(first), static_cast<std::int8_t>(second)},
                             static_cast<u8>(i),
                             static_cast<u8>(j),
                             static_cast<u8>((one[i] ^ two[j]) & 1)});
            }
        begins_.push_back(static_cast<u32>(variants.size()));
        while ((u64{1} << bits) < variants.size()) ++bits;
    }

    // The variants of a choice are those from begin(choice) to before end(choice).
    u32 begin(Choice choice) const { return begins_[cell(choice)]; }
    u32 end(Choice choice) const { return begins_[cell(choice) + 1]; }

    std::vector<Variant> variants;
    int bits = 0;

  private:
    std::size_t cell(Choice choice) const {
        return static_cast<std::size_t>((choice.first + 1) * (options_ + 1) + choice.second + 1);
    }

    int options_;
    std::vector<u32> begins_;
};

inline void check_parallel(const FrontierDiagram& diagram) {
    if (diagram.parallel.empty()) {
        if (diagram.odd && !diagram.graph.edges.empty())
            throw std::invalid_argument("cycles of odd voltage need parallel edges");
        return;
    }
    if (diagram.parallel.size() != diagram.graph.edges.size())
        throw std::invalid_argument("there is one list of parallel edges per edge");
    for (const std::vector<u8>& each : diagram.parallel)
        if (each.empty() || each.size() > 255)
            throw std::invalid_argument("an edge stands for 1 to 255 parallel edges");
}

} // namespace ktsolve::frontier
