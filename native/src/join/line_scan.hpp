// The numbers of an array that are not 0, with their places: a dense sum over ranks becomes a list of
// entries.
//
// The array is read line by line; a line is 64 bytes. line_scan_kernel.hpp has the loops.
#pragma once

#include "common/integers.hpp"

namespace ktsolve::join {

template <class Number> inline constexpr u64 kLine = 64 / sizeof(Number);

struct Scanned {
    u64 many = 0;
    u64 any = 0, sum = 0; // of the numbers: all their bits, and their sum modulo 2^64
};

// Each function moves the numbers of `lines` lines that are not 0 side by side, with their places, and leaves
// all of them 0. With `marks`, one byte for each line and a multiple of eight of them, lines whose mark is 0
// are not read; marks become 0 too. `places` and `found` have room for a line more than there are numbers.
struct ScanKernel {
    Scanned (*narrow)(u32* numbers, u8* marks, u64 lines, u32* places, u32* found);
    Scanned (*wide)(u64* numbers, u8* marks, u64 lines, u32* places, u64* found);
};

extern const ScanKernel kScanPlain;
#if defined(KTSOLVE_X86_64_LEVELS)
extern const ScanKernel kScanV3, kScanV4;
#endif

// That of the level in use (ktsolve/common/vectors.hpp).
const ScanKernel& scan_kernel();

} // namespace ktsolve::join
