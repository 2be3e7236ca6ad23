// Cases that nobody chose: the CPU's transforms beside the peer's (FINUFFT, where it is compiled
// in), drawn from a seed as bench_gpu_draws draws them, but smaller. Ours are planned by the tuner
// at its default effort: for executions alone, and for points set each time; for the accuracy that
// was drawn ("as asked"), and for the error that the peer's fastest setting for the same turned out
// to have ("ours"; never a larger one than asked). The peer has the fastest of its libraries,
// upsampling factors, all and half of the threads, and planners (peer_search.h). Calls take turns;
// medians. Ratios are the peer's time over ours. Planning is wall time, by a cost model that knows
// what the process tuned before (--order).
//
//   bench_cpu_draws [--peer FILE]... [--threads N] [--seed N] [--draws N] [--first N] [--minutes N]
//                   [--order listed|random|tiny|fresh] [--ours-only] [--json FILE]
#include <cstdio>

#include "engine/core/error.h"
#include "engine/nufft/tune/candidates.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/bench/cpu_trial.h"
#include "tests/bench/draws/draw_program.h"
#include "tests/bench/draws/draw_request.h"
#include "tests/bench/peer_search.h"

using namespace spokelab;
using namespace spokelab::bench;
using nlohmann::json;

namespace {

struct Arguments : DrawArguments {
  std::vector<std::string> peers;
  int threads = 0;

  Arguments() : DrawArguments(40) { limits = limitsOfCpu; }
  void add(CLI::App& app) {
    DrawArguments::add(app, false);
    addPeers(app, peers);
    app.add_option("--threads", threads, "CPU threads; 0: all")->check(CLI::NonNegativeNumber);
  }
};

constexpr int minTurns = 5, maxTurns = 25;
constexpr double secondsInTurns = 0.6;

struct Timed {
  std::vector<double> set, first, run;
  double setMedian() const { return medianOf(set); }
  double runMedian() const { return medianOf(run); }
  double wholeMedian() const {
    std::vector<double> whole;
    for (std::size_t i = 0; i < set.size(); ++i) whole.push_back(set[i] + first[i]);
    return medianOf(whole);
  }
  json told() const {
    return {{"set ms", setMedian() * 1e3},
            {"first execute ms", medianOf(first) * 1e3},
            {"execute ms", runMedian() * 1e3}};
  }
};

template <class Real>
struct Own {
  std::unique_ptr<Nufft<Real>> plan;
  TuneResult found;
  double error = 0;
  Timed timed;

  json told() const {
    json j = timed.told();
    j["name"] = describe(found.candidates[std::size_t(found.best)]);
    j["error"] = error;
    j["planning s"] = found.seconds;
    return j;
  }
};

template <class Real>
class Row {
 public:
  Row(NufftBackend& backend, const Draw& draw, const Arguments& a)
      : backend_(backend),
        arguments_(a),
        draw_(draw),
        case_{draw.c.problem, draw.c.name, 1, draw.c.accuracy},
        points_(draw.c.points()),
        trial_(case_, draw.adjoint, points_) {}

  json run() {
    json row{{"draw", draw_.number},
             {"case", draw_.c.name},
             {"points", std::int64_t(points_.size()) / draw_.c.problem.dims},
             {"accuracy", draw_.c.accuracy}};
    double largest = 0;
    for (const auto& [workload, executions] :
         {std::pair{"", manyTimes}, std::pair{", set + execute", once}}) {
      const bool whole = executions == once;
      Own<Real> asked = planned(draw_.c.accuracy, executions);
      FastestPeer<Real> peer;
      if (peerFound && !arguments_.peers.empty() && !arguments_.oursOnly)
        peer = fastestPeer(trial_, arguments_.peers, threads(), whole);
      // The peer's measure of its error, by which our plan is chosen, has the same meaning as the
      // accuracy asked for.
      std::optional<Own<Real>> equal;
      if (peer.peer && peer.error < asked.error) equal = planned(peer.error, executions);
      Own<Real>& ours = equal ? *equal : asked;
      Timed ofPeer;
      takeTurns(asked, equal ? &*equal : nullptr, peer, ofPeer);
      row["as asked" + std::string(workload)] = asked.told();
      row["ours" + std::string(workload)] = ours.told();
      largest = std::max({largest, asked.error / draw_.c.accuracy});
      if (!peer.peer) continue;
      row["peer" + std::string(workload)] = ofPeer.told();
      row["peer" + std::string(workload)].update(peer.json());
      json& ratio = row["ratio"];
      if (!whole) {
        ratio["execute"] = ofPeer.runMedian() / ours.timed.runMedian();
      } else {
        ratio["set + execute"] = ofPeer.wholeMedian() / ours.timed.wholeMedian();
        ratio["set"] = ofPeer.setMedian() / ours.timed.setMedian();
      }
    }
    row["error over asked"] = largest;
    return row;
  }

 private:
  int threads() const { return arguments_.threads > 0 ? arguments_.threads : hardwareThreads(); }

  Own<Real> planned(double accuracy, double executions) {
    TuneRequest request = drawRequest(draw_, points_, accuracy, executions);
    request.workload.onDevice = false;
    request.options.threads = threads();
    NufftBackend* const backends[] = {&backend_};
    Own<Real> own;
    own.found = tune(backends, request, nullptr, {});
    own.plan =
        backend_.plan<Real>(draw_.c.problem, own.found.candidates[std::size_t(own.found.best)].options);
    own.plan->setPoints(points_);
    trial_.execute(*own.plan);
    own.error = trial_.contractError();
    return own;
  }

  void takeTurns(Own<Real>& asked, Own<Real>* equal, FastestPeer<Real>& peer, Timed& ofPeer) {
    const auto time = [&](Timed& t, const auto& set, const auto& execute) {
      std::this_thread::sleep_for(spinTime);
      t.set.push_back(secondsOf(set));
      t.first.push_back(secondsOf(execute));
      t.run.push_back(secondsOf(execute));
    };
    const auto timeOwn = [&](Own<Real>& own) {
      time(
          own.timed, [&] { own.plan->setPoints(points_); }, [&] { trial_.execute(*own.plan); });
    };
    const double start = now();
    for (int i = 0; i < maxTurns && (i < minTurns || now() - start < secondsInTurns); ++i) {
      timeOwn(asked);
      if (equal) timeOwn(*equal);
      if (peer.peer)
        time(
            ofPeer, [&] { peer.peer->setPoints(); }, [&] { trial_.execute(*peer.peer); });
    }
  }

  NufftBackend& backend_;
  const Arguments& arguments_;
  const Draw& draw_;
  CpuCase case_;
  std::vector<double> points_;
  Trial<Real> trial_;
};

json runDraw(NufftBackend& backend, const Draw& draw, const Arguments& a) {
  try {
    return draw.c.problem.precision == Precision::double64 ? Row<double>(backend, draw, a).run()
                                                           : Row<float>(backend, draw, a).run();
  } catch (const Error& error) {
    return {{"draw", draw.number}, {"case", draw.c.name}, {"refused", error.reason()}};
  }
}

void print(const json& row) {
  std::printf("%3d %-72s", row["draw"].get<int>(), row["case"].get<std::string>().c_str());
  for (const char* const why : {"refused", "failed"})
    if (row.contains(why)) std::printf(" %s: %s", why, row[why].get<std::string>().c_str());
  for (const char* const own : {"ours", "ours, set + execute"})
    if (row.contains(own))
      std::printf(" %s: %.3f + %.3f ms,", row[own]["name"].get<std::string>().c_str(),
                  row[own]["set ms"].get<double>(), row[own]["execute ms"].get<double>());
  if (row.contains("ratio"))
    for (const auto& [name, ratio] : row["ratio"].items())
      std::printf(" %s %.2f", name.c_str(), ratio.get<double>());
  std::printf("\n");
  std::fflush(stdout);
}

json summarize(const json& rows) {
  json summary{{"draws", rows.size()}};
  std::map<std::string, std::vector<double>> ratios;
  double error = 0;
  for (const json& row : rows) {
    error = std::max(error, row.value("error over asked", 0.0));
    if (!row.contains("ratio")) continue;
    for (const auto& [name, value] : row["ratio"].items()) ratios[name].push_back(value.get<double>());
  }
  summary["largest error over asked"] = error;
  for (const auto& [name, all] : ratios) {
    double logs = 0;
    for (const double r : all) logs += std::log(r);
    summary["peer over ours"][name] = {
        {"geometric mean", std::exp(logs / double(all.size()))},
        {"worst", *std::ranges::min_element(all)},
        {"below 0.9", std::ranges::count_if(all, [](double r) { return r < 0.9; })},
        {"draws", all.size()}};
  }
  return summary;
}

void run(Arguments& a) {
  for (const std::string& peer : a.peers) a.commandLine.insert(a.commandLine.end(), {"--peer", peer});
  if (a.threads > 0) a.commandLine.insert(a.commandLine.end(), {"--threads", std::to_string(a.threads)});
  const auto backend = makeCpuBackend();
  json report = drawReport(a, *backend, cpuBadge());
  report["peer"] = peerFound && !a.oursOnly ? peerName : "none";
  report["threads"] = a.threads > 0 ? a.threads : hardwareThreads();
  forEachDraw(
      a, *backend, [&](const Draw& draw) { return runDraw(*backend, draw, a); },
      [&](json row) {
        print(row);
        report["draws"].push_back(std::move(row));
        report["summary"] = summarize(report["draws"]);
        save(a.json, report);
        return true;
      });
  std::cout << report["summary"].dump(1) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  return benchMain(
      argc, argv, "The CPU's transforms beside the peer's, in cases drawn from a seed",
      [&](CLI::App& app) { arguments.add(app); }, [&] { run(arguments); });
}
