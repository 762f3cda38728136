# All tasks of the project. `make` alone prints this list.
#   make run         build the command without its server and its tables, a third of the build; print the samples' clusters
#   make test        everything a change must pass; installs what it needs
#   make test-long   large sets and long searches for bugs, about an hour
#   make fuzz        every parser by libFuzzer, FUZZ_SECONDS (600) each
#   make fuzz-long   the same in turns for two hours, summed with earlier runs in build/fuzz
#   make sanitize    the inner loops' tests and the whole command under AddressSanitizer, and Miri where it is installed
#   make install-c   the C library into PREFIX
#   make wheel       the package for Python, into dist/, checked in a fresh environment, and its sources (sdist)
#   make docs        the library's documentation, that of the Python module in target/doc/python, and the standard as HTML
#                    and PDF in target/doc/standard
#   make eval        accuracy on a corpus built from Debian packages (downloads some hundred MB)
#   make foreign     scores by other people's benchmarks in folders that you have (eval/README.md); fetches nothing
#   make bench       speed against other programs, and the time of `make run`, 35 minutes; make bench-short, 10 minutes

.PHONY: help run test test-long fuzz fuzz-long sanitize install-c wheel docs eval foreign bench bench-short bench-tiny
help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

run:
	@scripts/install-tools.sh run
	cargo build --release --package nearprint-cli --no-default-features
	@echo
	$${CARGO_TARGET_DIR:-target}/release/nearprint clusters --format table samples/documents

test:
	@scripts/install-tools.sh test
	@scripts/test.sh

test-long:
	@scripts/install-tools.sh test
	@scripts/test-long.sh

sanitize:
	@scripts/sanitize.sh
	@scripts/sanitize_command.sh

FUZZ_SECONDS ?= 600
fuzz:
	@scripts/install-tools.sh fuzz
	@scripts/fuzz.sh $(FUZZ_SECONDS) $(FUZZ_TARGETS)

fuzz-long:
	@scripts/install-tools.sh fuzz
	@python3 scripts/fuzz_campaign.py

install-c:
	cargo build --release --package nearprint-c
	bindings/c/install.sh $${CARGO_TARGET_DIR:-target}/release $(PREFIX)

wheel:
	@scripts/install-tools.sh wheel
	@scripts/wheel.sh wheel dist
	@python3 scripts/check_wheel.py dist/*.whl
	@.venv/bin/maturin sdist --manifest-path bindings/python/Cargo.toml --out dist

docs:
	@scripts/install-tools.sh test
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features
	scripts/python.sh --docs
	.venv/bin/python scripts/standard_pages.py $${CARGO_TARGET_DIR:-target}/doc/standard

eval:
	@scripts/install-tools.sh run
	cargo build --release --package nearprint-cli
	eval/run.sh $${CARGO_TARGET_DIR:-target}/release/nearprint

# By the folders that WCXB, ARTICLE_EXTRACTION, TRAFILATURA, READABILITY and SUITES name; peers from the environment of
# FOREIGN_PYTHON. RECORD=FILE stores the record.
FOREIGN_PYTHON ?= python3
foreign:
	cargo build --release --package nearprint-cli
	$(FOREIGN_PYTHON) eval/foreign --nearprint $${CARGO_TARGET_DIR:-target}/release/nearprint $(if $(RECORD),--record $(RECORD))

bench bench-short:
	@scripts/install-tools.sh run
	python3 bench/run.py $(if $(filter bench,$@),full,short)

bench-tiny:
	python3 -m unittest discover --start-directory bench
	python3 bench/run.py tiny
