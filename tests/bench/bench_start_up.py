#!/usr/bin/env python3
"""bench_start_up.py [--runs N] [--backend NAME] [--json FILE] CLI: where a small job's time goes, from the program's start to its end.

A scan of 96 x 96 and four coils is simulated, reconstructed once (tuned, its plan kept), and then N times more. In rows, medians in ms: the
job's own account (start-up: until the command begins and while it waits for a GPU; read; plan ...), and what only the caller sees: the time
before the account begins and after it ends (the dynamic loader, the end of the process with its GPU context)."""
import argparse, json, os, statistics, subprocess, sys, tempfile, time


def run(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 1e3 * (time.perf_counter() - start)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--json")
    parser.add_argument("cli")
    options = parser.parse_args()
    rows, device = {}, None
    with tempfile.TemporaryDirectory() as folder:
        scan, image, report = (os.path.join(folder, name) for name in ("scan.h5", "image.npy", "report.json"))
        run([options.cli, "simulate", "--matrix", "96", "--coils", "4", "-o", scan])
        job = [options.cli, "reconstruct", scan, "-o", image, "--backend", options.backend, "--json", report,
               "--wisdom", os.path.join(folder, "wisdom.json")]
        run(job)
        for _ in range(options.runs):
            total = run(job)
            with open(report) as file:
                document = json.load(file)
            account = document["reconstruction"]["account"]
            device = document["reconstruction"]["plan"]["backend"], document["provenance"]["machine"]
            parts = {name: 1e3 * seconds for name, seconds in account["seconds"].items()}
            parts["unaccounted"] = 1e3 * account["unaccounted"]
            parts["outside of the account"] = total - 1e3 * account["total"]
            parts["whole program"] = total
            for name, milliseconds in parts.items():
                rows.setdefault(name, []).append(milliseconds)
        rows["program that says its version"] = [run([options.cli, "--version"]) for _ in range(options.runs)]
    medians = {name: statistics.median(values) for name, values in rows.items()}
    for name, value in medians.items():
        print(f"{name:32s}{value:9.2f} ms")
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"backend": device[0], "machine": device[1], "runs": options.runs, "median_ms": medians, "all_ms": rows}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    sys.exit(main())
