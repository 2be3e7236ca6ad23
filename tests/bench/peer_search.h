// The peer at its best: libraries, oversampling (its own choice and the two it is best known for),
// all and half of the threads, and FFTW's planner. The fastest is found by a few runs of each.
#pragma once

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "tests/bench/cpu_trial.h"

namespace spokelab::bench {

// The libraries that `--peer` names; without it the library that was found when this was built.
inline void addPeers(CLI::App& app, std::vector<std::string>& libraries) {
#ifdef SPOKELAB_FINUFFT_LIBRARY
  if (libraries.empty()) libraries = {SPOKELAB_FINUFFT_LIBRARY};
#endif
  app.add_option("--peer", libraries, "The peer's libraries, the fastest of which counts");
}

template <class Real>
struct FastestPeer {
  std::unique_ptr<Peer<Real>> peer;
  PeerSetting setting;
  double tolerance = 0, seconds = HUGE_VAL, error = 0;

  nlohmann::json json() const {
    return {{"name", peerName},           {"setting", peerText(setting)}, {"alpha", setting.alpha},
            {"threads", setting.threads}, {"tolerance", tolerance},       {"error", error}};
  }
};

// Times execute alone, or set-points and execute. Runs at the nearest tolerance, in steps of 1.5,
// that the peer accepts. Throws Error if it accepts none.
template <class Real>
FastestPeer<Real> fastestPeer(Trial<Real>& trial, const std::vector<std::string>& libraries, int threads,
                              bool withPoints) {
  constexpr double tolerancesApart = 1.5;
  constexpr int runs = 2;
  FastestPeer<Real> best;
  best.tolerance = trial.c.tolerance;
  const auto consider = [&](const PeerSetting& setting) {
    try {
      auto candidate = makePeer<Real>(trial.c.problem, trial.adjoint, best.tolerance, setting, trial.points);
      candidate->setPoints();
      trial.execute(*candidate);
      const double time = trial.bestOf(runs, *candidate, withPoints);
      if (time >= best.seconds) return;
      best.seconds = time;
      best.setting = setting;
      best.peer = std::move(candidate);
    } catch (const std::runtime_error&) {  // its precision does not reach the tolerance so
    }
  };
  while (true) {
    for (const std::string& library : libraries) {
      for (const double alpha : {0.0, 1.25, 2.0}) {
        consider({library, alpha, threads, false});
        if (threads > 1) consider({library, alpha, threads / 2, false});
      }
    }
    if (best.peer || best.tolerance > 1) break;
    best.tolerance *= tolerancesApart;
  }
  if (!best.peer) throw Error("The bench cannot run", "the peer refuses " + trial.c.name(), "");
  // A planner that measures takes seconds: it is asked where estimates led.
  const PeerSetting estimated = best.setting;
  for (const std::string& library : libraries) consider({library, estimated.alpha, estimated.threads, true});
  trial.execute(*best.peer);
  best.error = trial.error();
  return best;
}

}  // namespace spokelab::bench
