# The one door. `make` alone prints this list.
#   make run         build, fingerprint the samples, print their clusters
#   make test        everything a change must pass; installs what it needs
#   make docs        the library's documentation
# Each prints the one command to give where it needs root and does not have it.

.PHONY: help run test docs
help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile

run:
	@scripts/install-tools.sh run
	cargo build --release --package nearprint-cli
	@echo
	target/release/nearprint clusters --format table --loose samples/documents

test:
	@scripts/install-tools.sh test
	@scripts/test.sh

docs:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features
