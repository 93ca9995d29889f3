// Counts in a diagram how many cycles use each edge, and how many have each weight.
#include <algorithm>
#include <bit>
#include <numeric>

#include "common/limbs.hpp"
#include "common/stopped.hpp"
#include "frontier/choices.hpp"
#include "frontier/records.hpp"

namespace ktsolve {

using namespace frontier;

namespace {

constexpr u64 kPolled = 1024; // records between two polls

// The numbers of the states of a layer, by their first records.
class StateNumbers {
  public:
    StateNumbers() = default;
    explicit StateNumbers(const Records& records)
        : first_((records.number() + 63) / 64, 0), before_(first_.size(), 0) {
        for (u64 record = 0; record < records.number(); ++record)
            if (record == 0 || records.link(record - 1).last) first_[record / 64] |= u64{1} << (record % 64);
        for (std::size_t i = 0; i < first_.size(); ++i) {
            before_[i] = states_;
            states_ += static_cast<u64>(std::popcount(first_[i]));
        }
    }

    u64 states() const { return states_; }

    u64 of(u64 record) const {
        const u64 word = first_[record / 64], bit = u64{1} << (record % 64);
        if ((word & bit) == 0) throw DamagedBytes();
        return before_[record / 64] + static_cast<u64>(std::popcount(word & (bit - 1)));
    }
    static u64 bytes(u64 records) { return records / 4; }

  private:
    std::vector<u64> first_, before_;
    u64 states_ = 0;
};

// Goes through the layers from the first to the last.
class Passage {
  public:
    Passage(const FrontierDiagram& diagram, const Limits& limits, Watch& watch)
        : diagram_(diagram), plan_(make_plan(diagram.graph, {}, diagram.parallel.empty())),
          budget_(limits.bytes), watch_(watch), held_(diagram.bytes()) {
        u64 sum = 0;
        for (std::size_t e = 0; e < diagram.graph.edges.size(); ++e) {
            first_of_.push_back(sum);
            sum += diagram.parallel.empty() ? 1 : diagram.parallel[e].size();
        }
        first_of_.push_back(sum);
    }

    // Numbers of the edges that no choice names and that all cycles have.
    const std::vector<int>& pairs() const { return plan_.pairs; }

    // Number of parallel edges in all.
    u64 edges() const { return first_of_.back(); }

    // Calls begin(choices, states of the next layer) for each layer, then visit(state, record, link, target)
    // for each record, where `target` is a state of the next layer or kClosed, then end(choices).
    template <class Begin, class Visit, class End> void run(Begin&& begin, Visit&& visit, End&& end) {
        u64 states = 1;
        for (std::size_t s = 0; s < diagram_.layers.size(); ++s) {
            const Step& step = plan_.steps[s];
            const StepChoices choices(step, diagram_.parallel);
            const Records records(diagram_.layers[s], records_after(diagram_, s), choices.variants.size());
            if (records.number() == 0) break;
            const u64 after = records_after(diagram_, s);
            numbers_ = StateNumbers::bytes(after);
            need(0);
            const StateNumbers next = after == 0 ? StateNumbers() : StateNumbers(records_of(s + 1));
            begin(step, choices, next.states());
            u64 state = 0;
            for (u64 record = 0; record < records.number(); ++record) {
                if (record % kPolled == 0)
                    poll_or_throw(watch_, {s, diagram_.layers.size(), records.number()});
                const Link link = records.link(record);
                if (state == states) throw DamagedBytes();
                visit(records, state, record, link, records.closes(link) ? kClosed : next.of(link.target));
                state += link.last;
            }
            end(step, choices);
            states = next.states();
        }
    }

    // Numbers of the parallel edges of a choice, edge by edge; -1 for none.
    std::pair<i64, i64> parallel_edges(const Step& step, const Variant& variant) const {
        const auto number = [&](int place, u8 parallel) {
            if (place < 0) return i64{-1};
            return static_cast<i64>(first_of_[static_cast<std::size_t>(
                       step.later[static_cast<std::size_t>(place)].edge)]) +
                   parallel;
        };
        return {number(variant.choice.first, variant.first), number(variant.choice.second, variant.second)};
    }

    // Throws Stopped unless this many bytes fit beside the diagram.
    void need(u64 bytes) const {
        if (bytes > budget_ || held_ + numbers_ > budget_ - bytes) throw Stopped{Status::out_of_memory};
    }

    static constexpr u64 kClosed = ~u64{0};

  private:
    Records records_of(std::size_t s) {
        const StepChoices choices(plan_.steps[s], diagram_.parallel);
        return {diagram_.layers[s], records_after(diagram_, s), choices.variants.size()};
    }

    const FrontierDiagram& diagram_;
    Plan plan_;
    u64 budget_;
    Watch& watch_;
    u64 held_, numbers_ = 0; // bytes of the diagram, and of the numbers of a layer's states
    std::vector<u64> first_of_;
};

} // namespace

Status count_uses(const FrontierDiagram& diagram, std::vector<std::uint64_t>& uses, const Limits& limits,
                  Monitor* monitor) {
    Watch watch(limits, monitor);
    return status_of([&] {
        Passage passage(diagram, limits, watch);
        const int limbs = diagram.limbs();
        const auto width = static_cast<std::size_t>(limbs);
        uses.assign(passage.edges() * width, 0);
        for (const int edge : passage.pairs())
            std::copy_n(diagram.count.begin(), width,
                        uses.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(edge) * width));
        // For each state the ways to reach it and the cycles that go on from it.
        std::vector<u64> ways(width, 0), rest = diagram.count, next_ways, next_rest, by_choice, span(width),
                                         before(width);
        ways[0] = 1;
        passage.run(
            [&](const Step&, const StepChoices& choices, u64 states) {
                next_ways = {};
                next_rest = {};
                passage.need((ways.capacity() + rest.capacity() + 2 * states * width) * sizeof(u64));
                next_ways.assign(states * width, 0);
                next_rest.assign(states * width, 0);
                by_choice.assign(choices.variants.size() * width, 0);
            },
            [&](const Records& records, u64 state, u64 record, const Link& link, u64 target) {
                if (link.last)
                    std::copy_n(rest.data() + state * width, width, span.data());
                else
                    records.before(record + 1, span.data(), limbs);
                records.before(record, before.data(), limbs);
                subtract_limbs(span.data(), before.data(), limbs);
                add_product(by_choice.data() + link.choice * width, limbs, ways.data() + state * width, limbs,
                            span.data(), limbs);
                if (target == Passage::kClosed) return;
                add_limbs(next_ways.data() + target * width, ways.data() + state * width, limbs);
                std::copy_n(span.data(), width, next_rest.data() + target * width);
            },
            [&](const Step& step, const StepChoices& choices) {
                for (std::size_t v = 0; v < choices.variants.size(); ++v) {
                    const auto [a, b] = passage.parallel_edges(step, choices.variants[v]);
                    for (const i64 edge : {a, b})
                        if (edge >= 0)
                            add_limbs(uses.data() + static_cast<std::size_t>(edge) * width,
                                      by_choice.data() + v * width, limbs);
                }
                ways.swap(next_ways);
                rest.swap(next_rest);
            });
    });
}

Status tally_weights(const FrontierDiagram& diagram, const std::vector<std::uint8_t>& weights,
                     std::vector<std::uint64_t>& tally, const Limits& limits, Monitor* monitor) {
    Watch watch(limits, monitor);
    Passage passage(diagram, limits, watch);
    if (weights.size() != passage.edges())
        throw std::invalid_argument("there is one weight per parallel edge");
    return status_of([&] {
        const int limbs = diagram.limbs();
        const auto width = static_cast<std::size_t>(limbs);
        // The polynomials of a layer have the coefficients from `low` on, `terms` of them: all that occur.
        struct Layer {
            std::size_t low = 0, terms = 1;
            std::vector<u64> ways;
        } here, next;
        for (const int edge : passage.pairs()) here.low += weights[static_cast<std::size_t>(edge)];
        here.ways.assign(width, 0);
        here.ways[0] = 1;
        tally.assign(width, 0);
        std::vector<std::size_t> added;
        std::size_t most_low = 0, most_high = 0;
        passage.run(
            [&](const Step& step, const StepChoices& choices, u64 states) {
                added.clear();
                for (const Variant& variant : choices.variants) {
                    const auto [a, b] = passage.parallel_edges(step, variant);
                    added.push_back((a < 0 ? 0u : weights[static_cast<std::size_t>(a)]) +
                                    (b < 0 ? 0u : weights[static_cast<std::size_t>(b)]));
                }
                const std::size_t most = *std::max_element(added.begin(), added.end());
                next.low = here.low;
                next.terms = here.terms + most;
                next.ways = {};
                passage.need((here.ways.capacity() + states * next.terms * width) * sizeof(u64));
                next.ways.assign(states * next.terms * width, 0);
                if (tally.size() < (here.low + next.terms) * width)
                    tally.resize((here.low + next.terms) * width, 0);
                most_low = next.terms;
                most_high = 0;
            },
            [&](const Records&, u64 state, u64, const Link& link, u64 target) {
                const u64* from = here.ways.data() + state * here.terms * width;
                const std::size_t shift = added[link.choice];
                u64* to = target == Passage::kClosed
                              ? tally.data() + (here.low + shift) * width
                              : next.ways.data() + (target * next.terms + shift) * width;
                for (std::size_t i = 0; i < here.terms; ++i) {
                    const u64* term = from + i * width;
                    if (is_zero(term, limbs)) continue;
                    add_limbs(to + i * width, term, limbs);
                    if (target == Passage::kClosed) continue;
                    most_low = std::min(most_low, i + shift);
                    most_high = std::max(most_high, i + shift);
                }
            },
            [&](const Step&, const StepChoices&) {
                // Only the terms that occur are kept.
                const std::size_t terms = most_low > most_high ? 1 : most_high - most_low + 1;
                const std::size_t states = next.ways.size() / (next.terms * width);
                if (terms < next.terms && most_low <= most_high)
                    for (std::size_t state = 0; state < states; ++state)
                        std::copy_n(next.ways.begin() +
                                        static_cast<std::ptrdiff_t>((state * next.terms + most_low) * width),
                                    terms * width,
                                    next.ways.begin() + static_cast<std::ptrdiff_t>(state * terms * width));
                next.ways.resize(states * terms * width);
                next.low += most_low > most_high ? 0 : most_low;
                next.terms = terms;
                std::swap(here, next);
            });
        while (!tally.empty() && is_zero(tally.data() + tally.size() - width, limbs))
            tally.resize(tally.size() - width);
    });
}

} // namespace ktsolve
