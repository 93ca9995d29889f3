// What the sweep keeps of each state besides its key, and how it adds up where states merge.
//
// A store has a Value, which lies in the table of the states: the count itself while it has 64 bits, else the
// number of a row of limbs. RowBlocks of a layer lie one after the other, all of the same length, so that
// counts of any size cost no more than their limbs. Rejected: tables with counts of 4, 16, 64 and 256 limbs
// in their entries (four to five times the time for the 10x500 grid, whose last counts have 44 limbs);
// residues modulo many primes, which need all their words from the first layer on, where rows begin with one
// limb.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/integers.hpp"
#include "common/stopped.hpp"
#include "frontier/states.hpp"

namespace ktsolve::frontier {

// How many times each of two counts, of even and of odd voltage, is added: an element of the group ring of
// Z_2.
struct Factor {
    u64 even = 1;
    u64 odd = 0;
};

inline Factor factor_of(const Step& step, Choice choice) {
    Factor factor;
    for (const int place : {choice.first, choice.second}) {
        if (place < 0) continue;
        const Parallel& edges = step.later[static_cast<std::size_t>(place)].parallel;
        factor = {factor.even * edges.even + factor.odd * edges.odd,
                  factor.even * edges.odd + factor.odd * edges.even};
    }
    return factor;
}

// Counts of 64 bits: of cycles (Parts = 1), or of cycles of even and of odd voltage (Parts = 2).
template <int Parts> class ShortCounts {
  public:
    using Value = std::array<u64, Parts>;

    static Value one() { return {1}; }

    // Adds the count of a predecessor; false when the sum does not fit.
    template <class StepT>
    [[nodiscard]] bool merge(Value& to, bool fresh, const Value& from, Choice choice, const StepT& step) {
        if (fresh) to = {};
        return add(to, from, choice, step);
    }
    template <class StepT> [[nodiscard]] bool close(const Value& from, Choice choice, const StepT& step) {
        return add(total, from, choice, step);
    }
    void begin_step(bool) { before_ = total; }
    void end_step(std::size_t) {}
    void undo_step() { total = before_; }
    u64 bytes() const { return 0; }
    u64 bytes_to_grow() const { return 0; }

    Value total{};

  private:
    template <class StepT> static bool add(Value& to, const Value& from, Choice choice, const StepT& step) {
        if constexpr (Parts == 1) {
            (void)choice, (void)step;
            return !add_overflows(to[0], from[0], &to[0]);
        } else {
            const Factor by = factor_of(step, choice);
            return add_times(to[0], from[0], by.even) && add_times(to[0], from[1], by.odd) &&
                   add_times(to[1], from[1], by.even) && add_times(to[1], from[0], by.odd);
        }
    }
    static bool add_times(u64& to, u64 from, u64 times) {
        u64 product;
        return !multiply_overflows(from, times, &product) && !add_overflows(to, product, &to);
    }

    Value before_{};
};

// RowBlocks of limbs, in blocks: they do not move, and at most one block has room to spare.
class RowBlocks {
  public:
    explicit RowBlocks(std::size_t width) : width_(width) {}

    std::size_t width() const { return width_; }
    std::size_t size() const { return size_; }
    u64* operator[](std::size_t row) const { return blocks_[row / kRows].get() + row % kRows * width_; }
    // A new row, of any content.
    u64* add() {
        if (size_ == blocks_.size() * kRows)
            blocks_.push_back(std::unique_ptr<u64[]>(new u64[kRows * width_]));
        return (*this)[size_++];
    }
    void clear() { size_ = 0; }
    // Gives up the blocks beyond the rows.
    void shrink() { blocks_.resize((size_ + kRows - 1) / kRows); }
    // The rows are not needed any more up to this one.
    void drop_before(std::size_t row) {
        if (row % kRows == 0 && row > 0) blocks_[row / kRows - 1].reset();
    }
    u64 bytes() const { return blocks_.size() * kRows * width_ * sizeof(u64); }
    // Bytes that `more` rows take beyond those that there are.
    u64 bytes_for(std::size_t more) const {
        const std::size_t blocks = (size_ + more + kRows - 1) / kRows;
        return blocks > blocks_.size() ? (blocks - blocks_.size()) * kRows * width_ * sizeof(u64) : 0;
    }

  private:
    static constexpr std::size_t kRows = 4096; // of a block

    std::size_t width_, size_ = 0;
    std::vector<std::unique_ptr<u64[]>> blocks_;
};

// Counts of any size in rows of limbs, least significant limb first.
template <int Parts> class LongCounts {
  public:
    using Value = u64; // number of a row

    explicit LongCounts(int limbs) : limbs_(limbs), total(width(), 0) {}

    int limbs() const { return limbs_; }
    std::size_t width() const { return static_cast<std::size_t>(limbs_) * Parts; }
    const u64* row(Value value) const { return now_[value]; }

    // A row of the current layer, for a count of one limb for each part.
    Value carry(const std::array<u64, Parts>& count) {
        u64* made = now_.add();
        std::fill_n(made, width(), u64{0});
        for (int part = 0; part < Parts; ++part) made[part * limbs_] = count[part];
        return now_.size() - 1;
    }
    void carry_total(const std::array<u64, Parts>& count) {
        for (int part = 0; part < Parts; ++part) total[part * limbs_] = count[part];
    }

    template <class StepT>
    [[nodiscard]] bool merge(Value& to, bool fresh, const Value& from, Choice choice, const StepT& step) {
        if (fresh) {
            to = next_.size();
            u64* made = next_.add();
            if constexpr (Parts == 1) {
                const u64* source = row(from);
                for (int i = 0; i < limbs_; ++i) made[i] = source[i];
                return true;
            }
            std::fill(made, made + width(), 0);
        }
        return add(next_[to], row(from), choice, step);
    }
    template <class StepT> [[nodiscard]] bool close(const Value& from, Choice choice, const StepT& step) {
        return add(total.data(), row(from), choice, step);
    }
    void begin_step(bool may_close) {
        next_.clear();
        if (may_close) before_ = total;
        may_close_ = may_close;
    }
    void end_step(std::size_t) {
        std::swap(now_, next_);
        now_.shrink();
    }

    // Undoes the step and makes all counts one limb longer.
    void undo_step() {
        if (may_close_) total = before_;
        const std::size_t width_after = width() + Parts;
        RowBlocks wider(width_after);
        next_ = RowBlocks(width_after);
        const auto stretch = [&](const u64* from, u64* to) {
            for (int part = 0; part < Parts; ++part) {
                to = std::copy_n(from + part * limbs_, limbs_, to);
                *to++ = 0;
            }
        };
        for (std::size_t r = 0; r < now_.size(); ++r) {
            now_.drop_before(r);
            stretch(row(r), wider.add());
        }
        std::swap(now_, wider);
        std::vector<u64> sum(width_after);
        stretch(total.data(), sum.data());
        total.swap(sum);
        ++limbs_;
    }
    // The old rows are given up while the new ones are made.
    u64 bytes_to_widen() const { return RowBlocks(width() + Parts).bytes_for(now_.size()); }
    u64 bytes() const { return now_.bytes() + next_.bytes(); }
    // What adding rows for a batch may take in addition.
    u64 bytes_to_grow() const { return next_.bytes_for(kBatch); }

  private:
    template <class StepT> bool add(u64* to, const u64* from, Choice choice, const StepT& step) const {
        if constexpr (Parts == 1) {
            (void)choice, (void)step;
            return add_row(to, from);
        } else {
            const Factor by = factor_of(step, choice);
            const u64 *even = from, *odd = from + limbs_;
            return add_times(to, even, by.even) && add_times(to, odd, by.odd) &&
                   add_times(to + limbs_, odd, by.even) && add_times(to + limbs_, even, by.odd);
        }
    }
    bool add_row(u64* to, const u64* from) const {
        u64 carry = 0;
        for (int i = 0; i < limbs_; ++i) {
            const u128 sum = u128{to[i]} + from[i] + carry;
            to[i] = static_cast<u64>(sum);
            carry = static_cast<u64>(sum >> 64);
        }
        return carry == 0;
    }
    bool add_times(u64* to, const u64* from, u64 times) const {
        u64 carry = 0;
        for (int i = 0; i < limbs_; ++i) {
            const u128 sum = u128{from[i]} * times + to[i] + carry;
            to[i] = static_cast<u64>(sum);
            carry = static_cast<u64>(sum >> 64);
        }
        return carry == 0;
    }

    // More than the successors of a batch of states.
    static constexpr std::size_t kBatch = 1024;

    int limbs_;
    bool may_close_ = false;
    RowBlocks now_{width()}, next_{width()};
    std::vector<u64> before_; // the total before the step

  public:
    std::vector<u64> total;
};

} // namespace ktsolve::frontier
