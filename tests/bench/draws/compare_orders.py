#!/usr/bin/env python3
"""compare_orders.py REPORT.json REPORT.json ... [--json FILE]: what our plans of the same draws cost by the order in which they were tuned.

The reports are those of bench_gpu_draws or bench_cpu_draws with one seed and several --order. For each draw and workload the slowest order's
time over the fastest's, and whether the choices are alike; then the mean, the worst, and how many draws differ by more than a tenth."""
import argparse, json, math, sys


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("reports", nargs="+")
    parser.add_argument("--json")
    options = parser.parse_args()
    reports = [json.load(open(name)) for name in options.reports]
    orders = [report["order"] for report in reports]
    if len({report["seed"] for report in reports}) > 1:
        sys.exit("compare_orders.py: the reports have different seeds: run the bench with one --seed")
    rows, summary = [], {}
    by_draw = [{row["draw"]: row for row in report["draws"] if "as asked" in row} for report in reports]
    for draw in sorted(set.intersection(*[set(rows_of) for rows_of in by_draw])):
        row = {"draw": draw, "case": by_draw[0][draw]["case"]}
        for workload, times in (("as asked", ("execute ms",)), ("as asked, set + execute", ("set ms", "first execute ms"))):
            ms = {order: sum(of[draw][workload][t] for t in times) for order, of in zip(orders, by_draw)}
            choices = {order: of[draw][workload]["name"] for order, of in zip(orders, by_draw)}
            row[workload] = {"ms": ms, "choices": choices, "alike": len(set(choices.values())) == 1,
                             "slowest over fastest": max(ms.values()) / min(ms.values())}
        rows.append(row)
    for workload in ("as asked", "as asked, set + execute"):
        ratios = [(row[workload]["slowest over fastest"], row["draw"]) for row in rows]
        if not ratios:
            sys.exit("compare_orders.py: the reports share no draw")
        worst, draw = max(ratios)
        summary[workload] = {"draws": len(ratios), "alike": sum(row[workload]["alike"] for row in rows),
                             "geometric mean": math.exp(sum(math.log(r) for r, _ in ratios) / len(ratios)), "worst": worst, "worst draw": draw,
                             "over 1.1": sum(r > 1.1 for r, _ in ratios), "over 1.5": sum(r > 1.5 for r, _ in ratios)}
    print(json.dumps(summary, indent=1))
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"orders": orders, "seed": reports[0]["seed"], "summary": summary, "draws": rows}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
