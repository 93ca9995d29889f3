// Freed memory given back to the system.
//
// The allocator of glibc keeps what is freed below the top of its heap. After tables that grow and go, that
// is a fifth of the peak: more than a limit of memory allows.
#pragma once

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace ktsolve {

inline void return_memory() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

} // namespace ktsolve
