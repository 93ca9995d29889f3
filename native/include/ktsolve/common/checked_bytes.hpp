// Checksums of blocks of a prepared file, checked when a block is first read.
//
// A file of many layers is mapped into memory, and an answer reads a small part of it. The checksum of a
// block of 64 KiB takes a few microseconds, so that damage is detected at no noticeable cost. The checksum
// detects accidental damage only: each lane is a chain of bijections of its words, so that any change of one
// word changes it for certain.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace ktsolve {

inline constexpr std::size_t kCheckedBlock = std::size_t{1} << 16;

inline std::uint64_t checksum_of(const std::uint8_t* data, std::size_t length) {
    constexpr std::uint64_t kPrime[4] = {0x9E3779B185EBCA87ull, 0xC2B2AE3D27D4EB4Full, 0xD6E8FEB86659FD93ull,
                                         0xA0761D6478BD642Full};
    std::uint64_t lane[4] = {length, 1, 2, 3};
    const auto stir = [&](int i, std::uint64_t word) {
        const std::uint64_t x = (lane[i] ^ word) * kPrime[i];
        lane[i] = x ^ (x >> 29);
    };
    std::size_t at = 0;
    for (; at + 32 <= length; at += 32) {
        std::uint64_t words[4];
        std::memcpy(words, data + at, 32);
        for (int i = 0; i < 4; ++i) stir(i, words[i]);
    }
    for (int i = 0; at < length; at += 8, i = (i + 1) % 4) {
        std::uint64_t word = 0;
        std::memcpy(&word, data + at, std::min<std::size_t>(8, length - at));
        stir(i, word);
    }
    for (int i = 1; i < 4; ++i) stir(0, lane[i]);
    return lane[0];
}

// A block whose checksum is wrong.
struct DamagedBytes : std::runtime_error {
    DamagedBytes() : std::runtime_error("a block of the file has a wrong checksum") {}
};

// Bytes whose blocks are checked before they are first read. Several threads may read.
class CheckedBytes {
  public:
    CheckedBytes() = default;

    // `sums` has the checksum of each block of kCheckedBlock bytes; nullptr for bytes that need no check,
    // such as those just made. The bytes and the sums must outlive this object.
    CheckedBytes(const std::uint8_t* data, std::size_t size, const std::uint64_t* sums)
        : data_(data), size_(size), sums_(sums),
          good_(sums == nullptr ? nullptr : std::make_unique<std::atomic<std::uint8_t>[]>(blocks(size))) {}

    static std::size_t blocks(std::size_t size) { return (size + kCheckedBlock - 1) / kCheckedBlock; }

    std::size_t size() const { return size_; }
    // The beginning, to compute places with; `read` checks what is read.
    const std::uint8_t* data() const { return data_; }

    // The bytes from `at`, of which `length` may be read. Throws DamagedBytes for a wrong checksum and for
    // bytes beyond the end.
    const std::uint8_t* read(std::size_t at, std::size_t length) const {
        if (at > size_ || length > size_ - at) throw DamagedBytes();
        if (sums_ != nullptr && length > 0) {
            const std::size_t last = (at + length - 1) / kCheckedBlock;
            for (std::size_t block = at / kCheckedBlock; block <= last; ++block)
                if (good_[block].load(std::memory_order_relaxed) == 0) check(block);
        }
        return data_ + at;
    }

  private:
    void check(std::size_t block) const {
        const std::size_t begin = block * kCheckedBlock;
        if (checksum_of(data_ + begin, std::min(kCheckedBlock, size_ - begin)) != sums_[block])
            throw DamagedBytes();
        good_[block].store(1, std::memory_order_relaxed);
    }

    const std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0;
    const std::uint64_t* sums_ = nullptr;
    std::unique_ptr<std::atomic<std::uint8_t>[]> good_;
};

} // namespace ktsolve
