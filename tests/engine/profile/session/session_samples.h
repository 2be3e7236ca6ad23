// A session with something in every property.
#pragma once

#include "engine/profile/results/results.h"
#include "engine/profile/session/saved_session.h"

namespace spokelab {

// Every part has `mark`, so that a mixture of two sessions is noticed.
inline std::shared_ptr<const Reconstruction> sampleResult(int mark, std::int64_t side = 6) {
  auto image = std::make_shared<Image>();
  image->frames = 2;
  image->size = {side, 5, 3};
  image->name = "phantom";
  image->provenance = {"made by a test", "mark " + std::to_string(mark)};
  image->geometry.matrix = image->size;
  image->geometry.fov = {220.1, 180.7, 30};
  image->geometry.slicePositions = {{1, 2, 3}, {1, 2, 13.3}};
  image->geometry.nominal = true;
  for (std::int64_t i = 0; i < 2 * image->volume(); ++i)
    image->data.push_back({float(i) / 7 + float(mark), -float(i % 11)});
  auto r = std::make_shared<Reconstruction>();
  r->image = image;
  setOption(r->options, "accuracy", "0.00123");
  setOption(r->options, "alpha", "1.4375");
  setOption(r->options, "combine", "adaptive");
  r->plan.backend = "cpu";
  r->plan.options = r->options.nufft;
  r->plan.options.width = 5.203125;
  r->plan.grid = {9, 8, 5};
  r->plan.beta = 11.1;
  r->plan.polynomialDegree = 9;
  r->plan.memory = 1234567;
  r->plan.description = "cpu blocked";
  r->plan.error.relativeL2 = 1.1e-3;
  r->plan.error.bound = 2.2e-3;
  r->timings.total = 0.125;
  r->timings[Stage::fft] = 0.0625;
  r->timings.bytes[int(Stage::fft)] = 4096;
  r->density = "analytic";
  r->notes = {"a note", "another"};
  r->iterations.push_back({1,
                           2,
                           "Toeplitz",
                           {1, 0.5, 0.1},
                           {0.1, 0.2, 0.3},
                           0.05,
                           true,
                           "converged",
                           {{2, 1e-3, 0.1}},
                           std::vector<IterationParts>(3),
                           {4, 2, 1}});
  r->iterations.back().parts[1][IterationPart::fft] = 0.0625;
  r->seconds = 1.5;
  r->tuningSeconds = 0.75;
  auto tuning = std::make_shared<TuneResult>();
  Candidate c;
  c.backend = "cpu";
  c.options = r->plan.options;
  c.grid = {9, 8, 5};
  c.timings = r->timings;
  c.measuredError = 1.0e-3;
  c.refused = "";
  tuning->candidates = {c, c};
  tuning->candidates[1].refused = "too little memory";
  tuning->best = 0;
  tuning->reason = "it was alone";
  r->tuning = tuning;
  return r;
}

inline TimedRun sampleRun(int number, int mark) {
  TimedRun run;
  run.number = number;
  run.name = "before, \"quoted\" " + std::to_string(mark);
  run.scan = "scan.h5";
  run.fingerprint = "0123456789abcdef";
  run.accuracy = 1e-3;
  run.time = "2026-11-23T03:00:00Z";
  run.machine = "host, a processor, 2 threads";
  run.load = 1.25;
  run.seconds = 31.5;
  run.visible = run.pinned = true;
  run.results = {mark, mark + 2};
  run.timed = sampleResult(mark)->tuning;
  return run;
}

inline SavedSession sampleSession(const std::string& scanFile, int mark = 1) {
  SavedSession s;
  s.scan = SavedScan{"scan.h5", scanFile, "0123456789abcdef", {{"matrix", "64x64"}, {"weights", "use"}}, {}};
  ReconOptions options;
  setOption(options, "accuracy", "1e-05");
  setOption(options, "density", "voronoi");
  s.options = optionValues(options);
  s.results = {{mark + 2, "scan.h5", true, sampleResult(mark)},
               {mark, "older.h5", false, sampleResult(mark, 4)}};
  s.shown = mark + 2;
  s.reference = mark;
  s.pinned = true;
  s.runs = {sampleRun(3, mark), sampleRun(8, mark)};
  s.runs[1].kind = RunKind::reconstruction;
  s.runs[1].load.reset();
  s.chosenRun = 3;
  s.view = {{"image/mode", "P"}, {"mark", std::to_string(mark)}, {"docks", "AAAA/+=="}};
  return s;
}

}  // namespace spokelab
