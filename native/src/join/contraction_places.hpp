// Where the sums of a contraction are in memory; see contraction.hpp.
#pragma once

#include "common/eight.hpp"

namespace ktsolve::join {

// For k pairs and mate x of the first end, from 1: for each matching of 2k-2 ends, 2k-2 ranks of b. Those of
// all x lie one after another.
struct ContractionPlaces {
    const u16 *four = nullptr, *five = nullptr, *six = nullptr;
    const u32* seven = nullptr;
};

// The matchings of 1 to 6 pairs: what a contraction of up to 7 needs beside b and the result.
inline constexpr u64 kContractionScratch = 3 + 15 + 105 + 945 + 10395;

// What is compiled for each level of vector instructions. Values of patterns lie side by side in rows, a row
// for each matching, unless they lie in columns.
struct ContractionKernel {
    // Writes C_k(b) to `closed`, for 1 to 7 pairs. `scratch` has kContractionScratch rows.
    void (*close_narrow)(int pairs, const Narrow8* b, Narrow8* closed, const ContractionPlaces&,
                         Narrow8* scratch);
    void (*close_wide)(int pairs, const Wide8* b, Wide8* closed, const ContractionPlaces&, Wide8* scratch);
    // Rows of eight columns, each of which begins `stride` numbers after the one before.
    void (*rows_narrow)(const u32* columns, u64 stride, u64 many, Narrow8* rows);
    void (*rows_wide)(const u64* columns, u64 stride, u64 many, Wide8* rows);
};

extern const ContractionKernel kContractionPlain;
#if defined(KTSOLVE_X86_64_LEVELS)
extern const ContractionKernel kContractionV3, kContractionV4;
#endif

} // namespace ktsolve::join
