#!/usr/bin/env python3
"""bench_commands.py [--runs N] [--backend NAME] [--brain SCAN] [--volumes N,N] [--json FILE] CLI: SENSE jobs as whole commands, from exec to exit.

A scan is reconstructed once (tuned, its plan kept as wisdom), then N times more. Medians and quartiles in ms of the wall time that the caller
sees, of each part of the job's own account, and of what the account leaves out: its sum beside the wall time should agree to 2 %."""
import argparse, json, os, statistics, subprocess, sys, tempfile, time


def run(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return 1e3 * (time.perf_counter() - start)


def quartiles(values):
    if len(values) < 2:
        return [values[0]] * 3
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return [low, middle, high]


def timed(options, name, scan, iterations, folder):
    image, report = os.path.join(folder, "image.npy"), os.path.join(folder, "report.json")
    job = [options.cli, "reconstruct", scan, "-o", image, "--method", "sense", "--iterations", str(iterations), "--backend", options.backend,
           "--json", report, "--wisdom", os.path.join(folder, "wisdom.json")]
    first = run(job)
    rows = {}
    for _ in range(options.runs):
        total = run(job)
        with open(report) as file:
            document = json.load(file)
        account = document["reconstruction"]["account"]
        parts = {part: 1e3 * seconds for part, seconds in account["seconds"].items()}
        parts["unaccounted"] = 1e3 * account["unaccounted"]
        parts["outside of the account"] = total - 1e3 * account["total"]
        parts["whole command"] = total
        for part, milliseconds in parts.items():
            rows.setdefault(part, []).append(milliseconds)
    result = {"job": name, "bytes read": sum(os.path.getsize(os.path.join(os.path.dirname(scan), f)) for f in os.listdir(os.path.dirname(scan))
                                             if not f.startswith(("image", "report", "wisdom"))) if scan.endswith(".json") else os.path.getsize(scan),
              "first run ms": first, "backend": document["reconstruction"]["plan"]["backend"], "machine": document["provenance"]["machine"],
              "ms, quartiles": {part: quartiles(values) for part, values in rows.items()}, "runs": options.runs}
    print(name)
    for part, (low, middle, high) in result["ms, quartiles"].items():
        print(f"  {part:32s}{middle:9.2f} ms ({low:.2f} to {high:.2f})")
    sys.stdout.flush()
    return result


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--brain", help="scan.json of a 2-D scan of many coils")
    parser.add_argument("--volumes", default="160,240", help="sides of simulated radial volumes of 8 coils, a quarter of the samples")
    parser.add_argument("--json")
    parser.add_argument("cli")
    options = parser.parse_args()
    jobs = []
    with tempfile.TemporaryDirectory() as folder:
        if options.brain:
            jobs.append(timed(options, "brain, 2-D, 20 iterations", options.brain, 20, folder))
        for side in [int(n) for n in options.volumes.split(",") if n]:
            scan = os.path.join(folder, "scan.h5")
            run([options.cli, "simulate", "--pattern", "radial3d", "--matrix", f"{side}x{side}x{side}", "--coils", "8", "--acceleration", "4", "-o", scan])
            jobs.append(timed(options, f"{side}^3 x 8 coils, 10 iterations", scan, 10, folder))
            os.remove(scan)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"threads": os.cpu_count(), "jobs": jobs}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    sys.exit(main())
