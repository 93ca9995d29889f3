// Checks the lemmas of a DRUP proof by unit propagation, and drops those that are not needed.
#include "ktsolve/proof/refutation.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "common/stopped.hpp"

namespace ktsolve {
namespace {

constexpr std::int32_t kMostVariables = 1 << 30;

// Literal l is number 2 * |l| + (l < 0). Clauses lie one after the other, each as its size, its number and
// its literals, and the first two literals are watched (Moskewicz et al. 2001).
class Checker {
  public:
    // With `tracing` the clauses from which each lemma follows are recorded.
    Checker(const Limits& limits, Monitor* monitor, bool tracing)
        : watch_(limits, monitor), bytes_(limits.bytes), tracing_(tracing) {}

    RefutationReport run(const Refutation& refutation) {
        report_.status = status_of([&] { check(refutation); });
        return report_;
    }

    // The clauses and lemmas, counted from 0, that the recorded derivation of the contradiction uses.
    std::vector<char> needed() const {
        std::vector<char> marked(numbered_, 0);
        for (const std::uint32_t cause : last_causes_) marked[cause] = 1;
        for (std::size_t lemma = first_cause_.size(); lemma-- > 0;) {
            if (!marked[given_ + lemma]) continue;
            const std::size_t end =
                lemma + 1 < first_cause_.size() ? first_cause_[lemma + 1] : causes_.size();
            for (std::size_t i = first_cause_[lemma]; i < end; ++i) marked[causes_[i]] = 1;
        }
        return marked;
    }

    // The recorded causes, numbered from 1: of each lemma, and of the contradiction, with a 0 after each.
    std::vector<std::int32_t> hints() const {
        std::vector<std::int32_t> found;
        found.reserve(causes_.size() + last_causes_.size() + first_cause_.size() + 1);
        const auto append = [&](const std::uint32_t* begin, const std::uint32_t* end) {
            for (; begin != end; ++begin) found.push_back(static_cast<std::int32_t>(*begin) + 1);
            found.push_back(0);
        };
        for (std::size_t lemma = 0; lemma < first_cause_.size(); ++lemma) {
            const bool last = lemma + 1 == first_cause_.size();
            append(causes_.data() + first_cause_[lemma],
                   causes_.data() + (last ? causes_.size() : first_cause_[lemma + 1]));
        }
        append(last_causes_.data(), last_causes_.data() + last_causes_.size());
        return found;
    }

  private:
    static constexpr std::size_t kNone = ~std::size_t{0};

    void check(const Refutation& refutation) {
        std::size_t variables = 0, literals = 0;
        for (const auto* text : {&refutation.clauses, &refutation.lemmas}) {
            if (!text->empty() && text->back() != 0) throw std::invalid_argument("a 0 ends every clause");
            for (const std::int32_t literal : *text) {
                if (literal > kMostVariables || literal < -kMostVariables)
                    throw std::invalid_argument("a literal is too large");
                variables = std::max(variables, static_cast<std::size_t>(std::abs(literal)));
                literals += literal != 0;
            }
        }
        if (variables > literals) variables = name_all(refutation); // no memory for a large number alone
        hold(variables * (2 + 2 * sizeof(watched_[0]) + sizeof(std::size_t) + sizeof(std::uint64_t)));
        value_.assign(2 * variables + 2, 0);
        reason_.assign(variables + 1, kNone);
        if (tracing_) step_.assign(variables + 1, 0);
        requested_.assign(variables + 1, 0);
        watched_.assign(2 * variables + 2, {});
        std::vector<std::uint32_t> clause;
        for (const std::int32_t literal : refutation.clauses)
            if (literal != 0) {
                clause.push_back(number(literal));
            } else {
                if (numbered_ % 1024 == 0) poll_or_throw(watch_, {});
                add(clause);
                clause.clear();
            }
        given_ = numbered_;
        for (const std::int32_t literal : refutation.lemmas) {
            if (literal != 0) {
                clause.push_back(number(literal));
                continue;
            }
            poll_or_throw(watch_, {report_.checked, 0, 0});
            if (!contradiction_ && !follows(clause)) {
                report_.unfounded = true;
                return;
            }
            ++report_.checked;
            report_.refuted = report_.refuted || clause.empty();
            add(clause);
            clause.clear();
        }
    }

    std::uint32_t number(std::int32_t literal) const {
        auto variable = static_cast<std::uint32_t>(std::abs(literal));
        if (!names_.empty())
            variable = static_cast<std::uint32_t>(
                1 + (std::lower_bound(names_.begin(), names_.end(), variable) - names_.begin()));
        return 2 * variable + (literal < 0);
    }

    // Numbers the variables that occur; returns how many do.
    std::size_t name_all(const Refutation& refutation) {
        for (const auto* text : {&refutation.clauses, &refutation.lemmas})
            for (const std::int32_t literal : *text)
                if (literal != 0) names_.push_back(static_cast<std::uint32_t>(std::abs(literal)));
        std::sort(names_.begin(), names_.end());
        names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
        return names_.size();
    }

    // Counts memory that is kept until the end.
    void hold(std::size_t bytes) {
        held_ += bytes;
        if (held_ > bytes_) throw Stopped{Status::out_of_memory};
    }

    bool is_true(std::uint32_t literal) const { return value_[literal] > 0; }
    bool is_false(std::uint32_t literal) const { return value_[literal] < 0; }

    void set(std::uint32_t literal, std::size_t reason) {
        value_[literal] = 1;
        value_[literal ^ 1] = -1;
        reason_[literal / 2] = reason;
        if (tracing_) step_[literal / 2] = static_cast<std::uint32_t>(trail_.size());
        trail_.push_back(literal);
    }

    // Appends the numbers of the clauses that give a literal its value, in the order in which they became
    // units, where the literals of `assumed` are false.
    void add_causes_of_literal(std::uint32_t literal, const std::vector<std::uint32_t>& assumed,
                               std::vector<std::uint32_t>& causes) {
        begin_causes(assumed);
        requested_[literal / 2] = 0;
        request(literal);
        resolve(causes);
    }
    // The same for all literals of a clause, which are false, and that clause.
    void add_causes_of_clause(std::size_t place, const std::vector<std::uint32_t>& assumed,
                              std::vector<std::uint32_t>& causes) {
        begin_causes(assumed);
        request_all(place);
        resolve(causes);
        causes.push_back(store_[place + 1]);
    }
    void begin_causes(const std::vector<std::uint32_t>& assumed) {
        ++round_;
        for (const std::uint32_t literal : assumed) requested_[literal / 2] = round_;
    }
    void request(std::uint32_t literal) {
        if (requested_[literal / 2] == round_) return;
        requested_[literal / 2] = round_;
        open_.push_back(literal / 2);
    }
    void request_all(std::size_t place) {
        for (std::uint32_t i = 0; i < store_[place]; ++i) request(store_[place + 2 + i]);
    }
    void resolve(std::vector<std::uint32_t>& causes) {
        units_.clear();
        while (!open_.empty()) {
            const std::uint32_t variable = open_.back();
            const std::size_t reason = reason_[variable];
            open_.pop_back();
            if (reason == kNone) continue;
            units_.emplace_back(step_[variable], store_[reason + 1]);
            request_all(reason);
        }
        std::sort(units_.begin(), units_.end());
        for (const auto& [step, clause] : units_) causes.push_back(clause);
    }

    // Whether unit propagation comes to a contradiction when all literals are false.
    bool follows(const std::vector<std::uint32_t>& clause) {
        const std::size_t before = trail_.size();
        const std::size_t causes = causes_.size();
        if (tracing_) first_cause_.push_back(causes);
        bool found = false;
        std::uint32_t first = 0; // of the true literals the one that became true first
        for (const std::uint32_t literal : clause) {
            if (is_true(literal)) {
                if (tracing_ && (!found || step_[literal / 2] < step_[first / 2])) first = literal;
                found = true;
            } else if (!is_false(literal)) {
                set(literal ^ 1, kNone);
            }
        }
        if (found) {
            if (tracing_) add_causes_of_literal(first, clause, causes_);
        } else {
            const std::size_t conflict = propagate(before);
            found = conflict != kNone;
            if (tracing_ && found) add_causes_of_clause(conflict, clause, causes_);
        }
        if (tracing_) hold((causes_.size() - causes) * sizeof(causes_[0]) + sizeof(std::size_t));
        while (trail_.size() > before) {
            value_[trail_.back()] = value_[trail_.back() ^ 1] = 0;
            trail_.pop_back();
        }
        return found;
    }

    // Adds a clause and propagates it if it is a unit.
    void add(std::vector<std::uint32_t> clause) {
        const std::uint32_t own_number = numbered_++;
        if (contradiction_) return;
        std::sort(clause.begin(), clause.end());
        clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
        for (std::size_t i = 0; i + 1 < clause.size(); ++i)
            if ((clause[i] ^ 1) == clause[i + 1]) return; // always true
        // Literals that are not false come first; so the watched ones are false only together.
        std::stable_partition(clause.begin(), clause.end(),
                              [&](std::uint32_t literal) { return !is_false(literal); });
        hold((clause.size() + 2) * sizeof(store_[0]) + 2 * sizeof(std::size_t));
        const std::size_t place = store_.size();
        store_.push_back(static_cast<std::uint32_t>(clause.size()));
        store_.push_back(own_number);
        store_.insert(store_.end(), clause.begin(), clause.end());
        if (clause.size() > 1) {
            watched_[clause[0]].push_back(place);
            watched_[clause[1]].push_back(place);
        }
        std::size_t conflict = kNone;
        if (clause.empty() || is_false(clause[0])) {
            conflict = place;
        } else if (!is_true(clause[0]) && (clause.size() == 1 || is_false(clause[1]))) {
            const std::size_t before = trail_.size();
            set(clause[0], place);
            conflict = propagate(before);
        }
        contradiction_ = conflict != kNone;
        if (contradiction_ && tracing_) add_causes_of_clause(conflict, {}, last_causes_);
    }

    // Propagates the literals on the trail from `next` on; returns a clause all of whose literals are false.
    std::size_t propagate(std::size_t next) {
        for (; next < trail_.size(); ++next) {
            if ((++propagated_ & 0x3fff) == 0) poll_or_throw(watch_, {report_.checked, 0, 0});
            const std::uint32_t gone = trail_[next] ^ 1;
            std::vector<std::size_t>& clauses = watched_[gone];
            std::size_t kept = 0;
            for (std::size_t i = 0; i < clauses.size(); ++i) {
                const std::size_t place = clauses[i];
                std::uint32_t* literals = &store_[place + 2];
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
                    return place;
                } else {
                    set(literals[0], place);
                }
            }
            clauses.resize(kept);
        }
        return kNone;
    }

    Watch watch_;
    std::uint64_t bytes_, held_ = 0, propagated_ = 0;
    RefutationReport report_;
    std::vector<std::uint32_t>
        names_;                  // of the variables in order, unless they are numbered without large gaps
    bool contradiction_ = false; // of the clauses themselves, by unit propagation
    std::vector<std::int8_t> value_;
    std::vector<std::vector<std::size_t>> watched_;
    std::vector<std::uint32_t> store_;
    std::vector<std::uint32_t> trail_;

    // Causes. A reason is the place of the clause that gave a variable its value, a step the length of the
    // trail before.
    bool tracing_;
    std::uint32_t numbered_ = 0, given_ = 0; // clauses and lemmas; of these, clauses
    std::vector<std::size_t> reason_;
    std::vector<std::uint32_t> step_;
    std::vector<std::uint32_t> causes_; // of all lemmas, one after the other
    std::vector<std::size_t> first_cause_;
    std::vector<std::uint32_t> last_causes_; // of the contradiction
    std::vector<std::uint64_t> requested_;
    std::vector<std::uint32_t> open_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> units_; // steps and clauses
    std::uint64_t round_ = 0;
};

std::size_t number_of(const std::vector<std::int32_t>& clauses) {
    return static_cast<std::size_t>(std::count(clauses.begin(), clauses.end(), 0));
}

} // namespace

RefutationReport check_refutation(const Refutation& refutation, const Limits& limits, Monitor* monitor) {
    return Checker(limits, monitor, false).run(refutation);
}

Trimmed trim_refutation(const Refutation& refutation, const Limits& limits, Monitor* monitor) {
    Checker checker(limits, monitor, true);
    Trimmed trimmed{checker.run(refutation), {}, {}};
    if (!trimmed.report.refuted) return trimmed;
    const std::vector<char> needed = checker.needed();
    const auto clauses = needed.begin() + static_cast<std::ptrdiff_t>(number_of(refutation.clauses));
    trimmed.clauses.assign(needed.begin(), clauses);
    trimmed.lemmas.assign(clauses, needed.end());
    return trimmed;
}

Hints find_hints(const Refutation& refutation, const Limits& limits, Monitor* monitor) {
    Checker checker(limits, monitor, true);
    Hints found{checker.run(refutation), {}};
    if (found.report.refuted) found.hints = checker.hints();
    return found;
}

} // namespace ktsolve
