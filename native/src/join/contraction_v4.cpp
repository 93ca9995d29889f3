// The loops of contraction_kernel.hpp for x86-64-v4.
#if defined(KTSOLVE_X86_64_LEVELS)
#define KTSOLVE_KERNEL kContractionV4
#include "join/contraction_kernel.hpp"
#endif
