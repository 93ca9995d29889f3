# Two commands do everything: `make verify` and `make test`. Both build and install into .venv first.

PYTHON ?= python3
CXX ?= g++
VENV := .venv
BIN := $(VENV)/bin

NATIVE := $(wildcard native/CMakeLists.txt native/*/*.cpp native/*/*.hpp native/*/*/*.cpp native/*/*/*.hpp)
CORE := $(wildcard native/src/*.cpp native/src/*/*.cpp)
NATIVE_TESTS := $(patsubst native/tests/test_%.cpp,%,$(wildcard native/tests/test_*.cpp))
THREADED_TESTS := threads mosaic guard
# Objects and tests of each variant lie in build/native/VARIANT.
SANITIZERS_memory := address,undefined
SANITIZERS_threads := thread
SANITIZE = -fsanitize=$(SANITIZERS_$(1)) -std=c++20 -O1 -g -Wall -Wextra -Wshadow -Wpedantic -Werror -Inative/include -Inative/src \
	-pthread -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: all verify test test-slow test-random test-browser docs pictures test-native test-native-threads fuzz test-wheel test-lowest wheel sdist dist lock lint format bench clean
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
	@touch $@

verify: all
	@$(BIN)/ktsolve verify

test: all
	$(BIN)/python -m pytest -n auto

# Other examples than those that make test draws each time.
test-random: all
	$(BIN)/python -m pytest -n auto --hypothesis-profile default

test-slow: all
	$(BIN)/python -m pytest -m slow --timeout 7200

# The player in headless Chromium, and the site if there is one; installs Debian's, and Playwright from PyPI.
test-browser: $(VENV)/.browser
	@tools/have-chromium
	$(BIN)/python -m pytest -m browser

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

# Every reader with changed inputs, and forged certificates: make fuzz SECONDS=3600. What fails is kept in build/fuzz.
SECONDS ?= 60
fuzz: all
	$(BIN)/python tests/fuzz --seconds $$(($(SECONDS) * 3 / 4))
	cd tests && ../$(BIN)/python -m fuzz.certificates --number 1000000000 --seconds $$(($(SECONDS) / 4))
	@! grep -q '^fuzz-native' Makefile || $(MAKE) fuzz-native

# The native core by itself, which needs no Python: all tests under AddressSanitizer and UBSan, and those that
# start threads under ThreadSanitizer.
test-native: $(NATIVE_TESTS:%=build/native/memory/test_%)
test-native-threads: $(THREADED_TESTS:%=build/native/threads/test_%)
test-native test-native-threads:
	@for test in $^; do $$test || exit 1; done

define SANITIZED
build/native/$(1)/%.o: native/src/%.cpp $(filter %.hpp,$(NATIVE))
	@mkdir -p $$(dir $$@)
	@$(CXX) $(SANITIZE) -c $$< -o $$@

build/native/$(1)/test_%: native/tests/test_%.cpp $(filter %.hpp,$(NATIVE)) $(CORE:native/src/%.cpp=build/native/$(1)/%.o)
	@$(CXX) $(SANITIZE) -Inative/tests $$(filter-out %.hpp,$$^) -o $$@
endef
.SECONDARY:
$(foreach variant,memory threads,$(eval $(call SANITIZED,$(variant))))

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

format: $(VENV)/.lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(filter %.cpp %.hpp,$(NATIVE))

bench: all
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf build dist $(VENV)
