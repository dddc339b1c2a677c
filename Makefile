# The one-line loop: `make` builds, `make demo` shows, `make test` proves. CONTRIBUTING.md says more.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
BINDIR ?= $(PREFIX)/bin
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
UNITDIR ?= $(PREFIX)/lib/systemd/system
STRIP ?= strip
# Seconds for each fuzz target.
FUZZ_SECONDS ?= 60

# A fully static executable: it needs nothing on the machine that it is copied to, and starts in
# half the time of one that loads the Swift runtime. Without debug information, which takes time to
# make and which `make install` would strip. The linker writes in one go, not through a mapping, which
# leaves the file in the page cache in single pages: each start maps them, a fifth of its time.
STATIC = -c release --static-swift-stdlib -Xswiftc -static-executable -Xswiftc -warnings-as-errors \
  -debug-info-format none -Xlinker --no-mmap-output-file $(SIDE_BY_SIDE)
# A module is compiled as soon as the interfaces of those below it are known, not when their code is
# finished: a third of the time. Swift makes an interface beforehand only where nothing is optimized across
# modules on the compiler's own account; what is marked `@inlinable` still is. Without the third, file lists
# of random names stand in the commands: each new plan would compile everything again.
SIDE_BY_SIDE = --use-integrated-swift-driver -Xswiftc -disable-cmo \
  -Xswiftc -driver-filelist-threshold=1000000
# The code asks for the metadata of generic types directly. Usually it gives their names to the runtime, which searches
# all conformances for what each type needs: a third of the instructions of a short command.
STATIC += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Where the runtime would abort for want of memory, RedoShell ends the process with a message.
RELEASE = $(STATIC) -Xlinker --wrap=_ZN5swift28swift_abortAllocationFailureEmm -Xlinker --wrap=malloc
# The tests: nobody steps through them while they are only run. The index of symbols is what they are discovered by.
TESTING = -debug-info-format none -Xswiftc -warnings-as-errors
BIN = .build/release
# The compiler spends a tenth of its time on getting small pages of memory; with large ones it does not.
# It leaves a directory behind for each module, so it gets a place of its own for these.
COMPILE = mkdir -p .build/tmp && TMPDIR="$(CURDIR)/.build/tmp" \
  GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864 $(SWIFT) build
# The Python of the oracles; `make deps` makes it.
ORACLE = $(CURDIR)/.build/oracle/bin/python
# Where python3 itself is, if that of the PATH is a script which looks for it: that takes ten times as long, each time.
PYTHON = $(shell head -c 2 "$$(command -v python3)" 2>/dev/null | grep -q '^\#!' && \
  python3 -c 'import os, sys; print(os.path.dirname(os.path.realpath(sys.executable)) + ":")')

MAN = $(wildcard man/*.[157])
THIN = $(filter-out redo-net redo-index-sqlite,$(notdir $(wildcard Sources/redo-*)))
# The packages that redo-net and redo-index-sqlite need are fetched and compiled only if these are 1 (Package.swift).
export REDO_NETWORK = 1
export REDO_INDEX = 1

.NOTPARALLEL:
.PHONY: build thin demo test soak check lint man tidy library bench fuzz install clean deps deps-build deps-bench \
  generate help

# redo-net first: its packages are compiled on one processor while redo's largest module is on the other.
build: ## redo, redo-net and redo-index-sqlite in .build/release, static, and a link for each command
	$(COMPILE) $(RELEASE) --product redo-net
	$(COMPILE) $(RELEASE) --product redo
	$(COMPILE) $(STATIC) --product redo-index-sqlite
	for name in redo redo-net; do \
	  for command in $$($(BIN)/$$name --list-commands); do \
	    ln -sf $$name "$(BIN)/redo-$$command" || exit; \
	  done; \
	done

thin: export REDO_THIN = 1
thin: ## the executables that are one command each, in place of the links; `make` puts these back
	for name in $(THIN); do $(COMPILE) $(RELEASE) --product $$name || exit; done

# redo alone, without the packages of redo-net, unless they are there: taking them away here would make
# the next `make` fetch and compile them again.
demo: export REDO_NETWORK = $(if $(wildcard .build/checkouts/swift-nio),1,0)
demo: export REDO_INDEX = $(if $(wildcard .build/checkouts/GRDB.swift),1,0)
demo: deps-build ## a store, a log of 10,000 changes, a few pipelines
	$(COMPILE) $(RELEASE) --product redo
	REDO_BIN_DIR="$(CURDIR)/$(BIN)" Demo/run

# What is random is so from one commit to the next, and the same in every run of one.
test: export REDO_SEED ?= $(shell printf %d 0x$$(git rev-parse HEAD 2>/dev/null | cut -c1-7 | grep . || echo 1))
# What has failed is told again at the end, where whoever sees only that finds it.
# The program of Tests/Library is built beside the rest: it uses one processor for a part of its time.
test: deps lint man ## everything; `swift test` and its summary come last
	@mkdir -p .build
	{ $(MAKE) library; echo $$? >.build/library.status; } >.build/library.out 2>&1 & \
	$(MAKE) tidy; status=$$?; wait; cat .build/library.out; \
	exit $$((status | $$(cat .build/library.status)))
	$(COMPILE) --build-tests $(TESTING)
	Tests/Fuzz/run --check
	{ PATH="$(PYTHON)$$PATH" REDO_BIN_DIR="$(CURDIR)/$(BIN)" REDO_PYTHON="$(ORACLE)" \
	    $(SWIFT) test --skip-build $(TESTING); echo $$? >.build/tests.status; } 2>&1 | tee .build/tests.log
	@grep -a '✘' .build/tests.log | cut -c 1-2000; exit "$$(cat .build/tests.status)"

soak: export REDO_SOAK = 1
soak: export REDO_SEED ?= $(shell date +%s)
soak: test ## the same with every step of the long sweeps: each call of each writer, thousands of steps; hours

check: lint man tidy ## format, manual pages, tidiness

lint:
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests

man: ## checks the manual pages; `man -l man/redo.1` shows one
	@command -v mandoc >/dev/null || { echo "make: mandoc is missing; 'make deps' installs it" >&2; exit 1; }
	mandoc -T lint -W warning $(MAN)

tidy: build
	REDO_BIN_DIR="$(CURDIR)/$(BIN)" python3 Tests/Tidy/run
	SWIFT="$(SWIFT)" REDO_MODULES="$(CURDIR)/$(BIN)/Modules" Tests/Library/interface

# A package of its own, which is built without what talks to the network, and without its warnings being errors.
library: ## the program of Tests/Library, which imports RedoRepository, and what it prints
	SWIFT="$(SWIFT)" REDO_PYTHON="$(ORACLE)" Tests/Library/run
	SWIFT="$(SWIFT)" REDO_MODULES="$(CURDIR)/.build/library/debug/Modules" Tests/Library/interface

generate: build ## redo-rules(7), redo-exchange(7) and the completions, from the tables of rules, tests and options
	man/make-rules > man/redo-rules.7
	man/make-exchange > man/redo-exchange.7
	REDO_BIN_DIR="$(CURDIR)/$(BIN)" completions/make

bench: deps-bench build ## ratios to git and to raw libsodium, on 100,000 changes
	REDO_BIN_DIR="$(CURDIR)/$(BIN)" REDO_PYTHON="$(ORACLE)" Tests/Bench/run

fuzz: deps-build ## each fuzz target for FUZZ_SECONDS
	@if [ -x Tests/Fuzz/run ]; then FUZZ_SECONDS=$(FUZZ_SECONDS) Tests/Fuzz/run; \
	else echo "make: there are no fuzz targets yet"; fi

install: build ## redo, redo-net, redo-index-sqlite, links, manual pages and completions below DESTDIR and PREFIX
	install -d "$(DESTDIR)$(BINDIR)" \
	  "$(DESTDIR)$(MANDIR)/man1" "$(DESTDIR)$(MANDIR)/man5" "$(DESTDIR)$(MANDIR)/man7" \
	  "$(DESTDIR)$(DATADIR)/bash-completion/completions" \
	  "$(DESTDIR)$(DATADIR)/zsh/site-functions" \
	  "$(DESTDIR)$(DATADIR)/fish/vendor_completions.d" "$(DESTDIR)$(UNITDIR)"
	for name in redo redo-net; do \
	  $(STRIP) -o "$(BIN)/$$name.stripped" "$(BIN)/$$name" && \
	  install -m 755 "$(BIN)/$$name.stripped" "$(DESTDIR)$(BINDIR)/$$name" && \
	  for command in $$($(BIN)/$$name --list-commands); do \
	    ln -sf $$name "$(DESTDIR)$(BINDIR)/redo-$$command" || exit; \
	  done || exit; \
	done
	$(STRIP) -o "$(BIN)/redo-index-sqlite.stripped" "$(BIN)/redo-index-sqlite"
	install -m 755 "$(BIN)/redo-index-sqlite.stripped" "$(DESTDIR)$(BINDIR)/redo-index-sqlite"
	install -m 644 systemd/redo-serve.socket "$(DESTDIR)$(UNITDIR)"
	sed 's|/usr/local/bin/|$(BINDIR)/|' systemd/redo-serve.service >"$(DESTDIR)$(UNITDIR)/redo-serve.service"
	install -m 644 man/*.1 "$(DESTDIR)$(MANDIR)/man1"
	install -m 644 man/*.5 "$(DESTDIR)$(MANDIR)/man5"
	install -m 644 man/*.7 "$(DESTDIR)$(MANDIR)/man7"
	install -m 644 completions/redo.bash "$(DESTDIR)$(DATADIR)/bash-completion/completions/redo"
	install -m 644 completions/_redo "$(DESTDIR)$(DATADIR)/zsh/site-functions/_redo"
	install -m 644 completions/redo.fish "$(DESTDIR)$(DATADIR)/fish/vendor_completions.d/redo.fish"
	for command in $$($(BIN)/redo --list-commands); do \
	  ln -sf redo "$(DESTDIR)$(DATADIR)/bash-completion/completions/redo-$$command" && \
	  ln -sf redo.fish "$(DESTDIR)$(DATADIR)/fish/vendor_completions.d/redo-$$command.fish" || \
	  exit; \
	done

clean: ## takes away what was built, the oracles' Python environment too
	rm -rf .build

deps: ## installs what tests need and this machine lacks, and says what
	SWIFT="$(SWIFT)" tools/deps test

deps-build:
	SWIFT="$(SWIFT)" tools/deps build

deps-bench:
	SWIFT="$(SWIFT)" tools/deps bench

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile | expand -t 18
