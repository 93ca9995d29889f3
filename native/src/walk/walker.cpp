// See ktsolve/walk.hpp.
#include <numeric>
#include <stdexcept>
#include <utility>

#include "ktsolve/graph.hpp"
#include "ktsolve/walk.hpp"

namespace ktsolve {

namespace {

void check(const WalkQuestion& question) {
    Graph graph{question.cells, question.moves, {}};
    graph.required.assign(graph.edges.size(), 0);
    graph.validate();
    const Ties& ties = question.ties;
    if (ties.kind == Ties::Kind::keys && ties.keys.size() != static_cast<std::size_t>(question.cells))
        throw std::invalid_argument("there is one key per cell");
    if (ties.kind != Ties::Kind::orders) return;
    if (ties.directions.size() != question.moves.size() || ties.orders.empty())
        throw std::invalid_argument("orders of moves need one direction per move, and an order");
    for (const std::uint8_t direction : ties.directions)
        if (direction >= 8) throw std::invalid_argument("directions are numbered 0 to 7");
}

} // namespace

Walker::Walker(WalkQuestion question)
    : cells_(question.cells), first_(static_cast<std::size_t>(std::max(question.cells, 0)) + 1) {
    check(question);
    for (const auto& [u, v] : question.moves) {
        ++first_[static_cast<std::size_t>(u) + 1];
        ++first_[static_cast<std::size_t>(v) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    const bool directed = question.ties.kind == Ties::Kind::orders;
    around_.resize(2 * question.moves.size());
    if (directed) headings_.resize(around_.size());
    std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
    const auto put = [&](int from, int to, std::uint8_t heading) {
        const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
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
