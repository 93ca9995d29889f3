#include "ktsolve/proof/refutation.hpp"

#include <algorithm>
#include <set>

#include "check.hpp"

using namespace ktsolve;

namespace {

RefutationReport checked(std::vector<std::int32_t> clauses, std::vector<std::int32_t> lemmas) {
    return check_refutation({std::move(clauses), std::move(lemmas)}, {});
}

void small_proofs() {
    const std::vector<std::int32_t> all_four{1, 2, 0, -1, 2, 0, 1, -2, 0, -1, -2, 0};
    CHECK(checked(all_four, {2, 0, 0}).refuted);
    CHECK(checked(all_four, {2, 0}).checked == 1);
    CHECK(!checked(all_four, {2, 0}).refuted); // refuted only when it says so
    CHECK(checked(all_four, {0}).unfounded);
    CHECK(checked({1, 2, 0, -1, 2, 0, 1, -2, 0}, {2, 0, 0}).unfounded);
    CHECK(checked({1, 2, 0, -1, 2, 0, 1, -2, 0}, {2, 0, 1, 0}).checked == 2);
    CHECK(checked({1, 0, -1, 0}, {0}).refuted);
    CHECK(checked({0}, {0}).refuted);
    CHECK(!checked({1, -1, 0}, {0}).refuted);
    CHECK(!checked({}, {}).refuted);
    CHECK_THROWS(checked({1}, {}), std::invalid_argument);
    CHECK_THROWS(checked({INT32_MIN, 0}, {}), std::invalid_argument);
}

// Is there an assignment that satisfies all clauses? By trying all.
bool satisfiable(const std::vector<std::int32_t>& clauses, int variables) {
    for (unsigned assignment = 0; assignment < 1u << variables; ++assignment) {
        bool all = true, some = false;
        for (const std::int32_t literal : clauses)
            if (literal == 0) {
                all = all && some;
                some = false;
            } else {
                some = some || ((assignment >> (std::abs(literal) - 1) & 1) == 1) == (literal > 0);
            }
        if (all) return true;
    }
    return false;
}

// Whatever is offered as a proof: accepted lemmas follow, and nothing that is satisfiable is refuted.
void random_proofs() {
    std::mt19937 random(1);
    constexpr int kVariables = 5;
    int refuted = 0, accepted = 0;
    const auto clause = [&](int size) {
        std::vector<std::int32_t> literals;
        for (int i = 0; i < size; ++i) {
            const int variable = 1 + static_cast<int>(random() % kVariables);
            literals.push_back(random() % 2 == 0 ? variable : -variable);
        }
        literals.push_back(0);
        return literals;
    };
    for (int i = 0; i < 2000; ++i) {
        std::vector<std::int32_t> clauses, lemmas;
        for (int j = 0; j < 10 + i % 20; ++j) {
            const auto more = clause(1 + static_cast<int>(random() % 3));
            clauses.insert(clauses.end(), more.begin(), more.end());
        }
        auto sofar = clauses;
        for (int j = 0; j < 4; ++j) {
            const auto lemma = j < 3 ? clause(static_cast<int>(random() % 3)) : std::vector<std::int32_t>{0};
            lemmas.insert(lemmas.end(), lemma.begin(), lemma.end());
            const RefutationReport report = checked(clauses, lemmas);
            CHECK(report.unfounded == (report.checked == static_cast<std::uint64_t>(j)));
            if (report.unfounded) break;
            // The lemma's negation together with the clauses has no solution.
            auto denied = sofar;
            for (const std::int32_t literal : lemma)
                if (literal != 0) denied.insert(denied.end(), {-literal, 0});
            CHECK(!satisfiable(denied, kVariables));
            ++accepted;
            refuted += report.refuted;
            sofar.insert(sofar.end(), lemma.begin(), lemma.end());
        }
    }
    CHECK(refuted > 50 && accepted > 500);
}

std::vector<std::int32_t> kept(const std::vector<std::int32_t>& clauses,
                               const std::vector<std::uint8_t>& flags) {
    std::vector<std::int32_t> left;
    std::size_t number = 0;
    for (const std::int32_t literal : clauses) {
        if (flags[number] != 0) left.push_back(literal);
        if (literal == 0) ++number;
    }
    return left;
}

// Whether hints derive the lemmas and then the empty clause, each hint a unit and the last of a lemma without
// a literal that may be true.
bool derives(const std::vector<std::int32_t>& clauses, const std::vector<std::int32_t>& lemmas,
             const std::vector<std::int32_t>& hints) {
    std::vector<std::vector<std::int32_t>> all(1), derived(1);
    for (const std::int32_t literal : clauses)
        if (literal != 0)
            all.back().push_back(literal);
        else
            all.emplace_back();
    all.pop_back();
    for (const std::int32_t literal : lemmas)
        if (literal != 0)
            derived.back().push_back(literal);
        else
            derived.emplace_back();
    const auto steps = static_cast<std::size_t>(std::count(hints.begin(), hints.end(), 0));
    derived.resize(steps - 1);
    derived.emplace_back();
    std::size_t next = 0;
    for (const auto& lemma : derived) {
        std::set<std::int32_t> truths;
        for (const std::int32_t literal : lemma) truths.insert(-literal);
        bool conflict = false, tautology = false;
        for (const std::int32_t literal : lemma) tautology = tautology || truths.count(literal) != 0;
        for (; hints[next] != 0; ++next) {
            const auto number = static_cast<std::size_t>(hints[next]);
            if (conflict || number > all.size()) return false;
            std::set<std::int32_t> open;
            for (const std::int32_t literal : all[number - 1])
                if (truths.count(-literal) == 0) open.insert(literal);
            if (open.size() > 1 || (!open.empty() && truths.count(*open.begin()) != 0)) return false;
            conflict = open.empty();
            truths.insert(open.begin(), open.end());
        }
        ++next;
        if (!conflict && !tautology) return false;
        all.push_back(lemma);
    }
    return next == hints.size();
}

void trimmed_proofs() {
    const std::vector<std::int32_t> clauses{1, 2, 0, 5, 6, 0, -1, 2, 0, 1, -2, 0, -1, -2, 0};
    const Trimmed small = trim_refutation({clauses, {5, 6, 7, 0, 2, 0, 0}}, {});
    CHECK((small.clauses == std::vector<std::uint8_t>{1, 0, 1, 1, 1}));
    CHECK((small.lemmas == std::vector<std::uint8_t>{0, 1, 0}));
    CHECK(trim_refutation({clauses, {2, 0}}, {}).clauses.empty()); // no refutation
    CHECK(trim_refutation({{0}, {0}}, {}).clauses == std::vector<std::uint8_t>{1});

    // Lemmas taken at random if they follow: what is left without those not needed is a refutation.
    std::mt19937 random(2);
    constexpr int kVariables = 7;
    int shorter = 0, whole = 0;
    for (int i = 0; i < 1500; ++i) {
        const auto clause = [&](int size) {
            std::vector<std::int32_t> literals;
            for (int j = 0; j < size; ++j) {
                const int variable = 1 + static_cast<int>(random() % kVariables);
                literals.push_back(random() % 2 == 0 ? variable : -variable);
            }
            literals.push_back(0);
            return literals;
        };
        std::vector<std::int32_t> given, lemmas;
        for (int j = 0; j < 30; ++j) {
            const auto more = clause(2 + static_cast<int>(random() % 2));
            given.insert(given.end(), more.begin(), more.end());
        }
        for (int j = 0; j < 40; ++j) {
            auto longer = lemmas;
            const auto more =
                j < 39 ? clause(1 + static_cast<int>(random() % 2)) : std::vector<std::int32_t>{0};
            longer.insert(longer.end(), more.begin(), more.end());
            if (!checked(given, longer).unfounded) lemmas = longer;
        }
        const Hints found = find_hints({given, lemmas}, {});
        CHECK(found.report.refuted ? derives(given, lemmas, found.hints) : found.hints.empty());
        const Trimmed trimmed = trim_refutation({given, lemmas}, {});
        CHECK(trimmed.report.refuted == checked(given, lemmas).refuted);
        if (!trimmed.report.refuted) continue;
        auto needed = kept(lemmas, trimmed.lemmas);
        shorter += needed.size() + 1 < lemmas.size();
        whole += !needed.empty();
        needed.push_back(0);
        CHECK(checked(kept(given, trimmed.clauses), needed).refuted);
    }
    CHECK(shorter > 100 && whole > 50);
}

} // namespace

int main() {
    small_proofs();
    random_proofs();
    trimmed_proofs();
    return finish("refutation");
}
