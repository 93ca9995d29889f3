// Included before everything else by `make test-native-portable`: 64-bit integers are `long long`, as on
// macOS and Windows, where on Linux they are `long`. What compiles here does not rely on one of them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <concepts>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

using ktsolve_u64 = unsigned long long;
using ktsolve_i64 = long long;
namespace std {
using ::ktsolve_i64;
using ::ktsolve_u64;
} // namespace std
#define uint64_t ktsolve_u64
#define int64_t ktsolve_i64
