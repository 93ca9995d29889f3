// The steps of a half: which vertex is eliminated, or which edges are added, and the edge choices of each.
#pragma once

#include <set>
#include <span>
#include <string>

#include "join/edge_choices.hpp"
#include "join/pattern_group.hpp"
#include "join/restriction.hpp"
#include "ktsolve/common/graph.hpp"
#include "ktsolve/join/count.hpp"

namespace ktsolve::join {

// How a half is made. Vertices are those of the graph.
struct HalfTask {
    const Graph& graph;
    const std::vector<int>& eliminate;                // in this order
    const std::vector<int>& separator;                // slot i at the end holds separator[i]
    const std::vector<std::vector<int>>& preapplied;  // and these sets of separator edges, in one step each
    const std::vector<int>& mirror;                   // image of every vertex, or empty
    const std::vector<int>& colour;                   // 0 or 1 of every vertex, for a split vertex
    int split;                                        // the split vertex, the last of the separator, or -1
    bool mirror_swaps;                                // the mirror exchanges the colours
    const std::vector<std::vector<int>>& block_cells; // sets of separator vertices
    const std::vector<int>& block_sums;               // the sums of their degrees, or empty: no restriction
    std::string files;                          // beginning of the names of files to keep layers in, or empty
    const std::vector<char>* tallied = nullptr; // for each edge whether patterns hold its use, or nullptr
    std::span<const JoinStage> stages = {};     // before the block is made, in order
    std::size_t until = 0;                      // this many steps, or all
    const PatternGroup* group = nullptr;        // only the patterns that lead their orbits are kept
    const std::vector<std::vector<int>>* symmetries = nullptr; // that generate it: images of the vertices
    int sum = -1;       // with a group: of the degrees of the separator's vertices, or -1
    int most_ends = -1; // of a pattern in the end, or -1
    const LeadingPatterns* leading = nullptr; // of the block, if they are known
    int turned = -1;                          // as in the plan
    bool upper = true;                        // a half that is the top

    std::size_t all_steps() const { return eliminate.size() + preapplied.size(); }
    std::size_t steps() const { return until == 0 ? all_steps() : until; }
    // The task of a block of the last stage.
    HalfTask stage(std::size_t block) const;
    // The task of the same block, by itself in another order.
    HalfTask in_order(const std::vector<int>& order) const;
    // The sets of the block: the first of all, as many as it has sums.
    std::span<const std::vector<int>> block() const {
        return std::span(block_cells).first(block_sums.size());
    }
};

// A half of a plan without mirror, blocks and files. The graph and the plan outlive the task.
HalfTask plain_task(const Graph& graph, const JoinPlan& plan, bool upper);

struct HalfStep {
    int vertex = -1; // eliminated, or -1 for pre-applied edges
    std::vector<EdgeChoice> choices;
    std::vector<std::pair<int, int>> edges; // of the graph, as the choices number them
};

// Slots of all vertices while the half is made. Eliminated vertices share slots one after the other; those of
// the separator keep theirs.
std::vector<int> assign_slots(const HalfTask& task);

// For each slot of the separator the number of steps after which its degree is final; of vertices that the
// half does not touch, whose slots may hold others before, and of a split vertex the number of all steps.
std::vector<std::size_t> final_steps(const HalfTask& task);
// The slots in the order in which their degrees become final.
std::vector<u8> completion_order(const HalfTask& task);
// The degrees that the half can give to a vertex of the separator, which gets the rest of 2 elsewhere.
struct DegreeRange {
    int least, most;
};
DegreeRange degree_range(const HalfTask& task, int vertex);
// The least sum of the degrees that the half gives to the vertices of the separator; 0 unless the half is
// bipartite and all of the separator, but for a split vertex and those with all edges in the half, has one
// colour. It is the sum itself where no edge of the half joins two of these.
struct SumOfDegrees {
    int least;
    bool exact;
};
SumOfDegrees sum_by_colours(const HalfTask& task);
// The sum itself, if it is known from this half or the other one, else -1.
int sum_of_degrees(const Graph& graph, const JoinPlan& plan, bool upper);
// The group of a plan as it acts on the slots of this half.
PatternGroup pattern_group(const JoinPlan& plan, const HalfTask& task);

// Each step eliminates a vertex or applies a set of edges: these in the end, or with a group as soon as no
// elimination touches their vertices any more.
class HalfSteps {
  public:
    // The task must outlive this.
    explicit HalfSteps(const HalfTask& task);

    std::size_t count() const { return task_.steps(); }
    // The next step. What follows is about the frontier after the steps taken.
    HalfStep next();
    // Whether the eliminated vertices are their own mirror image, and if so how the mirror acts on the slots.
    bool mirror_now(FieldPermutation& mirror) const;
    // Whether a symmetry maps the eliminated vertices to themselves, and if so where the slots go.
    bool moves(const std::vector<int>& images, std::array<int, 32>& to) const;
    // The bounds of the block, whose sums may lack the edges that are still to come, and the group. With a
    // number of sets those that all blocks share which have the same first sums.
    Restriction restriction() const { return restriction(task_.block_sums.size()); }
    Restriction restriction(std::size_t sets) const;
    // The number of steps before the first that touches one of these vertices.
    std::size_t untouched(std::span<const std::vector<int>> cells) const;
    int split_slot() const;
    int edges_to_come(int vertex) const;

  private:
    struct Incident {
        int other;
        bool required, tallied;
    };

    Port port(int vertex, int other) const;
    bool tallied(std::size_t edge) const { return task_.tallied != nullptr && (*task_.tallied)[edge] != 0; }
    // The slots, in the order of completion, whose degrees are final after a number of steps.
    std::size_t known(std::size_t steps) const;

    const HalfTask& task_;
    const std::vector<std::size_t> order_; // eliminations by their number, then sets of edges
    std::size_t done_ = 0;
    std::vector<int> slots_;
    std::vector<std::size_t> final_; // sorted, with a group
    std::vector<std::vector<Incident>> around_;
    std::vector<char> gone_, live_; // eliminated; in the frontier
    std::set<std::pair<int, int>> applied_;
};

} // namespace ktsolve::join
