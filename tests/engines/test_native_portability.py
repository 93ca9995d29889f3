"""The C++ sources: what not every compiler and system has, and what runs on several threads.

The first stays in headers that have an alternative; the second is named by a test under ThreadSanitizer.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / "native"

# What MSVC, other systems or other processors do not have, and the headers that have an alternative for it.
_ONLY = {
    r"__builtin_\w+": {
        "src/common/integers.hpp",
        "src/common/prefetch.hpp",
        "src/common/processor.hpp",
        "src/join/contraction_kernel.hpp",
        "src/join/line_scan_kernel.hpp",
    },
    r"__int128": {"src/common/integers.hpp"},
    r"__attribute__|__extension__": {
        "src/common/integers.hpp",
        "src/common/eight.hpp",
        "src/join/contraction_kernel.hpp",
    },
    r"__atomic_\w+|std::atomic_ref": {"src/common/shared_words.hpp"},
    r"\bunistd\.h|\bgetpid\b|\b_getpid\b": {
        "src/common/files.hpp",
        "src/join/mapped_file.cpp",
        "src/common/process_guard.cpp",
    },
    r"\bmmap\b|\bmunmap\b|sys/mman\.h|sys/stat\.h": {"src/common/pages.hpp", "src/join/mapped_file.cpp"},
    r"\bfcntl\.h|\bsignal\.h|\bpid_t\b|\bssize_t\b": {
        "src/join/mapped_file.cpp",
        "src/common/process_guard.cpp",
    },
    r"\bmadvise\b|\baligned_alloc\b": {"src/common/pages.hpp"},
    r"\bmalloc_trim\b": {"src/common/return_memory.hpp"},
    r"std::fopen|std::rename|std::remove\(": {"src/common/files.hpp"},
    # 32 bits on Windows, 64 elsewhere.
    r"\bstd::ftell|\bstd::fseek|\bunsigned long\b(?! long)": set(),
    r"(?<!unsigned )(?<!long )\blong\b(?! long)(?! double)": set(),
    r"\b\d+u?l\b|\b\d+U?L\b|%lu|%ld|\boff_t\b": set(),
    # Instructions of one processor; directories of one system.
    r"immintrin|emmintrin|arm_neon|\b_mm_\w+|\basm\b": {"src/join/line_scan_kernel.hpp"},
    r"/proc/|/dev/": {"src/common/process_guard.cpp"},
    # Extensions of GNU that -Wpedantic does not refuse in every place.
    r"#\s*pragma GCC|\btypeof\b|__typeof__|\[\s*\d+\s*\.\.\.": set(),
}


def _sources() -> dict[str, str]:
    """The C++ files of the core and of its bindings, without comments and texts."""
    found = {}
    for folder in ("src", "include", "bindings"):
        for path in sorted((NATIVE / folder).rglob("*.?pp")):
            text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)
            found[path.relative_to(NATIVE).as_posix()] = text
    return found


def _faults(name: str, text: str) -> list[str]:
    return [
        f"{name}: {match.group()}"
        for pattern, allowed in _ONLY.items()
        if name not in allowed
        for match in re.finditer(pattern, text)
    ]


def test_what_not_every_compiler_has_is_in_one_header_per_subject() -> None:
    sources = _sources()
    assert not [fault for name, text in sources.items() for fault in _faults(name, text)]
    for allowed in _ONLY.values():
        assert allowed <= sources.keys()


@pytest.mark.parametrize(
    "line",
    [
        "int n = __builtin_popcountll(x);",
        "unsigned long n = 0;",
        "const long here = 3;",
        "std::uint64_t big = 1UL << 40;",
        'std::printf("%lu", n);',
        "#include <unistd.h>",
        "typedef int V __attribute__((vector_size(16)));",
        "std::FILE* file = std::fopen(name, mode);",
    ],
)
def test_the_rule_sees_what_it_forbids(line: str) -> None:
    assert _faults("src/some.cpp", line)


def test_the_rule_lets_standard_c_plus_plus_pass() -> None:
    assert not _faults(
        "src/some.cpp", "unsigned long long n = 5ull; long long m = 3; long double x = 0; u64 along;"
    )


# Objects for wider vectors than the processor may have: of an inline function that they shared with others,
# the linker could keep the one that the processor does not take.
_OF_A_LEVEL = re.compile(r"_(?:plain|v3|v4)\.cpp$")
_INCLUDED = re.compile(r'#include ([<"].+[>"])')
_KERNELS = {"contraction": "contraction_places", "line_scan": "line_scan"}
"""The names of the loops, and the headers that declare their tables."""
_LEVEL_HEADERS = {
    *(f'"join/{header}.hpp"' for header in _KERNELS.values()),
    '"common/eight.hpp"',
    '"common/integers.hpp"',
    "<immintrin.h>",
}


def _level_faults(kernel: str, places: str) -> list[str]:
    """What the loops of all levels and the header of their table may not have."""
    included = {*_INCLUDED.findall(kernel), *_INCLUDED.findall(places)}
    faults = sorted(included - _LEVEL_HEADERS)
    faults += re.findall(r"\bstd::\w+", kernel)
    before, _, after = kernel.partition("namespace {")
    within, _, behind = after.partition("} // namespace\n")
    return (
        faults
        + re.findall(r"\w+\([^)]*\) *(?:const *)?\{", before + behind)
        + ([] if within else ["no namespace"])
    )


def test_loops_for_wider_vectors_share_no_function_with_other_objects() -> None:
    source = NATIVE / "src" / "join"
    for kernel, header in _KERNELS.items():
        text = (source / f"{kernel}_kernel.hpp").read_text("utf-8")
        assert not _level_faults(text, (source / f"{header}.hpp").read_text("utf-8"))
        assert _level_faults(text + "#include <vector>\n", "")
        assert _level_faults(text + "inline int twice(int n) { return 2 * n; }\n", "")
        assert _level_faults(text + "int n = std::min(1, 2);", "")
    levels = [path for path in (NATIVE / "src").rglob("*.cpp") if _OF_A_LEVEL.search(path.name)]
    assert len(levels) == 3 * len(_KERNELS)
    for path in levels:
        lines = [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("//")]
        said = ("#if", "#endif", "#define KTSOLVE_KERNEL ")
        rest = [line for line in lines if not line.startswith(said)]
        assert rest == [f'#include "join/{_OF_A_LEVEL.sub("", path.name)}_kernel.hpp"']


# What starts threads, or is shared by them.
_THREADED = re.compile(
    r"\bworkers_?(?:\.|->)run\(|\bbuild_layer\(|std::mutex|std::atomic\b|std::atomic<|std::thread|"
    r"condition_variable|\b(?:load|add_to|set_in)_shared\("
)


def _threaded_tests() -> dict[str, str]:
    names = re.search(r"^THREADED_TESTS := (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert names is not None
    return {
        name: (NATIVE / "tests" / f"test_{name}.cpp").read_text("utf-8") for name in names.group(1).split()
    }


def _named(text: str) -> set[str]:
    """The files that a test names after "Threads:" in the comment at its head."""
    head = re.match(r"(?://[^\n]*\n)+", text)
    listed = re.search(r"Threads:(.*)", head.group(), re.DOTALL) if head else None
    return set(re.findall(r"[\w/]+\.[ch]pp", listed.group(1))) if listed else set()


def test_all_that_runs_on_threads_is_named_by_a_test_under_thread_sanitizer() -> None:
    sources = {name.removeprefix("src/").removeprefix("include/"): text for name, text in _sources().items()}
    # A public header or one for tests of others needs no test of its own: its sources have them.
    threaded = {
        name for name, text in sources.items() if _THREADED.search(text) and not name.startswith("bindings/")
    }
    named = set().union(*map(_named, _threaded_tests().values()))
    assert threaded - named == set(), "a source uses threads and no test of THREADED_TESTS names it"
    assert named - sources.keys() == set(), "a test names a source that is not there"
