// The loops of line_scan_kernel.hpp for x86-64-v4.
#if defined(KTSOLVE_X86_64_LEVELS)
#define KTSOLVE_KERNEL kScanV4
#include "join/line_scan_kernel.hpp"
#endif
