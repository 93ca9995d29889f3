// Takes the steps of a walk by Warnsdorff's rule and breaks its ties.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ktsolve/common/graph.hpp"
#include "ktsolve/walk/walk.hpp"

namespace ktsolve {

namespace {

void check(const WalkProblem& problem) {
    Graph graph{problem.cells, problem.moves, {}};
    graph.required.assign(graph.edges.size(), 0);
    graph.validate();
    if (!problem.required.empty() && problem.required.size() != problem.moves.size())
        throw std::invalid_argument("there is one flag per move");
    const Ties& ties = problem.ties;
    if (ties.kind == Ties::Kind::keys && ties.keys.size() != static_cast<std::size_t>(problem.cells))
        throw std::invalid_argument("there is one key per cell");
    if (ties.kind != Ties::Kind::orders) return;
    if (ties.directions.size() != problem.moves.size() || ties.orders.empty())
        throw std::invalid_argument("orders of moves need one direction per move, and an order");
    for (const std::uint8_t direction : ties.directions)
        if (direction >= 8) throw std::invalid_argument("directions are numbered 0 to 7");
}

std::size_t at(int v) {
    return static_cast<std::size_t>(v);
}

} // namespace

// Notes the required moves, and takes them from the problem together with the moves that they exclude: those
// from a cell with two required ones.
void Walker::keep_required(WalkProblem& problem) {
    if (std::count(problem.required.begin(), problem.required.end(), 0) == std::ssize(problem.required))
        return;
    required_.assign(at(cells_), {-1, -1});
    std::vector<int> above(at(cells_)); // a forest of the chains of required moves
    std::iota(above.begin(), above.end(), 0);
    const auto root = [&](int v) {
        while (above[at(v)] != v) v = above[at(v)] = above[at(above[at(v)])];
        return v;
    };
    int links = 0;
    for (std::size_t i = 0; i < problem.moves.size(); ++i) {
        if (problem.required[i] == 0) continue;
        const auto [u, v] = problem.moves[i];
        for (const auto& [from, to] : {std::pair{u, v}, std::pair{v, u}}) {
            auto& here = required_[at(from)];
            if (here[1] >= 0) contradictory_ = true;
            here[here[0] >= 0 ? 1 : 0] = to;
        }
        if (++links < cells_ && root(u) == root(v)) contradictory_ = true;
        if (links == cells_) required_cycle_ = true;
        above[at(root(u))] = root(v);
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < problem.moves.size(); ++i) {
        const auto [u, v] = problem.moves[i];
        if (problem.required[i] != 0 || required_[at(u)][1] >= 0 || required_[at(v)][1] >= 0) continue;
        problem.moves[kept] = problem.moves[i];
        if (!problem.ties.directions.empty()) problem.ties.directions[kept] = problem.ties.directions[i];
        ++kept;
    }
    problem.moves.resize(kept);
}

Walker::Walker(WalkProblem problem)
    : cells_(problem.cells), first_(static_cast<std::size_t>(std::max(problem.cells, 0)) + 1) {
    check(problem);
    keep_required(problem);
    for (const auto& [u, v] : problem.moves) {
        ++first_[at(u) + 1];
        ++first_[at(v) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    const bool directed = problem.ties.kind == Ties::Kind::orders;
    around_.resize(2 * problem.moves.size());
    if (directed) headings_.resize(around_.size());
    std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
    const auto put = [&](int from, int to, std::uint8_t heading) {
        const auto place = static_cast<std::size_t>(next[at(from)]++);
        around_[place] = to;
        if (directed) headings_[place] = heading;
    };
    // Smaller neighbours first, then larger ones: ascending, if moves are.
    std::vector<std::size_t> order(problem.moves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto& moves = problem.moves;
    if (!std::is_sorted(moves.begin(), moves.end()))
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return moves[a] < moves[b]; });
    for (const std::size_t i : order)
        put(moves[i].second, moves[i].first,
            directed ? static_cast<std::uint8_t>((problem.ties.directions[i] + 4) % 8) : std::uint8_t{0});
    for (const std::size_t i : order)
        put(moves[i].first, moves[i].second, directed ? problem.ties.directions[i] : std::uint8_t{0});
    ties_ = std::move(problem.ties);
}

} // namespace ktsolve
