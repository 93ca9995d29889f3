// Freed memory given back to the system.
//
// The allocator of glibc keeps what is freed below the top of its heap. After tables that grow and go, that
// is a fifth of the peak: more than a limit of memory allows.
#pragma once

#include <cstdint>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace ktsolve {

inline void return_memory() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

// Gives memory back each time that a share of what is held has been freed. One time takes as long as the heap
// has pieces: with as many times as steps, long sweeps of few states would do nothing else.
class FreedMemory {
  public:
    void freed(std::uint64_t bytes, std::uint64_t held) {
        freed_ += bytes;
        if (freed_ < kLeast + held / 64) return;
        return_memory();
        freed_ = 0;
    }

  private:
    static constexpr std::uint64_t kLeast = 8 << 20;

    std::uint64_t freed_ = 0;
};

} // namespace ktsolve
