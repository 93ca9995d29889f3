# Two commands do everything: `make verify` and `make test`. Both build and install into .venv first.

PYTHON ?= python3
CXX ?= g++
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet

NATIVE := $(wildcard native/CMakeLists.txt native/*/*.cpp native/*/*.hpp native/*/*/*.cpp native/*/*/*.hpp)
CORE := $(wildcard native/src/*.cpp native/src/*/*.cpp)
NATIVE_TESTS := $(patsubst native/tests/test_%.cpp,%,$(wildcard native/tests/test_*.cpp))
THREADED_TESTS := threads mosaic
# Objects and tests of each variant lie in build/native/VARIANT.
SANITIZERS_memory := address,undefined
SANITIZERS_threads := thread
SANITIZE = -fsanitize=$(SANITIZERS_$(1)) -std=c++20 -O1 -g -Wall -Wextra -Wshadow -Wpedantic -Werror -Inative/include -Inative/src \
	-pthread -fno-sanitize-recover=all -fno-omit-frame-pointer

.PHONY: all verify test test-slow test-random test-browser docs pictures test-native test-native-threads test-wheel lint format bench clean
all: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml $(NATIVE)
	@tools/make-venv $(PYTHON) $(VENV)
	@echo "building and installing ktsolve into $(VENV) ..."
	@$(PIP) --editable '.[test]'
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
$(VENV)/.lint $(VENV)/.browser $(VENV)/.docs: $(VENV)/.%: $(VENV)/.installed
	@$(BIN)/python -c 'import sys, tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"][sys.argv[1]], sep="\n")' $* > $@.txt
	@$(PIP) --requirement $@.txt || { echo "ktsolve: the packages of the extra '$*' could not be installed" >&2; exit 2; }
	@touch $@

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

# Build the wheel, install it into an empty environment, and use it from another folder.
test-wheel: all
	tools/test-wheel $(BIN)/python

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
