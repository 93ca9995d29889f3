// A hint that memory is soon read, or written. Where the compiler has none, nothing happens.
#pragma once

namespace ktsolve {

#if defined(__GNUC__) && !defined(KTSOLVE_PORTABLE)
inline void prefetch_to_read(const void* at) {
    __builtin_prefetch(at);
}
inline void prefetch_to_write(const void* at) {
    __builtin_prefetch(at, 1);
}
#else
inline void prefetch_to_read(const void*) {}
inline void prefetch_to_write(const void*) {}
#endif

} // namespace ktsolve
