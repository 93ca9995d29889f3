// Large blocks of memory, in huge pages where the system has them: a table is read from end to end.
// WebAssembly has neither huge pages nor memory to spare; its own pages have 64 KiB.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

#include "common/integers.hpp"

// AddressSanitizer sees reads past the end only in blocks of the heap. Clang has another name for it.
#if defined(__SANITIZE_ADDRESS__)
#define KTSOLVE_WATCHED 1
#elif defined(__has_feature)
#define KTSOLVE_WATCHED __has_feature(address_sanitizer)
#else
#define KTSOLVE_WATCHED 0
#endif

#if defined(_WIN32)
#include <malloc.h>
#elif defined(__linux__) && !defined(KTSOLVE_PORTABLE) && !KTSOLVE_WATCHED
#define KTSOLVE_MAPS_PAGES 1
#include <sys/mman.h>
#endif

namespace ktsolve {

// As many bytes or a few more: whole pages, of 4 to 64 KiB.
inline std::size_t in_pages(u64 bytes) {
    constexpr u64 page = u64{64} << 10;
    return static_cast<std::size_t>((bytes + page - 1) / page * page);
}

// Null when memory is short. To be freed by free_pages with the same size. Where pages are mapped they are
// not from the heap, where small blocks would later make whole huge pages of what was freed resident.
inline void* allocate_pages(u64 bytes) {
    constexpr u64 kHuge = sizeof(void*) == 4 ? u64{64} << 10 : u64{2} << 20;
    if (bytes > std::numeric_limits<std::size_t>::max() / 2) return nullptr;
#if defined(_WIN32)
    return _aligned_malloc(static_cast<std::size_t>(bytes), kHuge);
#elif defined(KTSOLVE_MAPS_PAGES)
    const std::size_t whole = in_pages(bytes);
    void* const mapped =
        mmap(nullptr, whole + kHuge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    const std::size_t before = (kHuge - reinterpret_cast<std::uintptr_t>(mapped) % kHuge) % kHuge;
    auto* const memory = static_cast<unsigned char*>(mapped) + before;
    if (before > 0) munmap(mapped, before);
    munmap(memory + whole, kHuge - before);
    (void)madvise(memory, whole, MADV_HUGEPAGE);
    return memory;
#else
    return std::aligned_alloc(kHuge, static_cast<std::size_t>((bytes + kHuge - 1) / kHuge * kHuge));
#endif
}

inline void free_pages(void* memory, u64 bytes) {
#if defined(_WIN32)
    static_cast<void>(bytes);
    _aligned_free(memory);
#elif defined(KTSOLVE_MAPS_PAGES)
    if (memory != nullptr) munmap(memory, in_pages(bytes));
#else
    static_cast<void>(bytes);
    std::free(memory);
#endif
}

// Vectors that are read at random places: in small pages, nearly every access to a large one first has to
// look up its page.
template <class T> struct PageAllocator {
    using value_type = T;
    // Bytes. With 512 KiB, the many tables of all endpoint classes of 7x7 took a third more memory.
    static constexpr std::size_t kLeast = std::size_t{4} << 20;
    PageAllocator() = default;
    template <class U> PageAllocator(const PageAllocator<U>&) {}
    T* allocate(std::size_t n) {
        void* const memory =
            n * sizeof(T) < kLeast ? std::malloc(n * sizeof(T)) : allocate_pages(n * sizeof(T));
        if (memory == nullptr) throw std::bad_alloc();
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t n) {
        if (n * sizeof(T) < kLeast)
            std::free(memory);
        else
            free_pages(memory, n * sizeof(T));
    }
    friend bool operator==(const PageAllocator&, const PageAllocator&) { return true; }
};
template <class T> using PagedVector = std::vector<T, PageAllocator<T>>;

} // namespace ktsolve
