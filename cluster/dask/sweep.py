"""Runs the shards of a sweep through Dask's `distributed`.

    python sweep.py --program kugelbahn --shards 32 --scheduler tcp://… -- SCENARIO --out DIR [options of sweep]

Each task is one command `kugelbahn sweep … --shard i/N`. A task whose worker dies is given to another one, where it goes on with
the chunks that are missing. Workers have to see the same folder, and the program.
"""

import argparse
import subprocess

from distributed import Client, as_completed


def shard(program: str, arguments: list[str], index: int, count: int) -> int:
    """Makes one shard; an error is the command's own words."""
    command = [program, "sweep", *arguments, "--shard", f"{index}/{count}", "--threads", "1", "--yes", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
    return index


def sweep(client: Client, program: str, arguments: list[str], count: int) -> int:
    """Makes all shards; how many were made."""
    # Not pure: a shard that was made before may have to be made again.
    futures = [client.submit(shard, program, arguments, i, count, pure=False, retries=3) for i in range(count)]
    return sum(1 for _, _ in as_completed(futures, with_results=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="kugelbahn")
    parser.add_argument("--shards", type=int, default=32)
    parser.add_argument("--scheduler", help="its address; without it workers are started here, one a processor")
    parser.add_argument("arguments", nargs="+", help="SCENARIO --out DIR …, after --")
    given = parser.parse_args()
    with Client(given.scheduler) if given.scheduler else Client(threads_per_worker=1) as client:
        print(f"{sweep(client, given.program, given.arguments, given.shards)} shards")


if __name__ == "__main__":
    main()
