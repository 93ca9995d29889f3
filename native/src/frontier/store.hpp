// What the sweep keeps of each state besides its key, and how it adds up where states merge.
//
// A store has a Value, which lies in the table of the states. That of a count is the count itself while it
// has 63 bits, else the number of a row of limbs. The rows of a part of a layer are all of the same length,
// and become longer together, so that counts of any size cost no more than their limbs. Rejected: tables with
// counts of 4, 16, 64 and 256 limbs in their entries (four to five times the time for the 10x500 grid, whose
// last counts have 44 limbs); residues modulo many primes, which need all their words from the first layer
// on, where counts have one.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/integers.hpp"
#include "common/stopped.hpp"
#include "common/workers.hpp"
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

// The bytes that a sweep holds, which several threads take and give back.
class Budget {
  public:
    explicit Budget(u64 bytes) : bytes_(bytes) {}

    // Throws Stopped beyond the limit.
    void take(u64 bytes) {
        const u64 held = held_.fetch_add(bytes, std::memory_order_relaxed) + bytes;
        if (held > bytes_) {
            held_.fetch_sub(bytes, std::memory_order_relaxed);
            throw Stopped{Status::out_of_memory};
        }
        u64 peak = peak_.load(std::memory_order_relaxed);
        while (peak < held && !peak_.compare_exchange_weak(peak, held, std::memory_order_relaxed)) {
        }
    }
    void give(u64 bytes) {
        held_.fetch_sub(bytes, std::memory_order_relaxed);
        given_.fetch_add(bytes, std::memory_order_relaxed);
    }

    // Whether twice as many bytes are left.
    bool has_twice(u64 bytes) const { return bytes <= (bytes_ - std::min(bytes_, held())) / 2; }
    u64 held() const { return held_.load(std::memory_order_relaxed); }
    // What was given back so far, in all.
    u64 given() const { return given_.load(std::memory_order_relaxed); }
    u64 peak() const { return peak_.load(std::memory_order_relaxed); }

  private:
    u64 bytes_;
    std::atomic<u64> held_{0}, given_{0}, peak_{0};
};

// Rows of limbs, in blocks: they do not move, and at most one block has room to spare.
class RowBlocks {
  public:
    RowBlocks(Budget& budget, int width) : budget_(&budget), width_(static_cast<std::size_t>(width)) {}
    ~RowBlocks() { budget_->give(bytes()); }
    RowBlocks(RowBlocks&& other) noexcept : budget_(other.budget_), width_(other.width_) { swap(other); }
    RowBlocks& operator=(RowBlocks&& other) noexcept {
        swap(other);
        return *this;
    }

    u64 size() const { return size_; }
    u64* operator[](u64 row) const { return blocks_[row / kRows].get() + row % kRows * width_; }
    // A new row, of any content.
    u64* add() {
        if (size_ == blocks_.size() * kRows) {
            budget_->take(kRows * width_ * sizeof(u64));
            blocks_.emplace_back(new u64[kRows * width_]);
        }
        return (*this)[size_++];
    }
    // The rows are not needed any more up to this one.
    void drop_before(u64 row) {
        if (row % kRows > 0 || row == 0) return;
        blocks_[row / kRows - 1].reset();
        ++dropped_;
        budget_->give(kRows * width_ * sizeof(u64));
    }

  private:
    static constexpr u64 kRows = task_size(1024); // of a block

    void swap(RowBlocks& other) noexcept {
        std::swap(budget_, other.budget_);
        std::swap(width_, other.width_);
        std::swap(size_, other.size_);
        std::swap(dropped_, other.dropped_);
        blocks_.swap(other.blocks_);
    }
    u64 bytes() const { return (blocks_.size() - dropped_) * kRows * width_ * sizeof(u64); }

    Budget* budget_;
    std::size_t width_, dropped_ = 0;
    u64 size_ = 0;
    std::vector<std::unique_ptr<u64[]>> blocks_;
};

// Counts of any size: of cycles (Parts = 1), or of cycles of even and of odd voltage (Parts = 2), part after
// part, each with the least significant limb first.
template <int Parts> class Counts {
  public:
    using Value = std::array<u64, Parts>;
    static constexpr bool kThreads = true;

    explicit Counts(Budget& budget) : budget_(budget) {}

    static Value one() { return {1}; }

    // Adds the count of a predecessor to that of a state in a part of the next layer.
    template <class StepT>
    void merge(Value& to, bool fresh, const Value& from, Choice choice, const StepT& step, std::size_t part) {
        if (fresh) to = {};
        if (!is_long(to) && !is_long(from)) {
            Value sum = to;
            if (add_short(sum, from, choice, step)) {
                to = sum;
                return;
            }
        }
        merge_long(to, fresh, from, choice, step, part);
    }
    // Adds the count of a state that a choice closes to a cycle.
    template <class StepT> void close(const Value& from, Choice choice, const StepT& step) {
        const Limbs source = limbs_of(from);
        if (source.limbs > total_.limbs) stretch(total_, source.limbs);
        if (total_.blocks.size() == 0) std::fill_n(total_.blocks.add(), Parts * total_.limbs, u64{0});
        add(total_, 0, source, choice, step);
    }
    void begin_step(std::size_t parts) {
        next_.clear();
        for (std::size_t part = 0; part < parts; ++part) next_.emplace_back(budget_, kFirstLimbs);
    }
    // The states of a part of the layer are done.
    void release(std::size_t part) {
        if (part < now_.size()) now_[part] = Rows(budget_, kFirstLimbs);
    }
    void end_step() { now_.swap(next_); }

    // The limbs of the complete cycles, as many for each part.
    std::vector<u64> total() const {
        const int limbs = total_.limbs;
        if (total_.blocks.size() == 0) return std::vector<u64>(Parts, 0);
        const u64* sum = total_.blocks[0];
        int used = 1;
        for (int part = 0; part < Parts; ++part)
            for (int i = 0; i < limbs; ++i)
                if (sum[part * limbs + i] != 0) used = std::max(used, i + 1);
        std::vector<u64> shown;
        for (int part = 0; part < Parts; ++part)
            shown.insert(shown.end(), sum + part * limbs, sum + part * limbs + used);
        return shown;
    }

  private:
    static constexpr u64 kLong = u64{1} << 63; // in the first word of a value: it is the number of a row
    static constexpr int kPartShift = 48;      // of the part that has the row
    static constexpr u64 kRow = (u64{1} << kPartShift) - 1;
    static constexpr int kFirstLimbs = 2;

    struct Rows {
        Rows(Budget& budget, int length) : limbs(length), blocks(budget, length * Parts) {}
        int limbs;
        RowBlocks blocks;
    };
    struct Limbs {
        const u64* words;
        int limbs;
    };

    static bool is_long(const Value& value) { return (value[0] & kLong) != 0; }

    // False where a sum has more than 63 bits.
    template <class StepT>
    static bool add_short(Value& to, const Value& from, Choice choice, const StepT& step) {
        if constexpr (Parts == 1) {
            (void)choice, (void)step;
            to[0] += from[0];
            return to[0] < kLong;
        } else {
            const Factor by = factor_of(step, choice);
            const u128 even = u128{from[0]} * by.even + u128{from[1]} * by.odd + to[0];
            const u128 odd = u128{from[1]} * by.even + u128{from[0]} * by.odd + to[1];
            to = {static_cast<u64>(even), static_cast<u64>(odd)};
            return even < kLong && odd < kLong;
        }
    }

    Limbs limbs_of(const Value& value) const {
        if (!is_long(value)) return {value.data(), 1};
        const Rows& rows = now_[(value[0] & ~kLong) >> kPartShift];
        return {rows.blocks[value[0] & kRow], rows.limbs};
    }

    template <class StepT>
    void merge_long(Value& to, bool fresh, const Value& from, Choice choice, const StepT& step,
                    std::size_t part) {
        Rows& rows = next_[part];
        const Limbs source = limbs_of(from);
        if (source.limbs > rows.limbs) stretch(rows, source.limbs);
        if (Parts == 1 && fresh) {
            u64* const row = rows.blocks.add();
            std::fill(std::copy_n(source.words, source.limbs, row), row + rows.limbs, u64{0});
            to[0] = number(rows, part);
            return;
        }
        if (!is_long(to)) lengthen(to, rows, part);
        add(rows, to[0] & kRow, source, choice, step);
    }

    void lengthen(Value& value, Rows& rows, std::size_t part) const {
        u64* row = rows.blocks.add();
        std::fill_n(row, Parts * rows.limbs, u64{0});
        for (int i = 0; i < Parts; ++i) row[i * rows.limbs] = value[static_cast<std::size_t>(i)];
        value = {number(rows, part)};
    }

    // The value of the last row of a part.
    static u64 number(const Rows& rows, std::size_t part) {
        return kLong | u64{part} << kPartShift | (rows.blocks.size() - 1);
    }

    // The rows have no fewer limbs than what is added.
    template <class StepT> void add(Rows& rows, u64 row, Limbs from, Choice choice, const StepT& step) {
        if constexpr (Parts == 1) {
            (void)choice, (void)step;
            add_times(rows, row, 0, from, 1);
        } else {
            const Factor by = factor_of(step, choice);
            const Limbs odd{from.words + from.limbs, from.limbs};
            add_times(rows, row, 0, from, by.even);
            add_times(rows, row, 0, odd, by.odd);
            add_times(rows, row, 1, odd, by.even);
            add_times(rows, row, 1, from, by.odd);
        }
    }

    void add_times(Rows& rows, u64 row, int part, Limbs from, u64 times) const {
        u64* to = rows.blocks[row] + part * rows.limbs;
        u64 carry = 0;
        int i = 0;
        for (; i < from.limbs; ++i) {
            const u128 sum = u128{from.words[i]} * times + to[i] + carry;
            to[i] = static_cast<u64>(sum);
            carry = static_cast<u64>(sum >> 64);
        }
        for (; carry != 0 && i < rows.limbs; ++i) {
            to[i] += carry;
            carry = to[i] < carry;
        }
        if (carry == 0) return;
        const int top = rows.limbs;
        stretch(rows, top + 1);
        rows.blocks[row][part * rows.limbs + top] = carry;
    }

    // Gives all rows more limbs. The old rows are given up while the new ones are made.
    void stretch(Rows& rows, int limbs) const {
        Rows longer(budget_, limbs);
        for (u64 row = 0; row < rows.blocks.size(); ++row) {
            rows.blocks.drop_before(row);
            const u64* from = rows.blocks[row];
            u64* to = longer.blocks.add();
            for (int part = 0; part < Parts; ++part, from += rows.limbs, to += limbs)
                std::fill(std::copy_n(from, rows.limbs, to), to + limbs, u64{0});
        }
        rows = std::move(longer);
    }

    Budget& budget_;
    std::vector<Rows> now_, next_; // of the parts of the layer, and of the next
    Rows total_{budget_, kFirstLimbs};
};

} // namespace ktsolve::frontier
