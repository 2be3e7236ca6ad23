#include "engine/profile/study/cufinufft/study_weak_scaling.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/core/jobs/thread_ranks.h"
#include "engine/core/measure/rank_test.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/profile/study/study_definition.h"
#include "engine/profile/study/study_problem.h"
#include "engine/profile/study/study_quartiles.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {
namespace {

constexpr int maxImages = 1000;            // of one rank, as in the paper's Table II
constexpr std::int64_t minOfAnImage = 16;  // points

struct RankCase {
  NufftProblem problem;
  double acceleration = 1;
  bool adjoint = false;
  NufftOptions options;
  int rounds = 1;
};

// Seconds of the slowest rank, one entry a round.
struct RankSeconds {
  std::vector<double> points, execution, whole;
};

// The largest of each of the ranks' values, on rank 0.
std::array<double, 3> largestOf(Ranks& ranks, const std::array<double, 3>& ofRank, const Progress& progress) {
  const auto size = std::size_t(ranks.size());
  std::vector<double> all(ofRank.size() * size, 0.0);
  for (std::size_t i = 0; i < ofRank.size(); ++i) all[i * size + std::size_t(ranks.rank())] = ofRank[i];
  ranks.sum(all.data(), all.size(), progress);
  std::array<double, 3> largest{};
  for (std::size_t i = 0; i < ofRank.size(); ++i)
    largest[i] = *std::max_element(all.begin() + std::ptrdiff_t(i * size),
                                   all.begin() + std::ptrdiff_t((i + 1) * size));
  return largest;
}

// Times the case on the first 1, 2 ... of the ranks, which all call it: the others wait.
std::vector<RankSeconds> timeOn(Ranks& ranks, NufftBackend& own, const RankCase& c,
                                const std::vector<int>& counts, const Progress& progress) {
  const PoolLane lane(ranks.rank());
  const auto plan = own.plan<double>(c.problem, c.options);
  const std::vector<double> points =
      slicePoints(int(c.problem.size[0]), c.acceleration, unsigned(ranks.rank()) + 1);
  Buffer<cdouble> samples(points.size() / 3, cdouble(1)),
      image(static_cast<std::size_t>(c.problem.pixels()), cdouble(1));
  std::vector<RankSeconds> results(counts.size());
  // The counts take turns, as a clock that changes would favour some of them. The first round
  // loads code and makes page-locked memory.
  for (int round = -1; round < c.rounds; ++round)
    for (std::size_t i = 0; i < counts.size(); ++i) {
      progress.report((round + 1 + double(i) / double(counts.size())) / (c.rounds + 1),
                      countText(counts[i], "rank"));
      ranks.barrier(progress);
      std::array<double, 3> seconds{};
      if (ranks.rank() < counts[i]) {
        const double begun = now();
        plan->setPoints(points);
        const double set = now();
        if (c.adjoint)
          plan->adjoint(samples.data(), image.data());
        else
          plan->forward(image.data(), samples.data());
        const double done = now();
        seconds = {set - begun, done - set, done - begun};
      }
      const auto largest = largestOf(ranks, seconds, progress);
      if (round < 0) continue;
      results[i].points.push_back(largest[0]);
      results[i].execution.push_back(largest[1]);
      results[i].whole.push_back(largest[2]);
    }
  return results;
}

std::vector<NufftBackend*> devicesFor(NufftBackend& backend, const std::string& list) {
  if (backend.deviceCount() == 0) return {&backend};
  std::vector<NufftBackend*> devices;
  for (const int d : numberList(list.empty() ? "all" : list, backend.deviceCount(),
                                "Cannot use devices = " + list, "this machine"))
    devices.push_back(&backend.device(d));
  return devices;
}

// 1, 2, 4 ... up to the number of places; for GPUs twice that number at the end.
std::vector<int> countsFor(int places, bool shares) {
  std::vector<int> counts;
  for (int n = 1; n < places; n *= 2) counts.push_back(n);
  counts.push_back(places);
  if (shares) counts.push_back(2 * places);
  return counts;
}

struct Team {
  std::string kind;
  std::vector<NufftBackend*> devices;
  std::vector<int> counts;
  int places = 1;  // devices, or threads of the CPU over those of a rank
};

// A team that cannot run on all ranks alike has no counts.
Team teamOf(StudyRun& run, const std::string& kind, const Progress& progress) {
  const StudyRequest& q = run.request();
  Team team;
  team.kind = kind;
  NufftBackend* const backend = run.backend(kind);
  Ranks* const ranks = run.ranks();
  if (ranks) {
    double having = backend ? 1 : 0;
    ranks->sum(&having, 1, progress);
    ranks->broadcast(&having, sizeof having, progress);
    if (int(having) < ranks->size()) return team;
  } else if (!backend) {
    return team;
  }
  team.devices = ranks ? std::vector{backend} : devicesFor(*backend, q.devices);
  team.places = kind == "cpu" ? std::max(1, hardwareThreads() / q.threads.front()) : int(team.devices.size());
  team.counts = !q.ranks.empty() ? q.ranks : countsFor(ranks ? ranks->size() : team.places, kind != "cpu");
  if (!ranks) return team;
  std::erase_if(team.counts, [&](int count) { return count > ranks->size(); });
  if (team.counts.empty()) team.counts = {ranks->size()};
  return team;
}

RankCase caseOf(StudyRun& run, int size, double acceleration, bool adjoint, const Team& team) {
  const StudyRequest& q = run.request();
  RankCase c;
  c.problem.dims = 3;
  c.problem.size = {size, size, size};
  c.problem.precision = Precision::double64;
  c.acceleration = acceleration;
  c.adjoint = adjoint;
  c.rounds = roundsOf(q);
  c.options.accuracy = q.accuracies.front();
  c.options.alpha = q.alphas.front();
  c.options.normal = NormalMethod::later;  // never applied
  if (team.kind == "cpu") c.options.threads = q.threads.front();
  NufftBackend& first = *team.devices.front();
  c.options.spread = first.spreadMethods(c.problem, c.options).front();
  c.options.interpolate = first.interpolateMethods(c.problem, c.options).front();
  return c;
}

std::string rankText(const Team& team, int count) {
  const std::string text = team.kind + ", " + countText(count, "rank");
  return team.kind == "cpu" ? text : text + " on " + countText(std::min(count, team.places), "GPU");
}

void addRows(StudyRun& run, const RankCase& c, const Team& team, const std::vector<RankSeconds>& results) {
  const auto median = [](const std::vector<double>& values) { return quantileOf(values, 0.5); };
  double alone = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    StudyRow row;
    row.c.size = int(c.problem.size[0]);
    row.c.acceleration = c.acceleration;
    row.c.accuracy = c.options.accuracy;
    row.c.pattern = "slices";
    row.c.points = std::int64_t(std::lround(double(c.problem.pixels()) / c.acceleration));
    row.variant = rankText(team, team.counts[i]);
    row.direction = c.adjoint ? adjointText : forwardText;
    row.candidate.backend = team.kind;
    row.candidate.options = resolveOptions(c.problem, c.options);
    row.candidate.runs = results[i].whole;
    row.candidate.repeats = int(results[i].whole.size());
    row.candidate.timings.total = row.seconds = median(results[i].whole);
    row.candidate.setPointsSeconds = row.setUpSeconds = median(results[i].points);
    row.x = team.counts[i];
    const std::string panel =
        std::string(c.adjoint ? "type 1" : "type 2") + ", N " + std::to_string(row.c.size);
    const std::pair<const char*, double> parts[] = {
        {"total", row.seconds}, {"points", row.setUpSeconds}, {"execution", median(results[i].execution)}};
    for (const auto& [name, seconds] : parts) {
      StudyRow part = row;
      part.panel = panel + ", time";
      part.series = team.kind + ", " + name;
      part.y = seconds;
      if (seconds == row.seconds) addTimeQuartiles(part);
      run.add(std::move(part));
    }
    if (i == 0) alone = row.seconds;
    row.panel = panel + ", efficiency";
    row.series = team.kind;
    row.y = row.speedUp = alone / row.seconds;
    addSpeedQuartiles(row);
    run.add(std::move(row));
  }
}

}  // namespace

double sliceAcceleration(int size) {
  constexpr double slicing = 1.02e6, merging = 1.64e7;  // points of a rank
  constexpr int slicingSize = 41, mergingSize = 81;
  const auto rate = [](double points, int n) { return double(n) * n * n / points; };
  return size == slicingSize ? rate(slicing, slicingSize) : rate(merging, mergingSize);
}

std::vector<double> slicePoints(int size, double acceleration, unsigned seed) {
  const double wanted = std::pow(double(size), 3) / acceleration;
  requireMemory(3 * wanted * double(sizeof(double)), "Cannot make the points",
                countText(std::int64_t(wanted), "point"), "Choose smaller sizes or higher accelerations");
  const auto images = std::clamp<std::int64_t>(std::int64_t(wanted) / minOfAnImage, 1, maxImages);
  const auto side = std::max<std::int64_t>(1, std::lround(std::sqrt(wanted / double(images))));
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> points;
  points.reserve(std::size_t(3 * images * side * side));
  using Vector = std::array<double, 3>;
  const auto dot = [](const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const auto scaled = [&](Vector a) {
    const double length = std::sqrt(dot(a, a));
    for (double& value : a) value /= length;
    return a;
  };
  for (std::int64_t i = 0; i < images; ++i) {
    const Vector u = scaled({normal(random), normal(random), normal(random)});
    Vector v{normal(random), normal(random), normal(random)};
    const double along = dot(u, v);
    for (std::size_t d = 0; d < 3; ++d) v[d] -= along * u[d];
    v = scaled(v);
    // A corner of an image lies on the sphere of radius 1/2.
    const double step = 1 / (std::sqrt(2.0) * double(side));
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < side; ++x)
        for (std::size_t d = 0; d < 3; ++d)
          points.push_back(step * (double(x - side / 2) * u[d] + double(y - side / 2) * v[d]));
  }
  return points;
}

void studyWeakScaling(StudyRun& run) {
  const StudyRequest& q = run.request();
  std::vector<Team> teams;
  for (const char* kind : {cpuBackend, gpuBackend}) {
    Team team = teamOf(run, kind, run.progress());
    if (team.counts.empty())
      run.add(refusedRow(kind, kind));
    else
      teams.push_back(std::move(team));
  }
  run.steps(2 * q.sizes.size(), [&](std::size_t i, const Progress& progress) {
    const int size = q.sizes[i / 2];
    const bool adjoint = i % 2 == 1;
    const double acceleration = q.accelerations.empty() ? sliceAcceleration(size) : q.accelerations.front();
    for (std::size_t k = 0; k < teams.size(); ++k) {
      const Team& team = teams[k];
      const Progress part =
          progress.part(double(k) / double(teams.size()), double(k + 1) / double(teams.size()));
      const RankCase c = caseOf(run, size, acceleration, adjoint, team);
      std::vector<RankSeconds> results;
      if (Ranks* const ranks = run.ranks()) {
        results = timeOn(*ranks, *team.devices.front(), c, team.counts, part);
      } else {
        const int most = *std::max_element(team.counts.begin(), team.counts.end());
        std::vector<std::string> names;
        for (int rank = 0; rank < most; ++rank) names.push_back(team.kind + " rank " + std::to_string(rank));
        runOnThreadRanks(
            names,
            [&](Ranks& threads, const Progress& own) {
              auto& device = *team.devices[std::size_t(threads.rank()) % team.devices.size()];
              auto found = timeOn(threads, device, c, team.counts, own);
              if (threads.isFirst()) results = std::move(found);
            },
            part);
      }
      addRows(run, c, team, results);
    }
  });
}

}  // namespace spokelab
