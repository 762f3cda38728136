# Runs checks by name, each with its time; all run, even after one has failed, and the last line counts them.
# For test.sh and test-long.sh, which define the checks as functions: `run_named NAME...`.
# Names joined by + run side by side, for checks that use one core each: `run_named build reference+mutations`.
run_named() {
    local passed=0 failed=() group name start logs
    logs=$(mktemp -d)
    for group in "$@"; do
        start=$SECONDS
        if [ "$group" = "${group#*+}" ]; then
            echo "== $group"
            "$group"
            conclude "$group" $?
            continue
        fi
        local -A running=()
        for name in ${group//+/ }; do
            "$name" >"$logs/$name" 2>&1 &
            running[$name]=$!
        done
        for name in ${group//+/ }; do
            wait "${running[$name]}"
            local status=$?
            echo "== $name"
            cat "$logs/$name"
            conclude "$name" $status
        done
    done
    rm -r "$logs"
    [ ${#failed[@]} -eq 0 ] || echo "failed: ${failed[*]}"
    echo "checks: $passed passed, ${#failed[@]} failed"
    [ ${#failed[@]} -eq 0 ]
}

# Counts a check that has ended with the given status, for run_named alone.
conclude() {
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else failed+=("$1"); echo "!! $1 failed"; fi
    echo "-- $1: $((SECONDS - start)) s"
}
