// The states of the frontier sweep and the hash table that merges them.
//
// A key holds one code per slot, `Bits` bits each, slots never straddling a 64-bit word:
//
//     word 0: | slot 0 | slot 1 | ... | slot 64/Bits - 1 |   word 1: ...
//     code 0: untouched, or slot not in use;  1: full (degree 2);  2 + s: degree 1, mate in slot s
//
// Where vertices are in pairs (frontier/plan.hpp), a code of a mate has a bit more, which vertex of the pair
// is open: 2 + 2 s + side.
//
// 4 bits serve 14 slots in one word (all boards 6 wide), 5 bits 24 slots in two, 6 bits 40 in four; with
// pairs 5 bits serve 12 slots in one word, 6 bits 20 in two and 30 in three, 7 bits 40 in five. Rejected:
// path labels renumbered by first appearance, which fit 16 slots in a word, but for which every transition
// reads and writes the whole key; here it changes at most four codes.
//
// The all-zero key marks an empty place: after the first elimination some slot always holds a path end.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "common/integers.hpp"
#include "common/prefetch.hpp"

namespace ktsolve::frontier {

template <int Words, int Bits, int Sides = 1> struct Key {
    static constexpr bool kPaired = Sides == 2;
    static constexpr int kPerWord = 64 / Bits;
    static constexpr std::uint64_t kMask = (std::uint64_t{1} << Bits) - 1;
    // The largest code, 2 + slot or with pairs 3 + 2 slot, must fit in Bits bits.
    static constexpr int kCodes = ((1 << Bits) - 2) / Sides;
    static constexpr int kSlots = Words * kPerWord < kCodes ? Words * kPerWord : kCodes;

    std::array<std::uint64_t, Words> word{};

    unsigned get(int slot) const {
        if constexpr (Words == 1) return static_cast<unsigned>((word[0] >> (slot * Bits)) & kMask);
        return static_cast<unsigned>((word[slot / kPerWord] >> (slot % kPerWord * Bits)) & kMask);
    }
    void set(int slot, unsigned code) {
        const int w = Words == 1 ? 0 : slot / kPerWord;
        const int shift = (Words == 1 ? slot : slot % kPerWord) * Bits;
        word[w] = (word[w] & ~(kMask << shift)) | (std::uint64_t{code} << shift);
    }
    // Written out: as a comparison of arrays it is a call of memcmp, a fifth of the time of a sweep.
    bool operator==(const Key& other) const {
        std::uint64_t differ = 0;
        for (int i = 0; i < Words; ++i) differ |= word[i] ^ other.word[i];
        return differ == 0;
    }
    bool empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t w : word) any |= w;
        return any == 0;
    }
    std::uint64_t hash() const {
        std::uint64_t h = 0;
        for (const std::uint64_t w : word) {
            h = (h ^ w) * 0x9E3779B97F4A7C15ull;
            h ^= h >> 32;
        }
        return h * 0xD6E8FEB86659FD93ull;
    }
};

// `value` is what a store (frontier/store.hpp) keeps of a state: its count, or the row of a longer record.
template <class KeyT, class ValueT> struct Entry {
    KeyT key;
    ValueT value;
};

// Open addressing, linear probing, at most three quarters full. `calloc` maps zero pages lazily, so a new
// table costs time only for the pages it uses. Of any size, not of powers of two: it is then rarely less than
// half full. Rejected: memory of the system's own, which it gets back at once, for large tables. The process
// then takes a fifth less with two threads, but closed 7x8 nearly twice the time, for its pages.
template <class KeyT, class ValueT> class Table {
  public:
    using EntryT = Entry<KeyT, ValueT>;

    explicit Table(std::size_t places = 1024) { allocate(places); }
    ~Table() { std::free(entries_); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    Table(Table&& other) noexcept { swap(other); }
    Table& operator=(Table&& other) noexcept {
        swap(other);
        return *this;
    }
    void swap(Table& other) noexcept {
        std::swap(entries_, other.entries_);
        std::swap(places_, other.places_);
        std::swap(size_, other.size_);
    }

    std::size_t size() const { return size_; }
    std::size_t places() const { return places_; }
    std::size_t bytes() const { return places_ * sizeof(EntryT); }
    const EntryT* begin() const { return entries_; }
    const EntryT* end() const { return entries_ + places_; }
    bool crowded() const { return size_ * 4 >= places_ * 3; }

    // Places of a table for as many states, with room for some more.
    static std::size_t places_for(std::size_t states) { return states + states / 2 + 16; }
    // Bytes of the larger table that it grows into.
    std::size_t bytes_to_grow() const { return larger() * sizeof(EntryT); }

    void prefetch(std::uint64_t hash) const { prefetch_to_write(entries_ + first_place(hash)); }

    // The entry of `key`, and whether it is new. There must be room: see crowded().
    std::pair<EntryT*, bool> find_or_add(const KeyT& key, std::uint64_t hash) {
        std::size_t place = first_place(hash);
        while (true) {
            EntryT& entry = entries_[place];
            if (entry.key == key) return {&entry, false};
            if (entry.key.empty()) {
                entry.key = key;
                ++size_;
                return {&entry, true};
            }
            if (++place == places_) place = 0;
        }
    }

    // The entry of `key`, or nullptr.
    const EntryT* find(const KeyT& key, std::uint64_t hash) const {
        std::size_t place = first_place(hash);
        while (true) {
            const EntryT& entry = entries_[place];
            if (entry.key == key) return &entry;
            if (entry.key.empty()) return nullptr;
            if (++place == places_) place = 0;
        }
    }
    bool contains(const KeyT& key, std::uint64_t hash) const { return find(key, hash) != nullptr; }

    void grow() {
        Table bigger(larger());
        for (const EntryT& entry : *this)
            if (!entry.key.empty())
                bigger.find_or_add(entry.key, entry.key.hash()).first->value = entry.value;
        swap(bigger);
    }

  private:
    std::size_t larger() const { return places_ + places_ / 4 + 1; }
    std::size_t first_place(std::uint64_t hash) const {
        return static_cast<std::size_t>(static_cast<std::uint64_t>((u128{hash} * places_) >> 64));
    }

    void allocate(std::size_t places) {
        places_ = places;
        entries_ = static_cast<EntryT*>(std::calloc(places, sizeof(EntryT)));
        if (entries_ == nullptr && places > 0) throw std::bad_alloc();
    }

    EntryT* entries_ = nullptr;
    std::size_t places_ = 0;
    std::size_t size_ = 0;
};

} // namespace ktsolve::frontier
