// Takes the steps of a walk by Warnsdorff's rule and breaks its ties.
#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ktsolve/common/graph.hpp"
#include "ktsolve/walk/walk.hpp"

namespace ktsolve {

namespace {

void check(const WalkQuestion& question) {
    Graph graph{question.cells, question.moves, {}};
    graph.required.assign(graph.edges.size(), 0);
    graph.validate();
    if (!question.required.empty() && question.required.size() != question.moves.size())
        throw std::invalid_argument("there is one flag per move");
    const Ties& ties = question.ties;
    if (ties.kind == Ties::Kind::keys && ties.keys.size() != static_cast<std::size_t>(question.cells))
        throw std::invalid_argument("there is one key per cell");
    if (ties.kind != Ties::Kind::orders) return;
    if (ties.directions.size() != question.moves.size() || ties.orders.empty())
        throw std::invalid_argument("orders of moves need one direction per move, and an order");
    for (const std::uint8_t direction : ties.directions)
        if (direction >= 8) throw std::invalid_argument("directions are numbered 0 to 7");
}

std::size_t at(int v) {
    return static_cast<std::size_t>(v);
}

} // namespace

// Notes the required moves, and takes them from the question together with the moves that they exclude: those
// from a cell with two required ones.
void Walker::keep_required(WalkQuestion& question) {
    if (std::count(question.required.begin(), question.required.end(), 0) == std::ssize(question.required))
        return;
    required_.assign(at(cells_), {-1, -1});
    std::vector<int> above(at(cells_)); // a forest of the chains of required moves
    std::iota(above.begin(), above.end(), 0);
    const auto root = [&](int v) {
        while (above[at(v)] != v) v = above[at(v)] = above[at(above[at(v)])];
        return v;
    };
    int links = 0;
    for (std::size_t i = 0; i < question.moves.size(); ++i) {
        if (question.required[i] == 0) continue;
        const auto [u, v] = question.moves[i];
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
    for (std::size_t i = 0; i < question.moves.size(); ++i) {
        const auto [u, v] = question.moves[i];
        if (question.required[i] != 0 || required_[at(u)][1] >= 0 || required_[at(v)][1] >= 0) continue;
        question.moves[kept] = question.moves[i];
        if (!question.ties.directions.empty()) question.ties.directions[kept] = question.ties.directions[i];
        ++kept;
    }
    question.moves.resize(kept);
}

Walker::Walker(WalkQuestion question)
    : cells_(question.cells), first_(static_cast<std::size_t>(std::max(question.cells, 0)) + 1) {
    check(question);
    keep_required(question);
    for (const auto& [u, v] : question.moves) {
        ++first_[at(u) + 1];
        ++first_[at(v) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    const bool directed = question.ties.kind == Ties::Kind::orders;
    around_.resize(2 * question.moves.size());
    if (directed) headings_.resize(around_.size());
    std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
    const auto put = [&](int from, int to, std::uint8_t heading) {
        const auto place = static_cast<std::size_t>(next[at(from)]++);
        around_[place] = to;
        if (directed) headings_[place] = heading;
    };
    // Smaller neighbours first, then larger ones: ascending, if moves are.
    std::vector<std::size_t> order(question.moves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto& moves = question.moves;
    if (!std::is_sorted(moves.begin(), moves.end()))
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return moves[a] < moves[b]; });
    for (const std::size_t i : order)
        put(moves[i].second, moves[i].first,
            directed ? static_cast<std::uint8_t>((question.ties.directions[i] + 4) % 8) : std::uint8_t{0});
    for (const std::size_t i : order)
        put(moves[i].first, moves[i].second, directed ? question.ties.directions[i] : std::uint8_t{0});
    ties_ = std::move(question.ties);
}

} // namespace ktsolve
