#include "ktsolve/refutation.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace ktsolve {
namespace {

constexpr std::int32_t kMostVariables = 1 << 30;

// Literal l is number 2 * |l| + (l < 0); clauses lie one after the other, and the first two literals of each
// are watched (Moskewicz et al. 2001).
class Checker {
  public:
    Checker(const Limits& limits, Monitor* monitor) : watch_(limits, monitor) {}

    RefutationReport run(const Refutation& refutation) {
        std::int32_t variables = 0;
        for (const auto* text : {&refutation.clauses, &refutation.lemmas}) {
            if (!text->empty() && text->back() != 0) throw std::invalid_argument("a 0 ends every clause");
            for (const std::int32_t literal : *text) {
                if (literal > kMostVariables || literal < -kMostVariables)
                    throw std::invalid_argument("a literal is too large");
                variables = std::max(variables, std::abs(literal));
            }
        }
        value_.assign(2 * variables + 2, 0);
        watched_.assign(2 * variables + 2, {});
        std::vector<std::uint32_t> clause;
        for (const std::int32_t literal : refutation.clauses)
            if (literal != 0) {
                clause.push_back(number(literal));
            } else {
                add(clause);
                clause.clear();
            }
        for (const std::int32_t literal : refutation.lemmas) {
            if (literal != 0) {
                clause.push_back(number(literal));
                continue;
            }
            report_.status = watch_.poll({report_.checked, 0, 0});
            if (report_.status != Status::done) return report_;
            if (!contradiction_ && !follows(clause)) {
                report_.unfounded = true;
                return report_;
            }
            ++report_.checked;
            report_.refuted = report_.refuted || clause.empty();
            add(clause);
            clause.clear();
        }
        return report_;
    }

  private:
    static std::uint32_t number(std::int32_t literal) {
        return 2 * static_cast<std::uint32_t>(std::abs(literal)) + (literal < 0);
    }

    bool is_true(std::uint32_t literal) const { return value_[literal] > 0; }
    bool is_false(std::uint32_t literal) const { return value_[literal] < 0; }

    void set(std::uint32_t literal) {
        value_[literal] = 1;
        value_[literal ^ 1] = -1;
        trail_.push_back(literal);
    }

    // All literals false: do the clauses contradict that by unit propagation?
    bool follows(const std::vector<std::uint32_t>& clause) {
        const std::size_t before = trail_.size();
        bool found = false;
        for (const std::uint32_t literal : clause) {
            found = found || is_true(literal);
            if (!is_true(literal) && !is_false(literal)) set(literal ^ 1);
        }
        found = found || !propagate(before);
        while (trail_.size() > before) {
            value_[trail_.back()] = value_[trail_.back() ^ 1] = 0;
            trail_.pop_back();
        }
        return found;
    }

    // Adds a clause and what it says at once.
    void add(std::vector<std::uint32_t> clause) {
        if (contradiction_) return;
        std::sort(clause.begin(), clause.end());
        clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
        for (std::size_t i = 0; i + 1 < clause.size(); ++i)
            if ((clause[i] ^ 1) == clause[i + 1]) return; // always true
        // Literals that are not false come first; so the watched ones are false only together.
        std::stable_partition(clause.begin(), clause.end(),
                              [&](std::uint32_t literal) { return !is_false(literal); });
        if (clause.empty() || is_false(clause[0])) {
            contradiction_ = true;
            return;
        }
        if (clause.size() > 1) {
            const std::size_t place = store_.size();
            store_.push_back(static_cast<std::uint32_t>(clause.size()));
            store_.insert(store_.end(), clause.begin(), clause.end());
            watched_[clause[0]].push_back(place);
            watched_[clause[1]].push_back(place);
        }
        if (!is_true(clause[0]) && (clause.size() == 1 || is_false(clause[1]))) {
            const std::size_t before = trail_.size();
            set(clause[0]);
            contradiction_ = !propagate(before);
        }
    }

    // Follows up everything on the trail from there on; false at a contradiction.
    bool propagate(std::size_t next) {
        for (; next < trail_.size(); ++next) {
            const std::uint32_t gone = trail_[next] ^ 1;
            std::vector<std::size_t>& clauses = watched_[gone];
            std::size_t kept = 0;
            for (std::size_t i = 0; i < clauses.size(); ++i) {
                const std::size_t place = clauses[i];
                std::uint32_t* literals = &store_[place + 1];
                const std::uint32_t size = store_[place];
                if (literals[0] == gone) std::swap(literals[0], literals[1]);
                clauses[kept++] = place;
                if (is_true(literals[0])) continue;
                std::uint32_t other = 2;
                while (other < size && is_false(literals[other])) ++other;
                if (other < size) {
                    std::swap(literals[1], literals[other]);
                    watched_[literals[1]].push_back(place);
                    --kept;
                } else if (is_false(literals[0])) {
                    while (++i < clauses.size()) clauses[kept++] = clauses[i];
                    clauses.resize(kept);
                    return false;
                } else {
                    set(literals[0]);
                }
            }
            clauses.resize(kept);
        }
        return true;
    }

    Watch watch_;
    RefutationReport report_;
    bool contradiction_ = false; // of the clauses themselves, by unit propagation
    std::vector<std::int8_t> value_;
    std::vector<std::vector<std::size_t>> watched_;
    std::vector<std::uint32_t> store_;
    std::vector<std::uint32_t> trail_;
};

} // namespace

RefutationReport check_refutation(const Refutation& refutation, const Limits& limits, Monitor* monitor) {
    return Checker(limits, monitor).run(refutation);
}

} // namespace ktsolve
