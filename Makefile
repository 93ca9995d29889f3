# Two commands do everything: `make verify` and `make test`. Both build and install into .venv first.

PYTHON ?= python3
CXX ?= g++
VENV := .venv
BIN := $(VENV)/bin

# Python keeps compiled modules, also where the environment says not to: else each process of the tests, some
# thousands, would compile all that it imports.
export PYTHONDONTWRITEBYTECODE :=

NATIVE := $(wildcard native/CMakeLists.txt native/*/*.cpp native/*/*.hpp native/*/*/*.cpp native/*/*/*.hpp native/*/*/*/*.hpp)
CORE := $(wildcard native/src/*/*.cpp)
CORE_memory := $(CORE)
CORE_portable := $(CORE)
# What the tests with threads link, and no more: compiling it takes minutes.
CORE_threads := $(filter $(addprefix native/src/,$(addsuffix /%,common divide frontier join lists quotient sequences strip)),$(CORE))
NATIVE_TESTS := $(patsubst native/tests/test_%.cpp,%,$(wildcard native/tests/test_*.cpp))
NATIVE_FUZZ := $(patsubst native/tests/fuzz_%.cpp,%,$(wildcard native/tests/fuzz_*.cpp))
THREADED_TESTS := threads threads_join mosaic guard guard_threads lists
# Objects and tests of each compiler and variant lie in build/native/COMPILER/VARIANT.
NATIVE_BUILD := build/native/$(notdir $(firstword $(CXX)))
SANITIZED := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -Og
# Checks of each address beside those of AddressSanitizer take a third of the time to compile: the variant portable has them.
VARIANT_memory := $(SANITIZED) -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr
VARIANT_threads := -fsanitize=thread -fno-sanitize-recover=all -fno-omit-frame-pointer -Og -DKTSOLVE_SMALL_TASKS
# What other compilers and systems get, with 64-bit integers of another type, as on macOS and Windows.
VARIANT_portable := $(SANITIZED) -DKTSOLVE_PORTABLE -include native/tests/other_integers.hpp
# The sources for wider vectors, on processors that have levels.
LEVELS := $(if $(findstring x86_64,$(shell $(CXX) -dumpmachine)),-DKTSOLVE_X86_64_LEVELS)
LEVELS_memory := $(LEVELS)
LEVELS_threads := $(LEVELS)
CLANG_WARNINGS := $(if $(findstring clang,$(CXX)),-Wconversion -Wno-sign-conversion)
NATIVE_FLAGS = -std=c++20 -g1 -Wall -Wextra -Wshadow -Wpedantic $(CLANG_WARNINGS) -Werror -Inative/include -Inative/src -Inative/tests \
	-pthread -MMD -MP

.PHONY: all verify test test-all test-slow test-random test-browser docs pictures test-native test-native-memory test-native-threads test-native-portable wasm fuzz fuzz-native test-wheel test-lowest wheel sdist dist lock lint format bench clean
all: $(VENV)/.installed

$(VENV)/.packages: pyproject.toml constraints.txt tools/make-venv tools/install tools/requirements.py
	@tools/make-venv $(PYTHON) $(VENV)
	@echo "installing the packages that ktsolve needs into $(VENV): half a minute or more, as the network is"
	@tools/install $(BIN)/python build project test
	@touch $@

# The build keeps its files in build/cmake: a change of one source compiles one source.
$(VENV)/.installed: $(VENV)/.packages $(NATIVE)
	@echo "building ktsolve: about a minute and a half on two cores when everything is new"
	@tools/with_progress.py "building ktsolve" build/install.log $(BIN)/python -m pip --disable-pip-version-check install --verbose \
		--no-build-isolation --no-deps --editable .
	@$(BIN)/python -m compileall -q ktsolve models
	@touch $@

verify: all
	@$(BIN)/ktsolve verify

# Three minutes: what notices the faults of a change.
test: all
	$(BIN)/python -m pytest -n auto --dist worksteal

# All but the slow tests, property tests with twice the examples, and half a minute of fuzzing, on all processors. The seed
# is always the same, so that it tells what a change does; make fuzz looks for what is new. Many tests wait: one process more.
test-all: all
	$(BIN)/python -m pytest -n $$(($$(nproc) + 1)) --dist worksteal --hypothesis-profile full -m "not slow and not browser"
	$(BIN)/python tests/support/fuzz --seconds 30 --seed 1 --processes "$$(nproc)"

# Other examples than those that make test draws each time, and all of them.
test-random: all
	$(BIN)/python -m pytest -n auto --dist worksteal --hypothesis-profile default

# What takes an hour, with the native code that starts threads under ThreadSanitizer, and all of UBSan's checks.
test-slow: all test-native-threads test-native-portable
	$(BIN)/python -m pytest -m slow --timeout 7200

# The player and the studio in headless Chromium, and the site if there is one; installs Debian's, and Playwright from PyPI.
test-browser: $(VENV)/.browser
	@tools/have-chromium
	$(BIN)/python -m pytest -n auto -m browser tests/render tests/site tests/wings/studio

# The documentation as a site, in build/site; once the packages are installed it needs no network.
docs: $(VENV)/.docs
	$(BIN)/python tools/site/build.py

# The pictures that are kept in the checkout.
pictures: all
	$(BIN)/python tools/site/pictures.py

# An extra of pyproject.toml, installed beside the rest.
$(VENV)/.lint $(VENV)/.browser $(VENV)/.docs $(VENV)/.release: $(VENV)/.%: $(VENV)/.installed
	@tools/install $(BIN)/python $*
	@touch $@

# Every reader with changed inputs and with files of known meaning, and forged certificates: make fuzz SECONDS=3600. What
# fails is written to tests/data/fuzz, which the tests read.
SECONDS ?= 60
fuzz: all
	$(BIN)/python tests/support/fuzz --seconds $$(($(SECONDS) * 3 / 4))
	cd tests/support && ../../$(BIN)/python -m fuzz.certificates --number 1000000000 --seconds $$(($(SECONDS) / 4))
	@$(MAKE) --no-print-directory fuzz-native

# The native core by itself, which needs no Python: all tests under AddressSanitizer and UBSan, and those that
# start threads under ThreadSanitizer. `make test-native CXX=clang++` keeps its own objects.
test-native: test-native-memory test-native-threads
test-native-memory: $(NATIVE_TESTS:%=$(NATIVE_BUILD)/memory/test_%)
test-native-threads: $(THREADED_TESTS:%=$(NATIVE_BUILD)/threads/test_%)
# The same tests without all that not every compiler and system has: 128-bit integers, vectors, mapped files.
test-native-portable: $(NATIVE_TESTS:%=$(NATIVE_BUILD)/portable/test_%)
test-native-memory test-native-threads test-native-portable:
	@printf '%s\n' $^ | xargs -P "$$(nproc)" -I TEST sh -c 'TEST || exit 255'

# Random and damaged inputs for what reads data and for engines against each other, for SECONDS in all. SEED repeats a run.
SEED ?=
fuzz-native: $(NATIVE_FUZZ:%=$(NATIVE_BUILD)/memory/fuzz_%)
	@for target in $^; do $$target $$(( $(SECONDS) / $(words $^) + 1 )) $(SEED) || exit 1; done

# The headers of the standard library are compiled once; a variant that includes something before them reads them each time.
STANDARD_memory := standard.hpp
STANDARD_threads := standard.hpp

define NATIVE_VARIANT
$(NATIVE_BUILD)/$(1)/standard.hpp.gch: native/src/common/standard.hpp
	@mkdir -p $$(dir $$@)
	@$$(CXX) $$(VARIANT_$(1)) $$(NATIVE_FLAGS) -x c++-header $$< -o $$@

$(NATIVE_BUILD)/$(1)/%.o: native/src/%.cpp $(STANDARD_$(1):%=$(NATIVE_BUILD)/$(1)/%.gch)
	@mkdir -p $$(dir $$@)
	@$$(CXX) $$(VARIANT_$(1)) $$(LEVELS_$(1)) $$(if $$(LEVEL),$$(LEVEL),$(STANDARD_$(1):%=-include $(NATIVE_BUILD)/$(1)/%)) \
		$$(NATIVE_FLAGS) -c $$< -o $$@

$(NATIVE_BUILD)/$(1)/%_v3.o: LEVEL = $$(if $$(LEVELS_$(1)),-march=x86-64-v3)
$(NATIVE_BUILD)/$(1)/%_v4.o: LEVEL = $$(if $$(LEVELS_$(1)),-march=x86-64-v4)

$(NATIVE_BUILD)/$(1)/core.a: $(CORE_$(1):native/src/%.cpp=$(NATIVE_BUILD)/$(1)/%.o)
	@rm -f $$@ && $$(AR) rcs $$@ $$^

$(NATIVE_BUILD)/$(1)/%: native/tests/%.cpp $(NATIVE_BUILD)/$(1)/core.a
	@$$(CXX) $$(VARIANT_$(1)) $(STANDARD_$(1):%=-include $(NATIVE_BUILD)/$(1)/%) $$(NATIVE_FLAGS) $$< $(NATIVE_BUILD)/$(1)/core.a -MF $$@.d -o $$@
endef
.SECONDARY:
$(foreach variant,memory threads portable,$(eval $(call NATIVE_VARIANT,$(variant))))
-include $(wildcard $(NATIVE_BUILD)/*/*.d $(NATIVE_BUILD)/*/*/*.d)

# The core as a WebAssembly module, and plans for its boards, for the page of ktsolve studio. Both are kept in the checkout,
# compressed: nothing else needs emscripten, which this installs.
STUDIO := ktsolve/wings/studio
WASM_CORE := native/wasm/core.cpp $(wildcard $(patsubst %,native/src/%/*.cpp,join search walk)) \
	$(patsubst %,native/src/frontier/%.cpp,count order plan) \
	native/src/graphs/separator.cpp $(patsubst %,native/src/common/%.cpp,process_room vectors)
WASM_FLAGS := -O3 -fwasm-exceptions -msimd128 -msse4.1 -mbulk-memory -msign-ext -mnontrapping-fptoint
# The function that a page gives is not defined here.
WASM_LINK := --no-entry -s STANDALONE_WASM=1 -s ALLOW_MEMORY_GROWTH=1 -s ERROR_ON_UNDEFINED_SYMBOLS=0 -s WARN_ON_UNDEFINED_SYMBOLS=0
wasm: build/wasm/core.wasm all
	@gzip -9nc $< > $(STUDIO)/core.wasm.gz
	@$(BIN)/python tools/studio_plans.py $(STUDIO)/plans.json.gz
	@$(BIN)/python tools/studio_sources.py $(WASM_CORE:native/%.cpp=build/wasm/%.d) > tests/data/studio_sources.json
	@ls -l $(STUDIO)/*.gz

build/wasm/core.wasm: $(WASM_CORE:native/%.cpp=build/wasm/%.o)
	@em++ $(WASM_FLAGS) $(WASM_LINK) $^ -o $@

build/wasm/%.o: native/%.cpp Makefile
	@tools/have-emscripten
	@mkdir -p $(dir $@)
	@em++ -std=c++20 -DNDEBUG $(WASM_FLAGS) -Inative/include -Inative/src -MMD -MP -c $< -o $@
-include $(wildcard build/wasm/*/*.d build/wasm/*/*/*.d)

# Wheels, each in an empty environment: of 3.11, and one for 3.12 and later. A Python that is not there is skipped.
PYTHONS ?= python3.11 python3.12 python3.13 python3.14
test-wheel: all
	tools/test-wheel $(BIN)/python $(PYTHONS)

# The same with the lowest versions of all dependencies.
test-lowest: all
	tools/test-wheel --lowest $(PYTHON)

# A wheel for the Python of .venv; the sdist, built in a folder of its own; both checked for the package index.
wheel: all
	@tools/wheel $(BIN)/python dist

sdist: $(VENV)/.release
	@rm -rf dist/*.tar.gz
	@$(BIN)/python -m build --sdist --no-isolation --outdir dist . > build/sdist.log || { cat build/sdist.log; exit 1; }
	@echo "dist: $$(ls dist/*.tar.gz)"

dist: $(VENV)/.release
	@rm -rf dist
	@$(MAKE) --no-print-directory wheel sdist
	@tools/check-dist $(BIN)/python dist

# The versions that constraints.txt has are those that every target installs.
lock: $(VENV)/.release
	tools/lock $(BIN)/python

# mypy sees the package as it is once installed, with models/ and instances/ inside.
lint: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(filter %.cpp %.hpp,$(NATIVE))
	@rm -rf build/types && mkdir -p build/types/ktsolve
	@ln -s $(CURDIR)/ktsolve/* $(CURDIR)/models $(CURDIR)/instances build/types/ktsolve/
	cd build/types && $(CURDIR)/$(BIN)/mypy --config-file ../../pyproject.toml --package ktsolve
	cd build/types && $(CURDIR)/$(BIN)/mypy --config-file ../../pyproject.toml \
		$(CURDIR)/tests $(CURDIR)/benchmarks $(CURDIR)/cli.py $(CURDIR)/tools/site
	@if command -v tsc > /dev/null; then tsc -p tools/studio/tsconfig.json; \
	else echo "the scripts of the studio are not checked: apt install node-typescript" >&2; fi

format: $(VENV)/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(filter %.cpp %.hpp,$(NATIVE))

bench: all
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf build dist $(VENV)
