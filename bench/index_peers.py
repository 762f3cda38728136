"""The index on disk beside PostgreSQL and FAISS: the same documents, the same queries, exact answers of all.

    cargo bench -p nearprint-index -- documents=1000000    # nearprint's own measures
    python3 bench/index_peers.py --documents 1000000       # the peers', in a line NAME TAB VALUE each
    python3 bench/index_peers.py --server nearprint --load target/release/examples/load --ids numbers

Documents and queries are those of crates/nearprint-index/benches/speed.rs. PostgreSQL: a table of ids, fingerprints and
four block keys of 16 bits, with an index for each; a query within 3 bits looks up the four keys and counts bits. FAISS:
BinaryFlat (brute force), and BinaryMultiHash with four parts of 16 bits, which is exact within 3 bits; its indexes are
files that are read whole, cannot be changed durably, and know numbers only. Needs faiss-cpu, psycopg and numpy, and
PostgreSQL's programs, which do not run as root: the script runs them as the user postgres then.

With --server the same documents are sent to `nearprint serve` first, and the same queries over one connection; --load
has the server's own load of 64 connections run before that, and pgbench the same of PostgreSQL.
"""

import argparse
import base64
import contextlib
import http.client
import os
import pathlib
import re
import subprocess
import tempfile
import time

import numpy as np

BITS = np.uint64(64)


def mixed(numbers):
    """What the benchmark of the index makes of a number (SplitMix64's finisher)."""
    with np.errstate(over="ignore"):
        z = numbers * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0x123456789ABCDEF1)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def words(numbers):
    one = np.uint64(1)
    return mixed(numbers // np.uint64(4)) ^ (one << (mixed(numbers) % BITS)) ^ (one << (mixed(~numbers) % BITS))


def queries(count, documents):
    at = np.arange(count, dtype=np.uint64)
    return words(mixed(at ^ np.uint64(0xABCD)) % np.uint64(documents)) ^ (np.uint64(1) << (at % BITS))


def names(numbers, of_ids):
    if of_ids == "numbers":
        return [str(number) for number in numbers.tolist()]
    hosts, pages = mixed(numbers) % np.uint64(1_000_000), mixed(numbers ^ np.uint64(1 << 40))
    pairs = zip(hosts.tolist(), pages.tolist(), strict=True)
    return [f"https://www.host-{host}.example.org/pages/{page:016x}.html" for host, page in pairs]


def say(what, value):
    print(f"{what}\t{value:.1f}", flush=True)


def one_by_one(what, asked, query):
    """Times of one query after the other, and the matches of all."""
    times, matches = [], 0
    for word in asked:
        start = time.perf_counter()
        matches += query(word)
        times.append((time.perf_counter() - start) * 1e6)
    times.sort()
    say(f"{what}, matches", matches)
    say(f"{what}, p50 us", times[(len(times) - 1) // 2])
    say(f"{what}, p99 us", times[(len(times) - 1) * 99 // 100])


@contextlib.contextmanager
def postgres():
    """A server of its own in a new directory, and a connection to it. Settings are the default ones but for memory."""
    programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    with tempfile.TemporaryDirectory() as directory:
        as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        if as_user:
            subprocess.run(["chown", "postgres", directory], check=True)
        data, run = (
            f"{directory}/data",
            lambda *a: subprocess.run([*as_user, *a], check=True, stdout=subprocess.DEVNULL),
        )
        run(programs / "initdb", "-D", data, "-U", "postgres", "--auth", "trust", "--locale", "C")
        settings = f"-c listen_addresses= -k {directory} -c shared_buffers=2GB -c maintenance_work_mem=512MB"
        run(programs / "pg_ctl", "-D", data, "-w", "-l", f"{directory}/log", "-o", settings, "start")
        try:
            import psycopg

            with psycopg.connect(f"host={directory} user=postgres", autocommit=True) as connection:
                connected = [programs / "pgbench", "--host", directory, "--username", "postgres", "postgres"]
                yield connection, [*as_user, *connected]
        finally:
            run(programs / "pg_ctl", "-D", data, "-m", "immediate", "stop")


NEAR = """SELECT id FROM d WHERE bit_count((f # %(f)s)::bit(64)) <= 3
          AND (k0 = %(k0)s OR k1 = %(k1)s OR k2 = %(k2)s OR k3 = %(k3)s)"""
# Six bits may lie in all four blocks: no key finds them, and every row is compared.
FAR = "SELECT id FROM d WHERE bit_count((f # %(f)s)::bit(64)) <= 6"


def signed(word):
    return int(np.array([word], dtype=np.uint64).view(np.int64)[0])


# Of random fingerprints, because pgbench cannot read them from a file: their blocks are as full as those of others.
PGBENCH = r"""
\set h random(0, 4294967295)
\set l random(0, 4294967295)
\set f (:h << 32) | :l
\set k0 :l & 65535
\set k1 :l >> 16
\set k2 :h & 65535
\set k3 :h >> 16
SELECT id FROM d WHERE bit_count((f # :f)::bit(64)) <= 3 AND (k0 = :k0 OR k1 = :k1 OR k2 = :k2 OR k3 = :k3);
"""


def under_load(program, seconds=15):
    """Queries of 64 connections at a time, by PostgreSQL's own program."""
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as script, tempfile.TemporaryDirectory() as logs:
        script.write(PGBENCH)
        script.flush()
        pathlib.Path(script.name).chmod(0o644)
        pathlib.Path(logs).chmod(0o777)
        options = ["-n", "-c", "64", "-j", "2", "-T", str(seconds), "-M", "prepared", "-f", script.name]
        options += ["-l", "--log-prefix", f"{logs}/log"]
        said = subprocess.run([*program, *options], check=True, capture_output=True, text=True).stdout
        lines = [line for log in pathlib.Path(logs).iterdir() for line in log.read_text().splitlines()]
        times = sorted(int(line.split()[2]) for line in lines)
    say("PostgreSQL, k=3, 64 connections, queries/s", float(re.search(r"tps = ([\d.]+)", said)[1]))
    say("PostgreSQL, k=3, 64 connections, p50 us", times[(len(times) - 1) // 2])
    say("PostgreSQL, k=3, 64 connections, p99 us", times[(len(times) - 1) * 99 // 100])


def rows(first, end, of_ids):
    """Rows of the documents with these numbers; made in parts, because all of them would not fit in memory."""
    numbers = np.arange(first, end, dtype=np.uint64)
    prints = words(numbers)
    parts = [(prints >> np.uint64(16 * part) & np.uint64(65535)).tolist() for part in range(4)]
    return list(zip(names(numbers, of_ids), prints.view(np.int64).tolist(), *parts, strict=True))


def copied(cursor, first, end, of_ids):
    """Copies documents into the table, and returns the seconds."""
    lines = rows(first, end, of_ids)
    start = time.perf_counter()
    with cursor.copy("COPY d FROM STDIN") as copy:
        for line in lines:
            copy.write_row(line)
    return time.perf_counter() - start


def measure_postgres(documents, asked, of_ids):
    with postgres() as (connection, pgbench), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE d (id text PRIMARY KEY, f bigint, k0 int, k1 int, k2 int, k3 int)")
        for part in range(4):
            cursor.execute(f"CREATE INDEX ON d (k{part})")
        batches = range(0, documents, 100_000)
        seconds = sum(copied(cursor, first, min(first + 100_000, documents), of_ids) for first in batches)
        say("PostgreSQL, load in batches of 100,000, documents/s", documents / seconds)
        batches = range(documents, documents + 50_000, 1000)
        seconds = sum(copied(cursor, first, first + 1000, of_ids) for first in batches)
        say("PostgreSQL, batches of 1,000, documents/s", 50_000 / seconds)
        cursor.execute("VACUUM ANALYZE d")
        cursor.execute("SELECT pg_total_relation_size('d')")
        say("PostgreSQL, bytes a document", cursor.fetchone()[0] / (documents + 50_000))

        def query(word):
            parts = {f"k{part}": int(word) >> 16 * part & 65535 for part in range(4)}
            return len(cursor.execute(NEAR, {"f": signed(word)} | parts, prepare=True).fetchall())

        for word in asked:
            query(word)
        one_by_one("PostgreSQL, k=3", asked, query)
        under_load(pgbench)

        def far(word):
            return len(cursor.execute(FAR, {"f": signed(word)}, prepare=True).fetchall())

        one_by_one("PostgreSQL, k=6, 20 queries", asked[:20], far)


def measure_faiss(documents, asked):
    import faiss

    faiss.omp_set_num_threads(1)
    numbers = np.arange(documents + 50_000, dtype=np.uint64)
    prints, wanted = words(numbers).view(np.uint8).reshape(-1, 8), asked.view(np.uint8).reshape(-1, 8)
    for kind, make in {
        "BinaryFlat": lambda: faiss.IndexBinaryFlat(64),
        "BinaryMultiHash": lambda: faiss.IndexBinaryMultiHash(64, 4, 16),
    }.items():
        index = make()
        start = time.perf_counter()
        index.add(prints)
        say(f"FAISS {kind}, load in memory, documents/s", len(prints) / (time.perf_counter() - start))
        with tempfile.NamedTemporaryFile() as file:
            start = time.perf_counter()
            faiss.write_index_binary(index, file.name)
            say(f"FAISS {kind}, writing, s", time.perf_counter() - start)
            say(f"FAISS {kind}, bytes a document", pathlib.Path(file.name).stat().st_size / len(prints))
            start = time.perf_counter()
            index = faiss.read_index_binary(file.name)
            say(f"FAISS {kind}, opening, ms", (time.perf_counter() - start) * 1e3)
        few = range(len(asked) if kind != "BinaryFlat" else min(len(asked), 200))

        # The radius is exclusive.
        def query(at, index=index):
            return int(index.range_search(wanted[at : at + 1], 4)[0][1])

        one_by_one(f"FAISS {kind}, k=3, {len(few)} queries", few, query)
        if kind != "BinaryFlat":
            start = time.perf_counter()
            for first in range(0, len(asked), 1000):
                index.range_search(wanted[first : first + 1000], 4)
            rate = len(asked) / (time.perf_counter() - start)
            say(f"FAISS {kind}, k=3, batches of 1,000, queries/s", rate)
            # Of four blocks, one has at most one of six bits: it is looked up with each of its bits turned, too.
            index.nflip = 1

        def far(at, index=index):
            return int(index.range_search(wanted[at : at + 1], 7)[0][1])

        few = few[:2000]
        one_by_one(f"FAISS {kind}, k=6, {len(few)} queries", few, far)


def measure_lancedb(documents, asked, of_ids):
    import lancedb
    import pyarrow

    with tempfile.TemporaryDirectory() as directory:
        base, table = lancedb.connect(directory), None
        seconds = 0.0
        for first in range(0, documents + 50_000, 100_000):
            numbers = np.arange(first, min(first + 100_000, documents + 50_000), dtype=np.uint64)
            vectors = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(words(numbers).view(np.uint8)), 8)
            lines = pyarrow.table({"id": names(numbers, of_ids), "vector": vectors})
            start = time.perf_counter()
            if table is None:
                table = base.create_table("d", lines)
            else:
                table.add(lines)
            seconds += time.perf_counter() - start
        say("LanceDB, load in batches of 100,000, documents/s", (documents + 50_000) / seconds)
        size = sum(path.stat().st_size for path in pathlib.Path(directory).rglob("*") if path.is_file())
        say("LanceDB, bytes a document", size / (documents + 50_000))

        # It has no index for the Hamming distance of all bits that is exact: every row is compared.
        def query(word):
            near = table.search(np.array([word], dtype=np.uint64).view(np.uint8)).distance_type("hamming")
            return near.distance_range(upper_bound=4).limit(1000).select(["id", "_distance"]).to_arrow().num_rows

        one_by_one("LanceDB, k=3, 50 queries", asked[:50], query)


def measure_server(program, documents, asked, of_ids):
    """`nearprint serve`, over one connection of HTTP."""
    with tempfile.TemporaryDirectory() as directory:
        command = [program, "serve", directory, "--listen", "127.0.0.1:0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
            try:
                address = next(filter(None, (re.search(r"127\.0\.0\.1:(\d+)", line) for line in server.stdout)))
                ask_server(http.client.HTTPConnection("127.0.0.1", int(address[1])), documents, asked, of_ids)
            finally:
                server.terminate()
        size = sum(path.stat().st_size for path in pathlib.Path(directory).rglob("*") if path.is_file())
        say("nearprint serve, bytes a document", size / (documents + 50_000))


def printed(word):
    """A fingerprint of scheme sd1 as its notation has it."""
    return "sd1:" + base64.b32encode(int(word).to_bytes(8, "big")).decode().rstrip("=").lower()


def ask_server(connection, documents, asked, of_ids):
    def send(method, path, media, body):
        connection.request(method, path, body, {"Content-Type": media})
        answer = connection.getresponse()
        read = answer.read()
        assert answer.status < 300, read
        return read

    lines = "application/x-ndjson"

    def insert(first, end):
        numbers = np.arange(first, end, dtype=np.uint64)
        named = zip(names(numbers, of_ids), words(numbers).tolist(), strict=True)
        body = "".join(f'{{"id":"{name}","fingerprint":"{printed(word)}"}}\n' for name, word in named)
        start = time.perf_counter()
        answers = send("POST", "/v1/collections/d/documents/batch", lines, body)
        seconds = time.perf_counter() - start
        assert answers.count(b'"status":201') == end - first, answers[:300]
        return seconds

    send("PUT", "/v1/collections/d", "application/json", "{}")
    batches = range(0, documents, 1000)
    seconds = sum(insert(first, min(first + 1000, documents)) for first in batches)
    say("nearprint serve, load in batches of 1,000, documents/s", documents / seconds)
    seconds = sum(insert(first, first + 1000) for first in range(documents, documents + 50_000, 1000))
    say("nearprint serve, 50 batches of 1,000 after that, documents/s", 50_000 / seconds)

    for k, some in ((3, asked), (6, asked[:2000])):

        def query(word, k=k):
            body = f'{{"fingerprint":"{printed(word)}"}}'
            answer = send("POST", f"/v1/collections/d/query?k={k}", "application/json", body)
            return answer.count(b"\n")

        one_by_one(f"nearprint serve, k={k}, {len(some)} queries", some, query)
    start, matches = time.perf_counter(), 0
    for first in range(0, len(asked), 1000):
        body = "".join(f'{{"fingerprint":"{printed(word)}"}}\n' for word in asked[first : first + 1000])
        matches += send("POST", "/v1/collections/d/query/batch?k=3", lines, body).count(b"\n")
    say("nearprint serve, k=3, batches of 1,000, queries/s", len(asked) / (time.perf_counter() - start))
    say("nearprint serve, k=3, batches of 1,000, lines", matches)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=20_000)
    parser.add_argument("--ids", choices=("addresses", "numbers"), default="addresses")
    parser.add_argument("--server", metavar="NEARPRINT", help="the command, measured as a server before the peers")
    parser.add_argument("--load", metavar="PROGRAM", help="the example `load` of nearprint-server, run before them")
    arguments = parser.parse_args()
    # As there, 50 batches of 1,000 follow the load.
    asked = queries(arguments.queries, arguments.documents + 50_000)
    if arguments.load:
        subprocess.run([arguments.load, str(arguments.documents), "64", "15"], check=True)
    if arguments.server:
        measure_server(arguments.server, arguments.documents, asked, arguments.ids)
    measure_faiss(arguments.documents, asked)
    measure_lancedb(arguments.documents, asked, arguments.ids)
    measure_postgres(arguments.documents, asked, arguments.ids)


if __name__ == "__main__":
    main()
