// Grids invariant under a permutation of the cells, up to the names of digits.
//
// A grid without names is a set of N *templates*, the places of one digit: 46656 are possible for 3x3. A
// permutation that keeps the rules carries templates to templates, and leaves a grid as it is if it permutes
// the grid's templates: the grid consists of whole orbits of templates. So the invariant grids are the exact
// covers of the cells by orbits whose templates are disjoint. After Russell & Jarvis (2006), who counted the
// grids of each class of permutations; the covers by orbits are ours.
#include <algorithm>
#include <bit>
#include <stdexcept>
#include <unordered_map>

#include "common/step_counter.hpp"
#include "ktsolve/sudoku.hpp"

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
};

struct Hash {
    std::size_t operator()(const Cells& cells) const {
        std::uint64_t h = (cells.low ^ (cells.high * 0x9e3779b97f4a7c15)) * 0xff51afd7ed558ccd;
        return static_cast<std::size_t>(h ^ (h >> 32));
    }
};

// The places that a digit may have in a grid, cell after cell as bits.
class Templates {
  public:
    explicit Templates(const Shape& shape) : shape_(shape) { list(0, 0, 0, {}); }
    std::vector<Cells> all;

  private:
    void list(int row, std::uint32_t columns, std::uint32_t stacks, Cells cells) {
        if (row == shape_.side()) {
            if (all.size() >= kMostTemplates) throw std::invalid_argument("a digit has too many places");
            all.push_back(cells);
            return;
        }
        if (row % shape_.rows == 0) stacks = 0;
        for (int column = 0; column < shape_.side(); ++column) {
            const std::uint32_t bit = 1u << column, stack = 1u << (column / shape_.columns);
            if ((columns & bit) != 0 || (stacks & stack) != 0) continue;
            Cells more = cells;
            more.add(row * shape_.side() + column);
            list(row + 1, columns | bit, stacks | stack, more);
        }
    }

    Shape shape_;
};

// Unions of the orbits of templates under a permutation, where the templates of the orbit are disjoint.
std::vector<Cells> disjoint_orbits(const std::vector<Cells>& templates, const std::vector<int>& images,
                                   StepCounter& counter) {
    std::unordered_map<Cells, std::uint32_t, Hash> number;
    number.reserve(templates.size());
    for (std::uint32_t i = 0; i < templates.size(); ++i) number.emplace(templates[i], i);
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
            Cells image;
            for (Cells left = templates[here]; !left.empty(); left.drop_least())
                image.add(images[static_cast<std::size_t>(left.least())]);
            const auto there = number.find(image);
            if (there == number.end()) throw std::invalid_argument("the permutation does not keep the rules");
            here = there->second;
        }
        if (disjoint) orbits.push_back(whole);
    }
    return orbits;
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

    std::uint64_t count() { return count(whole_, 0, lists_[0].size()); }

  private:
    // The covers of the cells left by the first `number` pieces of the list of that depth.
    std::uint64_t count(const Cells& left, std::size_t depth, std::size_t number) {
        const int cell = left.least();
        counter_.tick(1 + number / 16);
        if (lists_.size() == depth + 1) lists_.emplace_back();
        if (lists_[depth + 1].size() < number) lists_[depth + 1].resize(number);
        const Cells* const pieces = lists_[depth].data();
        std::size_t beyond = 0;
        while (beyond < number && pieces[beyond].has(cell)) ++beyond;
        std::uint64_t found = 0;
        for (std::size_t i = 0; i < beyond; ++i) {
            const Cells piece = pieces[i], rest = left.without(piece);
            if (rest.empty()) {
                ++found;
                continue;
            }
            // Whether a piece is kept is hardly predictable: all are written, and those kept are counted.
            Cells* const others = lists_[depth + 1].data();
            std::size_t kept = 0;
            for (std::size_t j = beyond; j < number; ++j) {
                others[kept] = pieces[j];
                kept += pieces[j].meets(piece) ? 0 : 1;
            }
            if (kept > 0) found += count(rest, depth + 1, kept);
        }
        return found;
    }

    StepCounter& counter_;
    Cells whole_;
    std::vector<std::vector<Cells>> lists_; // by depth, made once
};

} // namespace

Completions invariant_grids(const Shape& shape, const std::vector<int>& images, const Limits& limits,
                            Monitor* monitor) {
    shape.validate();
    const int cells = shape.cells();
    if (cells > 128) throw std::invalid_argument("invariant grids are counted for up to 11 digits");
    std::vector<int> sorted = images;
    std::sort(sorted.begin(), sorted.end());
    for (int cell = 0; cell < static_cast<int>(sorted.size()); ++cell)
        if (sorted[static_cast<std::size_t>(cell)] != cell)
            throw std::invalid_argument("no permutation of the cells");
    if (static_cast<int>(images.size()) != cells) throw std::invalid_argument("no permutation of the cells");
    Completions result;
    StepCounter counter(limits, monitor);
    result.status = status_of([&] {
        const Templates templates(shape);
        result.count = Covers(cells, disjoint_orbits(templates.all, images, counter), counter).count();
    });
    return result;
}

} // namespace ktsolve::sudoku
