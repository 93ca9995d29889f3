// Chooses the loop that turns a dense sum into a list of entries, for the processor at hand.
#include "join/line_scan.hpp"

#include "ktsolve/common/vectors.hpp"

namespace ktsolve::join {

const ScanKernel& scan_kernel() {
#if defined(KTSOLVE_X86_64_LEVELS)
    if (vector_level() == VectorLevel::v4) return kScanV4;
    if (vector_level() == VectorLevel::v3) return kScanV3;
#endif
    return kScanPlain;
}

} // namespace ktsolve::join
