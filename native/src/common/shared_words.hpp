// Words of an array that several threads change at once, without an order among the changes.
#pragma once

#include <atomic>

#include "common/integers.hpp"

namespace ktsolve {

#if defined(__cpp_lib_atomic_ref)
inline u64 load_shared(u64& word) {
    return std::atomic_ref<u64>(word).load(std::memory_order_relaxed);
}
inline void add_to_shared(u64& word, u64 value) {
    std::atomic_ref<u64>(word).fetch_add(value, std::memory_order_relaxed);
}
inline void set_in_shared(u64& word, u64 bits) {
    std::atomic_ref<u64>(word).fetch_or(bits, std::memory_order_relaxed);
}
#else // the standard library of Clang before 19
inline u64 load_shared(u64& word) {
    return __atomic_load_n(&word, __ATOMIC_RELAXED);
}
inline void add_to_shared(u64& word, u64 value) {
    __atomic_fetch_add(&word, value, __ATOMIC_RELAXED);
}
inline void set_in_shared(u64& word, u64 bits) {
    __atomic_fetch_or(&word, bits, __ATOMIC_RELAXED);
}
#endif

} // namespace ktsolve
