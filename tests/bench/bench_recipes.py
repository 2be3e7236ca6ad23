#!/usr/bin/env python3
"""bench_recipes.py [--runs N] [--backend NAME] [--brain SCAN] [--accuracies A,A] [--jobs NAME,NAME] [--json FILE] CLI: recipes as whole jobs.

Each job runs once (tuned, its plan kept as wisdom), then N times more. The time counts from the samples in memory to the image in memory: the job's
own account without start-up, read and write. The GPU's memory is what nvidia-smi sees in use every half second.
  shuffling  256 x 256 x 176, 32 coils compressed to 12, 16 echoes of 500 spokes, 5 coefficients, locally low rank, 60 iterations
  grasp      stack of stars 384 x 384 x 40, 16 coils, 30 frames of 21 spokes a plane, 60 iterations
  wavelet    the scan of --brain, 60 iterations"""
import argparse, json, os, statistics, subprocess, sys, tempfile, threading

simulations = {
    "shuffling": ["--pattern", "golden-radial3d", "--matrix", "256x256x176", "--shots", "500", "--samples", "512", "--echo-times", "10:320:20",
                  "--t2", "true", "--coils", "32", "--noise", "0.05"],
    "grasp": ["--pattern", "stack-of-stars", "--matrix", "384x384x40", "--shots", "21", "--frames", "30", "--coils", "16", "--noise", "0.05"],
}
methods = {
    "shuffling": ["--set", "frames=contrast", "--method", "t2-shuffling", "--coefficients", "5", "--lambda", "1e-2", "--iterations", "60",
                  "--compress-coils", "12", "--subspace-images", "coefficients"],
    "grasp": ["--set", "frames=repetition", "--method", "grasp", "--lambda", "1e-2", "--iterations", "60"],
    "wavelet": ["--method", "wavelet", "--iterations", "60"],
}


class DeviceMemory:
    """The largest memory in use on the first GPU while the block runs, in MiB; None without nvidia-smi."""

    def __enter__(self):
        self.most, self.ended = None, threading.Event()
        self.thread = threading.Thread(target=self.watch)
        self.thread.start()
        return self

    def watch(self):
        query = ["nvidia-smi", "-i", "0", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
        while not self.ended.wait(0.5):
            try:
                self.most = max(self.most or 0, int(subprocess.run(query, capture_output=True, text=True, check=True).stdout))
            except (OSError, ValueError, subprocess.CalledProcessError):
                return

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()


def timed(options, name, accuracy, scan, folder):
    report = os.path.join(folder, "report.json")
    job = [options.cli, "reconstruct", scan, "-o", os.path.join(folder, "image.npy"), "--backend", options.backend, "--accuracy", accuracy,
           "--json", report, "--wisdom", os.path.join(folder, "wisdom.json")] + methods[name]
    times, parts = [], {}
    with DeviceMemory() as memory:
        for i in range(options.runs + 1):
            subprocess.run(job, check=True, stdout=subprocess.DEVNULL)
            with open(report) as file:
                document = json.load(file)
            account = document["reconstruction"]["account"]
            if i == 0 and options.runs > 0:
                continue
            times.append(account["total"] - sum(account["seconds"].get(part, 0) for part in ("start-up", "read", "write")))
            for part, seconds in account["seconds"].items():
                parts.setdefault(part, []).append(seconds)
    plan = document["reconstruction"]["plan"]
    result = {"job": name, "accuracy": accuracy, "runs": len(times), "seconds": [min(times), statistics.median(times), max(times)],
              "parts, medians": {part: statistics.median(seconds) for part, seconds in parts.items()}, "device memory MiB": memory.most,
              "backend": plan["backend"], "accuracy of the plan": plan.get("options", {}).get("accuracy"), "provenance": document["provenance"]}
    print(f"{name}, accuracy {accuracy}: {statistics.median(times):.3f} s ({min(times):.3f} to {max(times):.3f}), {memory.most} MiB in use on the GPU")
    sys.stdout.flush()
    return result


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--brain", help="scan.json of a 2-D scan of many coils")
    parser.add_argument("--accuracies", default="1e-3,auto")
    parser.add_argument("--jobs", default="wavelet,grasp,shuffling")
    parser.add_argument("--json")
    parser.add_argument("cli")
    options = parser.parse_args()
    jobs = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.jobs.split(","):
            scan = options.brain
            if name in simulations:
                scan = os.path.join(folder, "scan.h5")
                subprocess.run([options.cli, "simulate", "-o", scan] + simulations[name], check=True, stdout=subprocess.DEVNULL)
            if scan:
                jobs += [timed(options, name, accuracy, scan, folder) for accuracy in options.accuracies.split(",")]
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"threads": os.cpu_count(), "jobs": jobs}, file)
            file.write("\n")


if __name__ == "__main__":
    sys.exit(main())
