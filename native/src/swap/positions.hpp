// Positions and their numbers: how a multiset of pieces stands on cells, ranked without gaps.
//
// The cells of the pieces of kind 1 are a subset of all cells, those of kind 2 a subset of what is left, and
// so on; each subset has its rank in the combinatorial number system (C(c1, 1) + C(c2, 2) + ...), and the
// ranks are the digits of a number in mixed base. Ranking looks up one binomial for each piece; there is no
// division.
#pragma once

#include <cstdint>
#include <vector>

namespace ktsolve::swap {

using Cells = std::vector<std::uint8_t>;

class Positions {
  public:
    // Those with as many pieces of each kind as this one. `size()` is 0 if there are more than 2^62.
    explicit Positions(const Cells& example) : cells_(static_cast<int>(example.size())) {
        int kinds = 0;
        for (const std::uint8_t kind : example) kinds = kind > kinds ? kind : kinds;
        pieces_.assign(kinds, 0);
        for (const std::uint8_t kind : example)
            if (kind > 0) ++pieces_[kind - 1];
        binomial_.assign(cells_ + 1, std::vector<std::uint64_t>(cells_ + 1, 0));
        for (int n = 0; n <= cells_; ++n) {
            binomial_[n][0] = 1;
            for (int k = 1; k <= n; ++k) {
                const std::uint64_t sum = binomial_[n - 1][k - 1] + binomial_[n - 1][k];
                binomial_[n][k] = sum > kMost ? kMost + 1 : sum;
            }
        }
        int left = cells_;
        for (const int number : pieces_) {
            base_.push_back(size_);
            const std::uint64_t ways = binomial_[left][number];
            if (size_ != 0) size_ = ways > kMost / size_ ? 0 : size_ * ways;
            left -= number;
        }
    }

    std::uint64_t size() const { return size_; }
    int cells() const { return cells_; }

    std::uint64_t rank(const Cells& position) const {
        std::uint64_t number = 0;
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            const std::uint8_t kind = static_cast<std::uint8_t>(k + 1);
            std::uint64_t digit = 0;
            int place = 0, found = 0;
            for (int cell = 0; found < pieces_[k]; ++cell) {
                const std::uint8_t here = position[cell];
                if (here == kind) digit += binomial_[place][++found];
                place += here == 0 || here >= kind;
            }
            number += digit * base_[k];
        }
        return number;
    }

    void unrank(std::uint64_t number, Cells& position) const {
        position.assign(cells_, 0);
        int left = cells_;
        free_.clear();
        for (int cell = 0; cell < cells_; ++cell) free_.push_back(cell);
        for (std::size_t k = 0; k < pieces_.size(); ++k) {
            const std::uint64_t ways = binomial_[left][pieces_[k]];
            std::uint64_t digit = number % ways;
            number /= ways;
            for (int piece = pieces_[k], place = left; piece > 0; --piece) {
                do --place;
                while (binomial_[place][piece] > digit);
                digit -= binomial_[place][piece];
                position[free_[place]] = static_cast<std::uint8_t>(k + 1);
                free_.erase(free_.begin() + place);
            }
            left -= pieces_[k];
        }
    }

  private:
    static constexpr std::uint64_t kMost = std::uint64_t{1} << 62;

    int cells_;
    std::vector<int> pieces_;
    std::vector<std::vector<std::uint64_t>> binomial_;
    std::vector<std::uint64_t> base_;
    std::uint64_t size_ = 1;
    mutable std::vector<int> free_;
};

} // namespace ktsolve::swap
