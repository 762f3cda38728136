# Runs checks by name, each with its time; all run, even after one has failed, and the last line counts them.
# For test.sh and test-long.sh, which define the checks as functions: `run_named NAME...`.
run_named() {
    local passed=0 failed=() name start
    for name in "$@"; do
        echo "== $name"
        start=$SECONDS
        if "$name"; then passed=$((passed + 1)); else failed+=("$name"); echo "!! $name failed"; fi
        echo "-- $name: $((SECONDS - start)) s"
    done
    [ ${#failed[@]} -eq 0 ] || echo "failed: ${failed[*]}"
    echo "checks: $passed passed, ${#failed[@]} failed"
    [ ${#failed[@]} -eq 0 ]
}
