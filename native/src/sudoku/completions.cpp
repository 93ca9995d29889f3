// Counts the grids below a band with given column sets.
#include "sudoku/completions.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "common/integers.hpp"

namespace ktsolve::sudoku {
namespace {

constexpr std::size_t kMostPartitions = 4096;
constexpr std::size_t kMostLooked = std::size_t{1} << 24;

std::uint64_t packed(const ColumnSets& sets, int digits) {
    std::uint64_t key = 0;
    for (const std::uint32_t set : sets) key = key << digits | set;
    return key;
}

// Calls `visit` with every choice to take `size` elements out of each set, disjoint from each other.
template <class Visit>
void choose(const ColumnSets& from, int size, std::size_t column, std::uint32_t used, ColumnSets& chosen,
            Visit&& visit) {
    if (column == from.size()) {
        visit();
        return;
    }
    const std::uint32_t free = from[column] & ~used;
    for (std::uint32_t set = free;; set = (set - 1) & free) {
        if (std::popcount(set) == size) {
            chosen[column] = set;
            choose(from, size, column + 1, used | set, chosen, visit);
        }
        if (set == 0) break;
    }
}

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    if (multiply_overflows(a, b, &a)) throw std::overflow_error("more completions than 64 bits can count");
    return a;
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
    if (add_overflows(a, b, &a)) throw std::overflow_error("more completions than 64 bits can count");
    return a;
}

} // namespace

Completer::Completer(const Shape& shape, const Tables& tables, const std::vector<std::uint64_t>& bands,
                     StepCounter& counter)
    : shape_(shape), counter_(counter) {
    if (shape.rows > 3 || shape.columns * shape.side() > 64)
        throw std::invalid_argument("three bands are counted below one another with up to 3 rows each");
    number_partitions();
    std::size_t looked = 1;
    for (int box = 1; box < shape.rows; ++box) looked *= partitions_.size();
    if (looked > kMostLooked) throw std::invalid_argument("a box splits the digits in too many choices");
    fill_renamed();
    bands_.resize(looked);
    fill_bands(tables, bands);
}

// All choices to split the digits into C sets of R, the set with the least digit first.
void Completer::number_partitions() {
    ColumnSets sets(static_cast<std::size_t>(shape_.columns));
    const std::uint32_t all = (std::uint32_t{1} << shape_.side()) - 1;
    const auto list = [&](auto&& self, std::size_t column, std::uint32_t used) -> void {
        if (column == sets.size()) {
            if (partitions_.size() >= kMostPartitions)
                throw std::invalid_argument("a box splits the digits in too many choices");
            number_.emplace(packed(sets, shape_.side()), static_cast<std::uint32_t>(partitions_.size()));
            partitions_.push_back(sets);
            return;
        }
        const std::uint32_t free = all & ~used, least = free & -free, others = free ^ least;
        for (std::uint32_t rest = others;; rest = (rest - 1) & others) {
            if (std::popcount(rest) == shape_.rows - 1) {
                sets[column] = rest | least;
                self(self, column + 1, used | rest | least);
            }
            if (rest == 0) break;
        }
    };
    list(list, 0, 0);
}

std::uint32_t Completer::number_of(ColumnSets sets) const {
    std::sort(sets.begin(), sets.end(), [](auto a, auto b) { return (a & -a) < (b & -b); });
    return number_.at(packed(sets, shape_.side()));
}

void Completer::fill_renamed() {
    const std::size_t count = partitions_.size();
    renamed_.resize(count * count);
    std::vector<std::uint32_t> name(static_cast<std::size_t>(shape_.side()));
    for (std::size_t p = 0; p < count; ++p) {
        for (std::size_t column = 0; column < partitions_[p].size(); ++column) {
            std::uint32_t to = partitions_[0][column];
            for (std::uint32_t from = partitions_[p][column]; from != 0; from &= from - 1, to &= to - 1)
                name[static_cast<std::size_t>(std::countr_zero(from))] = to & -to;
        }
        for (std::size_t q = 0; q < count; ++q) {
            counter_.tick();
            ColumnSets image = partitions_[q];
            for (auto& set : image) {
                std::uint32_t renamed = 0;
                for (; set != 0; set &= set - 1)
                    renamed |= name[static_cast<std::size_t>(std::countr_zero(set))];
                set = renamed;
            }
            renamed_[p * count + q] = static_cast<std::uint16_t>(number_of(std::move(image)));
        }
    }
}

void Completer::fill_bands(const Tables& tables, const std::vector<std::uint64_t>& bands) {
    const std::size_t count = partitions_.size();
    for (std::size_t at = 0; at < bands_.size(); ++at) {
        counter_.tick();
        std::size_t rest = at;
        std::vector<std::size_t> which(static_cast<std::size_t>(shape_.rows));
        for (std::size_t box = which.size() - 1; box >= 1; --box, rest /= count) which[box] = rest % count;
        ColumnSets sets;
        for (const std::size_t partition : which)
            sets.insert(sets.end(), partitions_[partition].begin(), partitions_[partition].end());
        const std::uint64_t found = bands[tables.class_of(sets)];
        if (found >> 32 != 0) throw std::overflow_error("more bands with the same column sets than expected");
        bands_[at] = static_cast<std::uint32_t>(found);
    }
}

std::uint32_t Completer::bands_of(const std::uint32_t* partitions) const {
    const std::size_t count = partitions_.size();
    std::size_t at = 0;
    for (int box = 1; box < shape_.rows; ++box)
        at = at * count + renamed_[partitions[0] * count + partitions[box]];
    return bands_[at];
}

const Completer::Choices& Completer::choices(const ColumnSets& left, int bands) {
    const auto [entry, fresh] = choices_.try_emplace(packed(left, shape_.side()));
    Choices& found = entry->second;
    if (!fresh) return found;
    ColumnSets chosen(left.size());
    choose(left, shape_.rows, 0, 0, chosen, [&] {
        counter_.tick();
        ColumnSets rest = left;
        for (std::size_t column = 0; column < rest.size(); ++column) rest[column] ^= chosen[column];
        const std::uint32_t last = bands == 2 ? number_of(rest) : 0;
        found.push_back({number_of(chosen), last, std::move(rest)});
    });
    return found;
}

// What each column still needs below a band, by stacks.
Completer::Stacks Completer::needed_below(const ColumnSets& sets) const {
    const std::uint32_t all = (std::uint32_t{1} << shape_.side()) - 1;
    Stacks stacks(static_cast<std::size_t>(shape_.rows));
    for (std::size_t column = 0; column < sets.size(); ++column)
        stacks[column / static_cast<std::size_t>(shape_.columns)].push_back(all & ~sets[column]);
    return stacks;
}

std::uint64_t Completer::operator()(const ColumnSets& sets) {
    return below(needed_below(sets), shape_.columns - 1);
}

template <class Skip, class Visit>
void Completer::choose_all(const std::vector<const Choices*>& stacks, Skip&& skip, Visit&& visit) {
    std::vector<const Choice*> chosen(stacks.size());
    const auto combine = [&](auto&& self, std::size_t box) -> bool {
        if (box == stacks.size()) {
            counter_.tick();
            return visit(chosen);
        }
        for (const Choice& choice : *stacks[box]) {
            chosen[box] = &choice;
            if (box + 2 == stacks.size() && skip(chosen)) continue;
            if (self(self, box + 1)) return true;
        }
        return false;
    };
    combine(combine, 0);
}

template <class Skip, class Visit>
void Completer::next_bands(const Stacks& stacks, int bands, Skip&& skip, Visit&& visit) {
    std::vector<const Choices*> of_stacks;
    for (const auto& left : stacks) of_stacks.push_back(&choices(left, bands));
    Stacks rest(stacks.size());
    std::array<std::uint32_t, 3> next{}, last{};
    RenamedChoices inner;
    const auto skip_all = [&](const std::vector<const Choice*>& chosen) {
        if (bands > 2) return false;
        if (chosen[0] != inner.first) rename(*of_stacks.back(), *chosen[0], inner);
        return skip(chosen, two_bands(inner, stacks.size() == 3 ? chosen[1] : nullptr));
    };
    choose_all(of_stacks, skip_all, [&](const std::vector<const Choice*>& chosen) {
        for (std::size_t box = 0; box < chosen.size(); ++box) {
            next[box] = chosen[box]->partition;
            last[box] = chosen[box]->last;
        }
        if (bands > 2)
            for (std::size_t box = 0; box < chosen.size(); ++box) rest[box] = chosen[box]->left;
        const std::uint64_t orders = bands_of(next.data()),
                            each = bands > 2 ? below(rest, bands - 1) : bands_of(last.data());
        return visit(chosen, orders, each);
    });
}

// Grids in the given number of bands; `stacks` holds what each column still needs.
std::uint64_t Completer::below(const Stacks& stacks, int bands) {
    if (bands == 0) return 1;
    if (bands == 1) {
        std::array<std::uint32_t, 3> partitions{};
        for (std::size_t box = 0; box < stacks.size(); ++box) partitions[box] = number_of(stacks[box]);
        return bands_of(partitions.data());
    }
    if (bands == 2) {
        std::vector<const Choices*> of_stacks;
        for (const auto& left : stacks) of_stacks.push_back(&choices(left, bands));
        return two_bands(of_stacks);
    }
    std::uint64_t total = 0;
    const auto skip = [](const auto&, std::uint64_t) { return false; };
    next_bands(stacks, bands, skip, [&](const auto&, std::uint64_t orders, std::uint64_t each) {
        total = plus(total, times(orders, each));
        return false;
    });
    return total;
}

std::vector<Completer::Below> Completer::unrank(const ColumnSets& sets, std::uint64_t number) {
    std::vector<Below> found;
    Stacks stacks = needed_below(sets);
    for (int bands = shape_.columns - 1; bands >= 2; --bands) {
        Stacks rest(stacks.size());
        const auto skip = [&](const auto&, std::uint64_t grids) {
            if (number < grids) return false;
            number -= grids;
            return true;
        };
        next_bands(stacks, bands, skip, [&](const auto& chosen, std::uint64_t orders, std::uint64_t each) {
            if (number >= orders * each) { // no overflow: it is a summand of the count
                number -= orders * each;
                return false;
            }
            for (std::size_t box = 0; box < chosen.size(); ++box) rest[box] = chosen[box]->left;
            found.push_back({{}, number / each});
            number %= each;
            return true;
        });
        for (std::size_t box = 0; box < stacks.size(); ++box)
            for (std::size_t column = 0; column < stacks[box].size(); ++column)
                found.back().sets.push_back(stacks[box][column] ^ rest[box][column]);
        stacks = std::move(rest);
    }
    found.push_back({{}, number});
    for (const auto& left : stacks)
        found.back().sets.insert(found.back().sets.end(), left.begin(), left.end());
    return found;
}

std::uint64_t Completer::rank(const ColumnSets& sets, const std::vector<Below>& given) {
    std::uint64_t number = 0;
    Stacks stacks = needed_below(sets);
    for (int bands = shape_.columns - 1; bands >= 2; --bands) {
        const Below& next = given[given.size() - static_cast<std::size_t>(bands)];
        Stacks rest = stacks;
        for (std::size_t column = 0; column < next.sets.size(); ++column) {
            const auto width = static_cast<std::size_t>(shape_.columns);
            rest[column / width][column % width] ^= next.sets[column];
        }
        const auto skip = [&](const auto& chosen, std::uint64_t grids) {
            for (std::size_t box = 0; box + 1 < chosen.size(); ++box) {
                if (chosen[box]->left == rest[box]) continue;
                number += grids;
                return true;
            }
            return false;
        };
        next_bands(stacks, bands, skip, [&](const auto& chosen, std::uint64_t orders, std::uint64_t each) {
            for (std::size_t box = 0; box < chosen.size(); ++box) {
                if (chosen[box]->left == rest[box]) continue;
                number += orders * each;
                return false;
            }
            number += next.order * each;
            return true;
        });
        stacks = std::move(rest);
    }
    return number + given.back().order;
}

void Completer::rename(const Choices& choices, const Choice& first, RenamedChoices& renamed) const {
    const std::size_t count = partitions_.size();
    renamed.first = &first;
    renamed.next.resize(choices.size());
    renamed.last.resize(choices.size());
    const std::uint16_t* by_next = renamed_.data() + first.partition * count;
    const std::uint16_t* by_last = renamed_.data() + first.last * count;
    for (std::size_t k = 0; k < choices.size(); ++k) {
        renamed.next[k] = by_next[choices[k].partition];
        renamed.last[k] = by_last[choices[k].last];
    }
}

std::uint64_t Completer::two_bands(const RenamedChoices& inner, const Choice* second) {
    const std::size_t count = partitions_.size();
    std::uint64_t sum = 0;
    counter_.tick(inner.next.size());
    if (second == nullptr) {
        for (std::size_t k = 0; k < inner.next.size(); ++k)
            sum = plus(sum, std::uint64_t{bands_[inner.next[k]]} * bands_[inner.last[k]]);
        return sum;
    }
    const Choice& first = *inner.first;
    const std::uint32_t* next_bands =
        bands_.data() + renamed_[first.partition * count + second->partition] * count;
    const std::uint32_t* last_bands = bands_.data() + renamed_[first.last * count + second->last] * count;
    // at most 56 products of two 32-bit numbers that are far below 2^29
    for (std::size_t k = 0; k < inner.next.size(); ++k)
        sum += std::uint64_t{next_bands[inner.next[k]]} * last_bands[inner.last[k]];
    return sum;
}

std::uint64_t Completer::two_bands(const std::vector<const Choices*>& stacks) {
    std::uint64_t total = 0;
    if (stacks.size() == 1) {
        counter_.tick(stacks[0]->size());
        return stacks[0]->size();
    }
    RenamedChoices inner;
    for (const Choice& first : *stacks[0]) {
        rename(*stacks.back(), first, inner);
        if (stacks.size() == 2) {
            total = plus(total, two_bands(inner, nullptr));
            continue;
        }
        for (const Choice& second : *stacks[1]) total = plus(total, two_bands(inner, &second));
    }
    return total;
}

} // namespace ktsolve::sudoku
