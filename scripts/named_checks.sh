# Runs checks by name, each with its time; all run, even after one has failed, and the last line counts them.
# For test.sh and test-long.sh, which define the checks as functions: `run_named NAME...`.
# Names joined by + run side by side, as many at a time as there are cores, in their order: `run_named build reference+mutations`.
run_named() {
    local passed=0 failed=() group name start logs cores
    logs=$(mktemp -d)
    cores=$(nproc)
    for group in "$@"; do
        if [ "$group" = "${group#*+}" ]; then
            start=$SECONDS
            echo "== $group"
            "$group"
            conclude "$group" $? $((SECONDS - start))
            continue
        fi
        local -A running=() starts=()
        for name in ${group//+/ }; do
            [ ${#running[@]} -lt "$cores" ] || await_one
            "$name" >"$logs/$name" 2>&1 &
            running[$!]=$name starts[$!]=$SECONDS
        done
        while [ ${#running[@]} -gt 0 ]; do await_one; done
    done
    rm -r "$logs"
    [ ${#failed[@]} -eq 0 ] || echo "failed: ${failed[*]}"
    echo "checks: $passed passed, ${#failed[@]} failed"
    [ ${#failed[@]} -eq 0 ]
}

# Waits for one of the checks that are running and shows what it printed; for run_named alone.
await_one() {
    local ended="" status name
    wait -n -p ended "${!running[@]}"
    status=$?
    if [ -z "$ended" ]; then
        # A check that ended while another command ran here is no longer a job, but its status is known.
        for ended in "${!running[@]}"; do kill -0 "$ended" 2>/dev/null || break; done
        wait "$ended"
        status=$?
    fi
    name=${running[$ended]}
    echo "== $name"
    cat "$logs/$name"
    conclude "$name" $status $((SECONDS - starts[$ended]))
    unset "running[$ended]" "starts[$ended]"
}

# Counts a check that has ended, by its name, its status and its seconds; for run_named alone. Where the disk is full
# every check fails, most of them without a word.
conclude() {
    if [ "$2" -eq 0 ]; then passed=$((passed + 1)); else
        failed+=("$1")
        echo "!! $1 failed; $(($(df --output=avail -m . | tail -1))) MB are free on the disk"
    fi
    echo "-- $1: $3 s"
}
