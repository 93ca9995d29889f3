// Integers of 128 bits in two limbs, sums and products that are checked, eight numbers side by side: as the
// compiler has them, or by a second way.
#include "check.hpp"
#include "common/eight.hpp"
#include "common/integers.hpp"
#include "common/shared_words.hpp"
#include "common/uint128.hpp"

using namespace ktsolve;

namespace {

u64 some_word(std::mt19937_64& random) {
    switch (random() % 5) {
    case 0:
        return random() % 4;
    case 1:
        return ~u64{0} - random() % 4;
    case 2:
        return u64{1} << random() % 64;
    default:
        return random() >> random() % 64;
    }
}

UInt128 some(std::mt19937_64& random) {
    return {random() % 3 == 0 ? 0 : some_word(random), some_word(random)};
}

u64 high(UInt128 value) {
    return static_cast<u64>(value >> 64);
}
u64 low(UInt128 value) {
    return static_cast<u64>(value);
}

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 Built;

Built built(UInt128 value) {
    return Built{high(value)} << 64 | low(value);
}

void as_the_compiler_does() {
    std::mt19937_64 random(1);
    const auto same = [](UInt128 a, Built b) {
        return low(a) == static_cast<u64>(b) && high(a) == static_cast<u64>(b >> 64);
    };
    for (int round = 0; round < 200000; ++round) {
        const UInt128 a = some(random), b = some(random);
        const Built x = built(a), y = built(b);
        const int by = static_cast<int>(random() % 128);
        CHECK(same(a + b, x + y) && same(a - b, x - y) && same(a * b, x * y));
        CHECK(same(a | b, x | y) && same(a & b, x & y) && same(a << by, x << by) && same(a >> by, x >> by));
        CHECK((a < b) == (x < y) && (a <= b) == (x <= y) && (a == b) == (x == y) && (a > b) == (x > y));
        if (b != 0) CHECK(same(a / b, x / y) && same(a % b, x % y));
    }
}
#else
void as_the_compiler_does() {}
#endif

// Identities that hold whatever the compiler has.
void quotients_and_rests() {
    std::mt19937_64 random(2);
    for (int round = 0; round < 100000; ++round) {
        const UInt128 a = some(random), b = some(random);
        if (b == 0) continue;
        const UInt128 quotient = a / b, rest = a % b;
        CHECK(rest < b && quotient * b + rest == a);
    }
    UInt128 sum = 7;
    sum += u64{5};
    sum *= 3;
    sum -= 1;
    sum /= 5;
    sum %= 4;
    CHECK(sum == 3 && static_cast<int>(sum) == 3 && UInt128(-1) == UInt128(~u64{0}, ~u64{0}));
    CHECK(static_cast<double>(UInt128(1, 0)) == 18446744073709551616.0);
}

template <class T> void overflows(T largest) {
    T result = 0;
    CHECK(!add_overflows(largest, T(0), &result) && result == largest);
    CHECK(add_overflows(largest, T(1), &result) && add_overflows(largest, largest, &result));
    CHECK(!multiply_overflows(largest, T(1), &result) && result == largest);
    CHECK(!multiply_overflows(T(0), largest, &result) && result == T(0));
    CHECK(multiply_overflows(largest, T(2), &result));
    const T third = largest / T(3);
    CHECK(!multiply_overflows(third, T(3), &result) && result == third * T(3));
    CHECK(multiply_overflows(T(third + T(1)), T(3), &result));
}

void eight_side_by_side() {
    Narrow8 a{}, b{};
    Wide8 c{};
    for (std::size_t i = 0; i < 8; ++i) {
        a[i] = static_cast<u32>(i);
        b[i] = ~u32{0};
        c[i] = u64{1} << (8 * i);
    }
    const Narrow8 sum = a + b;
    c += c;
    for (std::size_t i = 0; i < 8; ++i) CHECK(sum[i] == static_cast<u32>(i) - 1 && c[i] == u64{2} << (8 * i));
    u64 word = 5;
    add_to_shared(word, 2);
    set_in_shared(word, 8);
    CHECK(load_shared(word) == 15);
}

} // namespace

int main() {
    as_the_compiler_does();
    quotients_and_rests();
    overflows<u64>(~u64{0});
    overflows<u32>(~u32{0});
    overflows<u128>(u128(~u64{0}) << 64 | u128(~u64{0}));
    eight_side_by_side();
    return finish("integers");
}
