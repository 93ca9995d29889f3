// Large blocks of memory, in huge pages where the system has them: a table is read from end to end.
#pragma once

#include <cstdlib>

#include "common/integers.hpp"
#if defined(_WIN32)
#include <malloc.h>
#elif defined(__linux__) && !defined(KTSOLVE_PORTABLE)
#include <sys/mman.h>
#endif

namespace ktsolve {

// Null when there is no memory. To be freed by free_pages.
inline void* allocate_pages(u64 bytes) {
    constexpr u64 kHuge = u64{2} << 20;
    const u64 whole = (bytes + kHuge - 1) / kHuge * kHuge;
    if (whole < bytes) return nullptr;
#if defined(_WIN32)
    return _aligned_malloc(whole, kHuge);
#else
    void* memory = std::aligned_alloc(kHuge, whole);
#if defined(__linux__) && !defined(KTSOLVE_PORTABLE)
    if (memory != nullptr) (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return memory;
#endif
}

inline void free_pages(void* memory) {
#if defined(_WIN32)
    _aligned_free(memory);
#else
    std::free(memory);
#endif
}

} // namespace ktsolve
