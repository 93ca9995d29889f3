// Grids invariant under a permutation of the cells, up to the names of digits.
//
// A grid without names is a set of N *templates*, the places of one digit: 46656 are possible for 3x3. A
// permutation that keeps the rules carries templates to templates, and leaves a grid as it is if it permutes
// the grid's templates: the grid consists of whole orbits of templates. So the invariant grids are the exact
// covers of the cells by orbits whose templates are disjoint. After Russell & Jarvis (2006), who counted the
// grids of each class of permutations; the covers by orbits are ours. Symmetries that commute with the
// permutation map orbits to orbits.
#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

#include "common/integers.hpp"
#include "common/step_counter.hpp"
#include "ktsolve/sudoku/sudoku.hpp"

namespace ktsolve::sudoku {
namespace {

constexpr std::size_t kMostTemplates = 2'000'000;

// A set of up to 128 cells.
struct Cells {
    std::uint64_t low = 0, high = 0;

    bool operator==(const Cells&) const = default;
    Cells operator|(const Cells& other) const { return {low | other.low, high | other.high}; }
    bool meets(const Cells& other) const { return ((low & other.low) | (high & other.high)) != 0; }
    void add(int cell) { (cell < 64 ? low : high) |= std::uint64_t{1} << (cell & 63); }
    bool has(int cell) const { return ((cell < 64 ? low : high) >> (cell & 63) & 1) != 0; }
    int size() const { return std::popcount(low) + std::popcount(high); }
    bool empty() const { return (low | high) == 0; }
    void drop_least() { (low != 0 ? low : high) &= (low != 0 ? low : high) - 1; }
    int least() const { return low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high); }
    Cells without(const Cells& other) const { return {low & ~other.low, high & ~other.high}; }
    Cells both(const Cells& other) const { return {low & other.low, high & other.high}; }
    Cells image(const std::vector<int>& images) const {
        Cells moved;
        for (Cells left = *this; !left.empty(); left.drop_least())
            moved.add(images[static_cast<std::size_t>(left.least())]);
        return moved;
    }
};

struct Hash {
    std::size_t operator()(const Cells& cells) const {
        std::uint64_t h = (cells.low ^ (cells.high * 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd;
        return static_cast<std::size_t>(h ^ (h >> 32));
    }
};

// Appends the places that a digit may have in a grid.
void list_templates(const Shape& shape, int row, std::uint32_t columns, std::uint32_t stacks, Cells cells,
                    std::vector<Cells>& all) {
    if (row == shape.side()) {
        if (all.size() >= kMostTemplates) throw std::invalid_argument("a digit has too many places");
        all.push_back(cells);
        return;
    }
    if (row % shape.rows == 0) stacks = 0;
    for (int column = 0; column < shape.side(); ++column) {
        const std::uint32_t bit = 1u << column, stack = 1u << (column / shape.columns);
        if ((columns & bit) != 0 || (stacks & stack) != 0) continue;
        Cells more = cells;
        more.add(row * shape.side() + column);
        list_templates(shape, row + 1, columns | bit, stacks | stack, more, all);
    }
}

using Numbers = std::unordered_map<Cells, std::uint32_t, Hash>;

// The number of each set of cells, the first if it comes again.
Numbers numbers_of(const std::vector<Cells>& all) {
    Numbers number;
    number.reserve(all.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) number.emplace(all[i], i);
    return number;
}

// Counts exact covers. The pieces are in the order of their least cells: those that can cover the least cell
// left come first, since all smaller cells are covered. Looking up in a table whether all that is left is one
// piece, instead of listing the pieces left once more, takes as long.
class Covers {
  public:
    Covers(int cells, std::vector<Cells> pieces, StepCounter& counter) : counter_(counter) {
        for (int cell = 0; cell < cells; ++cell) whole_.add(cell);
        std::sort(pieces.begin(), pieces.end(),
                  [](const Cells& a, const Cells& b) { return a.least() < b.least(); });
        lists_.push_back(std::move(pieces));
    }

    // The covers that a piece belongs to.
    std::uint64_t count_with(const Cells& piece) {
        const Cells rest = whole_.without(piece);
        return rest.empty() ? 1 : count(rest, 1, keep_without(piece, 0, 0, lists_[0].size()));
    }

  private:
    // Copies to the next depth the pieces of numbers `from` to `number` that do not meet another; how many.
    // Whether a piece is kept is hardly predictable: all are written, and those kept are counted.
    std::size_t keep_without(const Cells& piece, std::size_t depth, std::size_t from, std::size_t number) {
        if (lists_.size() == depth + 1) lists_.emplace_back();
        if (lists_[depth + 1].size() < number) lists_[depth + 1].resize(number);
        const Cells* const pieces = lists_[depth].data();
        Cells* const others = lists_[depth + 1].data();
        std::size_t kept = 0;
        for (std::size_t j = from; j < number; ++j) {
            others[kept] = pieces[j];
            kept += pieces[j].meets(piece) ? 0 : 1;
        }
        counter_.tick(1 + (number - from) / 16);
        return kept;
    }

    // The covers of the cells left by the first `number` pieces of the list of that depth.
    std::uint64_t count(const Cells& left, std::size_t depth, std::size_t number) {
        const int cell = left.least();
        std::size_t beyond = 0;
        while (beyond < number && lists_[depth][beyond].has(cell)) ++beyond;
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < beyond; ++i) {
            const Cells piece = lists_[depth][i], rest = left.without(piece);
            if (rest.empty()) {
                ++found;
                continue;
            }
            const std::size_t kept = keep_without(piece, depth, beyond, number);
            if (kept > 0) found += count(rest, depth + 1, kept);
        }
        return found;
    }

    StepCounter& counter_;
    Cells whole_;
    std::vector<std::vector<Cells>> lists_; // by depth, made once
};

// Sets of numbers that are joined one after the other.
class Partition {
  public:
    explicit Partition(std::size_t size) : above_(size) { std::iota(above_.begin(), above_.end(), 0u); }
    std::size_t operator[](std::size_t i) {
        while (above_[i] != i) i = above_[i] = above_[above_[i]];
        return i;
    }
    // The least of a set stands for it.
    void join(std::size_t a, std::size_t b) {
        a = (*this)[a], b = (*this)[b];
        above_[std::max(a, b)] = static_cast<std::uint32_t>(std::min(a, b));
    }

  private:
    std::vector<std::uint32_t> above_;
};

void check_permutation(const std::vector<int>& images, int cells) {
    std::vector<int> sorted = images;
    std::sort(sorted.begin(), sorted.end());
    std::vector<int> all(static_cast<std::size_t>(cells));
    std::iota(all.begin(), all.end(), 0);
    if (sorted != all) throw std::invalid_argument("no permutation of the cells");
}

// All covers, where symmetries map the pieces to each other. Of each class of pieces the covers of one are
// counted. A cover has each cell of a set once, so the sum of (cells of a piece in the set) x (covers that
// the piece belongs to) is the number of cells of the set times that of the covers. The set is a class of
// cells, the one that the fewest classes of pieces meet.
std::uint64_t count_covers(int cells, const std::vector<Cells>& pieces,
                           const std::vector<std::vector<int>>& symmetries, StepCounter& counter) {
    const Numbers number = numbers_of(pieces);
    Partition cell_classes(static_cast<std::size_t>(cells)), classes(pieces.size());
    std::vector<std::uint32_t> alike(pieces.size()); // pieces with the same cells, at the first of them
    for (std::uint32_t i = 0; i < pieces.size(); ++i) {
        const std::uint32_t first = number.at(pieces[i]);
        classes.join(i, first);
        ++alike[first];
    }
    for (const std::vector<int>& images : symmetries) {
        for (std::size_t cell = 0; cell < images.size(); ++cell)
            cell_classes.join(cell, static_cast<std::size_t>(images[cell]));
        for (const auto& [piece, i] : number) {
            counter.tick();
            const auto there = number.find(piece.image(images));
            if (there == number.end() || alike[there->second] != alike[i])
                throw std::invalid_argument("a symmetry does not keep the rules");
            classes.join(i, there->second);
        }
    }
    std::vector<std::uint64_t> members(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) ++members[classes[i]];
    Cells set;
    std::vector<std::uint32_t> firsts; // of the classes that meet the set
    for (int at = 0; at < cells; ++at) {
        if (cell_classes[static_cast<std::size_t>(at)] != static_cast<std::size_t>(at)) continue;
        Cells one;
        for (int cell = at; cell < cells; ++cell)
            if (cell_classes[static_cast<std::size_t>(cell)] == static_cast<std::size_t>(at)) one.add(cell);
        std::vector<std::uint32_t> meeting;
        for (std::uint32_t i = 0; i < pieces.size(); ++i)
            if (members[i] > 0 && pieces[i].meets(one)) meeting.push_back(i);
        if (set.empty() || meeting.size() < firsts.size()) set = one, firsts = std::move(meeting);
    }
    Covers covers(cells, pieces, counter);
    std::uint64_t sum = 0;
    for (const std::uint32_t i : firsts) {
        const auto shared = static_cast<std::uint64_t>(pieces[i].both(set).size());
        std::uint64_t part = 0;
        if (multiply_overflows(covers.count_with(pieces[i]), members[i] * shared, &part) ||
            add_overflows(sum, part, &sum))
            throw std::overflow_error("more grids than 64 bits can count");
    }
    const auto size = static_cast<std::uint64_t>(set.size());
    if (sum % size != 0) throw std::logic_error("the symmetries do not map the pieces to each other");
    return sum / size;
}

} // namespace

struct InvariantGrids::Parts {
    // Unions of the orbits of templates under a permutation, where the templates of the orbit are disjoint.
    std::vector<Cells> disjoint_orbits(const std::vector<int>& images, StepCounter& counter) const {
        std::vector<char> seen(templates.size());
        std::vector<Cells> orbits;
        for (std::uint32_t i = 0; i < templates.size(); ++i) {
            if (seen[i]) continue;
            Cells whole;
            bool disjoint = true;
            for (std::uint32_t here = i; !seen[here];) {
                counter.tick();
                seen[here] = 1;
                disjoint = disjoint && !whole.meets(templates[here]);
                whole = whole | templates[here];
                const auto there = number.find(templates[here].image(images));
                if (there == number.end())
                    throw std::invalid_argument("the permutation does not keep the rules");
                here = there->second;
            }
            if (disjoint) orbits.push_back(whole);
        }
        return orbits;
    }

    int cells;
    std::vector<Cells> templates{};
    Numbers number{};
};

InvariantGrids::InvariantGrids(const Shape& shape) {
    shape.validate();
    if (shape.cells() > 128) throw std::invalid_argument("invariant grids are counted for up to 11 digits");
    parts_ = std::make_unique<Parts>(Parts{shape.cells()});
    list_templates(shape, 0, 0, 0, {}, parts_->templates);
    parts_->number = numbers_of(parts_->templates);
}

InvariantGrids::~InvariantGrids() = default;

Completions InvariantGrids::count(const std::vector<int>& images,
                                  const std::vector<std::vector<int>>& symmetries, const Limits& limits,
                                  Monitor* monitor) const {
    const int cells = parts_->cells;
    check_permutation(images, cells);
    for (const std::vector<int>& other : symmetries) {
        check_permutation(other, cells);
        for (std::size_t cell = 0; cell < images.size(); ++cell)
            if (images[static_cast<std::size_t>(other[cell])] !=
                other[static_cast<std::size_t>(images[cell])])
                throw std::invalid_argument("a symmetry does not commute with the permutation");
    }
    Completions result;
    StepCounter counter(limits, monitor);
    result.status = status_of([&] {
        result.count = count_covers(cells, parts_->disjoint_orbits(images, counter), symmetries, counter);
    });
    return result;
}

} // namespace ktsolve::sudoku
