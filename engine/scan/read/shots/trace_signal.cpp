#include "engine/scan/read/shots/trace_signal.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

constexpr std::string_view unitPrefix = "PMU ";
const char* const otherSources =
    "Take the samples at the centre of k-space instead (centre or ssa-fary), or give the bin of each shot in a "
    "file (breathing = FILE)";

bool isNamed(const NamedArray& array, std::initializer_list<const char*> words) {
  if (!isTrace(array) || array.shape[1] < 2) return false;
  std::string name = array.name.substr(unitPrefix.size());
  for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
  return std::any_of(words.begin(), words.end(), [&](const char* word) { return name.starts_with(word); });
}

std::vector<const NamedArray*> heartTraces(const Scan& scan) {
  std::vector<const NamedArray*> traces;
  for (const NamedArray& array : scan.arrays)
    if (isNamed(array, {"ecg", "puls", "card"})) traces.push_back(&array);
  return traces;
}

const NamedArray* breathTrace(const Scan& scan) {
  for (const NamedArray& array : scan.arrays)
    if (isNamed(array, {"resp", "rsr"})) return &array;
  return nullptr;
}

double secondOf(const NamedArray& trace, std::size_t i) {
  return trace.values[i].real();
}
double valueOf(const NamedArray& trace, std::size_t i) {
  return trace.values[std::size_t(trace.shape[1]) + i].real();
}

[[noreturn]] void noTrace(const Scan& scan, const char* what, const std::string& problem) {
  std::vector<std::string> names;
  for (const NamedArray& array : scan.arrays)
    if (array.name.starts_with(unitPrefix)) names.push_back(array.name.substr(unitPrefix.size()));
  throw Error(problem,
              std::string("the file has no trace of ") + what +
                  (names.empty() ? "" : "; its traces are " + joined(names)),
              otherSources);
}

const std::vector<double>& timesOf(const Scan& scan, const std::string& problem) {
  if (scan.shotTimes.empty())
    throw Error(problem, "a trace needs the time of each shot, and the file has no time stamps",
                otherSources);
  return scan.shotTimes.front();
}

// The trace has to cover the shots up to a few of them.
void requireCovered(const std::vector<double>& times, const NamedArray& trace, const std::string& problem) {
  const double from = secondOf(trace, 0), to = secondOf(trace, std::size_t(trace.shape[1]) - 1);
  const auto covered =
      std::count_if(times.begin(), times.end(), [&](double t) { return t >= from - 1 && t <= to + 1; });
  constexpr double minCovered = 0.9;
  if (double(covered) < minCovered * double(times.size()))
    throw Error(problem,
                trace.name + " covers " + numberText(from) + " ... " + numberText(to) +
                    " s, and the shots 0 ... " + numberText(times.back()) + " s",
                otherSources);
}

// [time]: by straight lines between the samples of the trace.
std::vector<double> valuesAt(const NamedArray& trace, const std::vector<double>& times) {
  const auto count = std::size_t(trace.shape[1]);
  std::vector<double> values;
  for (const double t : times) {
    const auto later =
        std::upper_bound(trace.values.begin(), trace.values.begin() + std::ptrdiff_t(count), t,
                         [](double second, const cfloat& v) { return second < double(v.real()); });
    const auto right = std::clamp<std::size_t>(std::size_t(later - trace.values.begin()), 1, count - 1);
    const double before = secondOf(trace, right - 1), step = secondOf(trace, right) - before;
    const double share = step > 0 ? std::clamp((t - before) / step, 0.0, 1.0) : 0;
    values.push_back((1 - share) * valueOf(trace, right - 1) + share * valueOf(trace, right));
  }
  return values;
}

// The value below which this share of the values is.
double quantile(std::vector<double> values, double share) {
  const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Seconds of the peaks: the largest value of each stretch above half of the highest ones, upwards
// or downwards as the trace reaches farther. Stretches within minBeat of a peak belong to it.
std::vector<double> beatsOf(const NamedArray& trace) {
  constexpr double minBeat = 0.3, high = 0.99, level = 0.5;
  std::vector<double> values;
  for (std::size_t i = 0; i < std::size_t(trace.shape[1]); ++i) values.push_back(valueOf(trace, i));
  const double middle = quantile(values, 0.5);
  double up = quantile(values, high) - middle;
  const double down = middle - quantile(values, 1 - high);
  const double sign = down > up ? -1 : 1;
  up = std::max(up, down);
  std::vector<double> beats;
  double highest = 0;
  bool above = false;
  for (std::size_t i = 0; i < values.size() && up > 0; ++i) {
    const double over = sign * (values[i] - middle), second = secondOf(trace, i);
    const bool was = above;
    above = over > level * up;
    if (!above) continue;
    if (!was && (beats.empty() || second - beats.back() >= minBeat)) {
      beats.push_back(second);
      highest = over;
    } else if (over > highest && second - beats.back() < minBeat) {
      beats.back() = second;
      highest = over;
    }
  }
  return beats;
}

// How much the times from beat to beat differ, relative; large without beats.
double unevenness(const std::vector<double>& beats) {
  constexpr std::size_t minBeats = 4;
  if (beats.size() < minBeats) return HUGE_VAL;
  std::vector<double> gaps;
  for (std::size_t i = 1; i < beats.size(); ++i) gaps.push_back(beats[i] - beats[i - 1]);
  return (quantile(gaps, 0.75) - quantile(gaps, 0.25)) / quantile(gaps, 0.5);
}

double phaseAt(const std::vector<double>& beats, double t) {
  const auto later = std::upper_bound(beats.begin(), beats.end(), t);
  const auto right = std::clamp<std::ptrdiff_t>(later - beats.begin(), 1, std::ptrdiff_t(beats.size()) - 1);
  const double before = beats[std::size_t(right - 1)];
  const double phase = (t - before) / (beats[std::size_t(right)] - before);
  return phase - std::floor(phase);
}

}  // namespace

bool isTrace(const NamedArray& array) {
  return array.name.starts_with(unitPrefix) && array.shape.size() == 2 && array.shape[0] == 2;
}

bool hasHeartTrace(const Scan& scan) {
  return !heartTraces(scan).empty();
}

TraceSignal breathOfTrace(const Scan& scan, const std::string& problem) {
  const NamedArray* const trace = breathTrace(scan);
  if (!trace) noTrace(scan, "breathing", problem);
  const std::vector<double>& times = timesOf(scan, problem);
  requireCovered(times, *trace, problem);
  return {valuesAt(*trace, times), trace->name.substr(unitPrefix.size()), 0};
}

TraceSignal heartOfTrace(const Scan& scan, const std::string& problem) {
  const std::vector<const NamedArray*> traces = heartTraces(scan);
  if (traces.empty()) noTrace(scan, "the heart", problem);
  const std::vector<double>& times = timesOf(scan, problem);
  const NamedArray* best = nullptr;
  std::vector<double> beats;
  double least = HUGE_VAL;
  for (const NamedArray* trace : traces) {
    std::vector<double> own = beatsOf(*trace);
    const double uneven = unevenness(own);
    if (uneven >= least) continue;
    least = uneven;
    best = trace;
    beats = std::move(own);
  }
  if (!best) throw Error(problem, "no trace of the heart shows four beats or more", otherSources);
  requireCovered(times, *best, problem);
  TraceSignal signal;
  for (const double t : times) signal.values.push_back(phaseAt(beats, t));
  signal.trace = best->name.substr(unitPrefix.size());
  signal.beats = int(beats.size());
  return signal;
}

}  // namespace spokelab
