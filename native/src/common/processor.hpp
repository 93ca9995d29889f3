// Whether the processor has the instructions of a level of x86-64, and the build the loops for it
// (KTSOLVE_X86_64_LEVELS, which native/CMakeLists.txt sets).
#pragma once

namespace ktsolve {

#if defined(KTSOLVE_X86_64_LEVELS)
// What every processor with these extensions has too (LZCNT, MOVBE, F16C) not all compilers know by name.
inline bool has_x86_64_v3() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}
inline bool has_x86_64_v4() {
    return has_x86_64_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}
#else
inline bool has_x86_64_v3() {
    return false;
}
inline bool has_x86_64_v4() {
    return false;
}
#endif

} // namespace ktsolve
