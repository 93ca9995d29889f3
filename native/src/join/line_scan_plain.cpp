// The loops of line_scan_kernel.hpp for the level that the build asks for.
#define KTSOLVE_KERNEL kScanPlain
#include "join/line_scan_kernel.hpp"
