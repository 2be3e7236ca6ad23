#!/usr/bin/env python3
"""bench_plugins.py [--backend NAME] [--json FILE] CLI PLUGINS DATA: the tuner with plug-ins on six workloads: who is chosen, and by how much.

CLI: spokelab-cli; PLUGINS: the folder of plug-ins (spokelab_plugin.h); DATA: the folder of real scans. Every workload is tuned anew, without wisdom,
with its errors measured against exact sums. Exit status 1: a choice is not the fastest of the plans that meet the accuracy, or a plug-in
is missing in the JSON."""
import argparse, json, os, subprocess, sys, tempfile

# Name, file below DATA (none: the demo), options of tune.
WORKLOADS = (
    ("gridding, 3-D demo", None, []),
    ("gridding, 2-D radial, 32 coils", "brain_radial_32ch/scan.json", []),
    ("SENSE, 2-D radial, 32 coils, 20 iterations", "brain_radial_32ch/scan.json", ["--method", "sense", "--iterations", "20"]),
    ("gridding, 3-D radial, one channel", "xenon_3d_radial/xenon_gas_3d_radial.h5", []),
    ("forward, 3-D demo, once for its points", None, ["--direction", "forward", "--reuse", "1"]),
    ("gridding, 2-D spiral, accuracy 1e-4", "jemris_spiral_ismrmrd/signals_spiralout_clean_slc90.h5", ["--accuracy", "1e-4"]),
)
TIE = 1.02  # plans that the tuner holds for equal


def tune(options, scan, more):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "tune.json")
        command = [options.cli, "tune", scan, *more, "--plugins", options.plugins, "--wisdom", os.path.join(folder, "wisdom.json"),
                   "--measure-error", "--json", file]
        if options.backend:
            command += ["--backend", options.backend]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(file) as f:
            return json.load(f)


def row(candidate):
    return {"backend": candidate["backend"], "path": candidate["path"], "alpha": candidate["options"]["alpha"],
            "milliseconds": 1e3 * candidate["seconds"], "error": candidate["measuredError"]}


def judge(document):
    tuning = document["tuning"]
    timed = [c for c in tuning["candidates"] if c["repeats"] > 0]
    best = tuning["candidates"][tuning["best"]]
    fastest = {}
    for c in timed:
        if c["backend"] not in fastest or c["seconds"] < fastest[c["backend"]]["seconds"]:
            fastest[c["backend"]] = c
    accuracy = float(document["options"]["accuracy"])
    meeting = [c["seconds"] for c in timed if c["predicted"]["bound"] <= 1.01 * accuracy]
    return {"chosen": row(best), "reason": tuning["reason"], "fastest": [row(c) for c in fastest.values()],
            "refused": {c["backend"]: c["refused"] for c in tuning["candidates"] if c.get("refused") and c["path"] == c["backend"]},
            "right": best["seconds"] <= TIE * min(meeting, default=best["seconds"]),
            "plugins": document.get("plugins", [])}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--backend")
    parser.add_argument("--json")
    for name in ("cli", "plugins", "data"):
        parser.add_argument(name)
    options = parser.parse_args()
    rows, provenance, good = [], None, True
    for name, file, more in WORKLOADS:
        scan = os.path.join(options.data, file) if file else "demo"
        if file and not os.path.exists(scan):
            print(f"{name}: SKIP, {scan} is not there")
            continue
        document = tune(options, scan, more)
        provenance = document["provenance"]
        result = judge(document)
        good = good and result["right"] and bool(result["plugins"])
        rows.append({"workload": name, "options": more, **result})
        times = ", ".join(f"{r['backend']} {r['milliseconds']:.3g} ms (error {r['error']:.1e})" for r in result["fastest"])
        print(f"{name}: {result['chosen']['backend']} is taken; {times}", flush=True)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"provenance": provenance, "workloads": rows}, file, indent=1)
            file.write("\n")
    sys.exit(0 if good and rows else 1)


if __name__ == "__main__":
    main()
