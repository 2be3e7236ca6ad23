#include "engine/recon/explore/fit/model_fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/density/frame_densities.h"
#include "engine/recon/explore/fit/field_terms.h"
#include "engine/recon/explore/fit/fitted_model.h"
#include "engine/recon/explore/fit/small_scan.h"
#include "engine/recon/job/given_maps.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/run/sense/scan_sense.h"
#include "engine/recon/sense/backend_cpu.h"

namespace spokelab {
namespace {

constexpr double fullCircle = 2 * std::numbers::pi;
constexpr int fitIterations = 8, mapPasses = 2, maxFieldOrder = 2;
constexpr const char* fitFails = "Cannot fit the scan's model";
enum class ValueKind { delay, field };
struct OpenValue {
  ValueKind kind = ValueKind::delay;
  std::size_t index = 0;  // axis, or term
  bool told = true;
};

class ModelFitter {
 public:
  ModelFitter(const Scan& scan, const ReconOptions& options, const ModelUnknowns& unknowns)
      : scan_(scan), userOptions_(options), modelUnknowns_(unknowns), backend_(makeCpuBackend()) {}

  ModelFit run(const Progress& progress) {
    chooseSamples();
    const int passes = estimatesMaps(*small_.scan, userOptions_.iterative) ? mapPasses : 1;
    for (int pass = 0; pass < passes; ++pass) {
      const Progress part = progress.part(double(pass) / passes, double(pass + 1) / passes);
      makeProblem(part.part(0, 0.2));
      iterate(pass == 0, part.part(0.2, 1));
    }
    finish();
    return std::move(fit_);
  }

 private:
  void chooseSamples() {
    options_ = userOptions_;
    options_.iterative.method = ReconMethod::sense;
    options_.iterative.mapSets = 1;
    const JobPlan job = planJob(scan_, options_);
    const bool given = scan_.coils > 1 && !estimatesMaps(scan_, options_.iterative);
    small_ = smallScan(scan_, job.frames.front(), job.slices[job.slices.size() / 2],
                       given ? std::int64_t(1) << 30 : modelUnknowns_.matrix, given);
    dims_ = std::size_t(scan_.dims());
    terms_ = modelUnknowns_.fieldOrder >= 0 ? fieldTerms(modelUnknowns_.fieldOrder, scan_.dims())
                                            : std::vector<FieldTerm>{};
    if (!terms_.empty() && small_.scan->trajectory(0).times.empty())
      throw Error(fitFails, "the scan has no readout times, so that no field acts",
                  "Leave the field out, or give the times of its samples");
    for (std::size_t d = 0; d < dims_ && modelUnknowns_.delays; ++d)
      unknowns_.push_back({ValueKind::delay, d});
    for (std::size_t i = 0; i < terms_.size(); ++i) unknowns_.push_back({ValueKind::field, i});
    if (unknowns_.empty()) throw Error(fitFails, "nothing is unknown", "Name delays or a field");
    field_.assign(terms_.size(), 0);
    constexpr int coilsOfFit = 4;
    options_.frames = options_.slices = options_.shots = options_.samples = "";
    options_.readoutWindow = options_.scanWindow = "";
    if (small_.scan->coils > coilsOfFit && !given) options_.virtualCoils = coilsOfFit;
    options_.iterative.transform = TransformKind::automatic;
    options_.precision = Precision::single;
    options_.exact = false;
    options_.nufft.accuracy = 1e-4;
    options_.nufft.alpha = 2;
    options_.nufft.width = 0;
    options_.coilsAtOnce = 1;
  }

  // Maps, weights and samples at the values so far.
  void makeProblem(const Progress& progress) {
    small_.scan->trajectories[0].points = small_.pointsAt(fit_.delays);
    const JobPlan planned = planJob(*small_.scan, options_);
    preparation_ = prepareScan(*small_.scan, planned, progress.part(0, 0.3));
    const Scan& prepared = preparation_.scan ? *preparation_.scan : *small_.scan;
    job_ = afterPreparation(planned);
    densities_ = std::make_unique<FrameDensities>(prepared, job_.options, *backend_);
    CoilMapSource maps{{0}, {}, {}};
    std::vector<std::string> notes;
    problem_ = senseProblem(*backend_, prepared, preparation_.mixing, job_, 0, 0, *densities_, maps, notes,
                            progress.part(0.3, 1));
    problem_.batch = 1;
    places_ = placesInFov(problem_.matrix);
    baseField_ = problem_.field;
    if (problem_.times.empty() && !terms_.empty()) {
      problem_.times = small_.scan->trajectory(0).times;
      for (double& t : problem_.times) t -= userOptions_.iterative.timeOriginMs * 1e-3;
    }
    noteOnce(notes);
  }

  void noteOnce(const std::vector<std::string>& notes) {
    for (const std::string& note : notes)
      if (std::find(fit_.notes.begin(), fit_.notes.end(), note) == fit_.notes.end())
        fit_.notes.push_back(note);
  }

  SenseProblem problemAt(const Vec3& delays, const std::vector<double>& field) const {
    SenseProblem p = problem_;
    const std::vector<double> points = small_.pointsAt(delays);
    p.points.assign(points.begin(), points.end());
    const bool acts = std::any_of(field.begin(), field.end(), [](double f) { return f != 0; });
    if (acts) {
      p.field = baseField_;
      p.field.resize(places_.size(), 0);
      for (std::size_t n = 0; n < places_.size(); ++n)
        for (std::size_t i = 0; i < terms_.size(); ++i)
          p.field[n] += fullCircle * field[i] * terms_[i].at(places_[n]);
    }
    p.transform =
        acts || !p.forms.empty() || !p.field.empty() ? TransformKind::segmented : TransformKind::nufft;
    return p;
  }

  // A linearization: the residual, and the derivatives that no other image explains.
  struct Step {
    double residual = 0;  // of |W^{1/2} y|
    double squares = 0;
    Eigen::MatrixXd normal;
    Eigen::VectorXd right, whole;  // whole: squares of the derivatives before the projection
  };

  double residualOf(FittedModel& model, const SamplesOfCoils& y, std::vector<cfloat>& image,
                    SamplesOfCoils& residual, const Progress& progress) const {
    image = model.imageOf(y, progress);
    residual = y;
    subtract(residual, model.samplesOf(image, {}, progress));
    return std::sqrt(model.inner(residual, residual) / std::max(model.inner(y, y), 1e-300));
  }

  Step linearized(FittedModel& model, const std::vector<cfloat>& image, const SamplesOfCoils& residual,
                  const Progress& progress) const {
    std::vector<SamplesOfCoils> columns;
    std::array<SamplesOfCoils, 3> moved;  // dE/dk_d x
    const std::vector<double> slope = small_.slopesAt(fit_.delays);
    const auto times = [](SamplesOfCoils values, const auto& factor) {
      for (auto& coil : values)
        for (std::size_t j = 0; j < coil.size(); ++j) coil[j] *= cfloat(factor(j));
      return values;
    };
    for (const OpenValue& u : unknowns_) {
      if (!u.told) continue;
      if (u.kind == ValueKind::field) {
        const FieldTerm& term = terms_[u.index];
        const SamplesOfCoils of =
            model.samplesOf(image, overPlaces([&](const Vec3& r) { return term.at(r); }), progress);
        columns.push_back(
            times(of, [&](std::size_t j) { return cdouble(0, -fullCircle * problem_.times[j]); }));
        continue;
      }
      const std::size_t d = u.index;
      if (moved[d].empty())
        moved[d] = times(model.samplesOf(image, overPlaces([d](const Vec3& r) { return r[d]; }), progress),
                         [](std::size_t) { return cdouble(0, -fullCircle); });
      columns.push_back(times(moved[d], [&](std::size_t j) { return -slope[j * dims_ + d]; }));
    }
    Step step;
    const auto count = Eigen::Index(columns.size());
    step.normal.resize(count, count);
    step.right.resize(count);
    step.whole.resize(count);
    for (Eigen::Index a = 0; a < count; ++a) {
      SamplesOfCoils& column = columns[std::size_t(a)];
      step.whole(a) = model.inner(column, column);
      const std::vector<cfloat> other = model.imageOf(column, progress);
      subtract(column, model.samplesOf(other, {}, progress));
      step.right(a) = model.inner(column, residual);
      for (Eigen::Index b = 0; b <= a; ++b)
        step.normal(a, b) = step.normal(b, a) = model.inner(columns[std::size_t(b)], column);
    }
    step.squares = model.inner(residual, residual);
    return step;
  }

  template <class Value>
  std::vector<float> overPlaces(const Value& value) const {
    std::vector<float> values;
    for (const Vec3& r : places_) values.push_back(float(value(r)));
    return values;
  }

  // Leaves out what the samples do not tell. True if anything is left out.
  bool leaveOut(const Step& step) {
    constexpr double least = 2e-3;  // of a derivative's square that no other image explains
    bool any = false;
    Eigen::Index at = 0;
    for (OpenValue& u : unknowns_) {
      if (!u.told) continue;
      if (!(step.normal(at, at) > least * step.whole(at))) {
        u.told = false;
        any = true;
      }
      ++at;
    }
    return any;
  }

  struct Values {
    Vec3 delays;
    std::vector<double> field;
  };
  Values movedBy(const Eigen::VectorXd& change) const {
    constexpr double maxDelay = 1;
    Values v{fit_.delays, field_};
    Eigen::Index at = 0;
    for (const OpenValue& u : unknowns_) {
      if (!u.told) continue;
      const double by = change(at++);
      if (u.kind == ValueKind::delay) v.delays[u.index] += std::clamp(by, -maxDelay, maxDelay);
      if (u.kind == ValueKind::field) v.field[u.index] += by;
    }
    return v;
  }

  void iterate(bool first, const Progress& progress) {
    constexpr double settled = 1e-4;  // of the residual
    constexpr int maxTries = 4;
    double damping = 1e-3;
    auto model = std::make_unique<FittedModel>(*backend_, problemAt(fit_.delays, field_), progress);
    const SamplesOfCoils y = model->measured();
    std::vector<cfloat> image;
    SamplesOfCoils rest;
    double residual = residualOf(*model, y, image, rest, progress);
    if (first) fit_.before = residual;
    fit_.after = residual;
    for (int iteration = 0; iteration < fitIterations; ++iteration) {
      progress.report(double(iteration) / fitIterations, "Fitting the model to the samples");
      Step step = linearized(*model, image, rest, progress);
      if (iteration == 0 && first && leaveOut(step)) {
        if (std::none_of(unknowns_.begin(), unknowns_.end(), [](const OpenValue& u) { return u.told; }))
          return;
        step = linearized(*model, image, rest, progress);
      }
      keepDeviations(step, y.size() * y.front().size());
      ++fit_.iterations;
      bool better = false;
      double before = residual;
      for (int attempt = 0; attempt < maxTries && !better; ++attempt) {
        Eigen::MatrixXd damped = step.normal;
        damped.diagonal() *= 1 + damping;
        const Eigen::VectorXd change = damped.ldlt().solve(step.right);
        if (!change.allFinite()) return;
        const Values v = movedBy(change);
        auto tried = std::make_unique<FittedModel>(*backend_, problemAt(v.delays, v.field), progress);
        std::vector<cfloat> triedImage;
        SamplesOfCoils triedRest;
        const double now = residualOf(*tried, y, triedImage, triedRest, progress);
        better = now < residual;
        damping = better ? damping / 5 : damping * 10;
        if (!better) continue;
        fit_.delays = v.delays;
        field_ = v.field;
        model = std::move(tried);
        image = std::move(triedImage);
        rest = std::move(triedRest);
        residual = fit_.after = now;
      }
      if (!better || before - residual < settled * before) return;
    }
  }

  void keepDeviations(const Step& step, std::size_t values) {
    const double variance = step.squares / std::max(1.0, double(2 * values));
    const Eigen::MatrixXd inverse =
        step.normal.ldlt().solve(Eigen::MatrixXd::Identity(step.normal.rows(), step.normal.cols()));
    deviations_.assign(std::size_t(step.normal.rows()), 0);
    for (Eigen::Index a = 0; a < inverse.rows(); ++a)
      deviations_[std::size_t(a)] = std::sqrt(std::max(0.0, inverse(a, a) * variance));
  }

  void finish() {
    std::size_t at = 0;
    std::string untold;
    for (const OpenValue& u : unknowns_) {
      FittedValue v;
      v.told = u.told;
      const bool isDelay = u.kind == ValueKind::delay;
      v.name = isDelay ? std::string("delay ") + axisNames[u.index] : "field " + terms_[u.index].name();
      v.unit = isDelay ? "samples" : "Hz";
      v.value = isDelay ? fit_.delays[u.index] : field_[u.index];
      if (u.told && at < deviations_.size()) v.deviation = deviations_[at++];
      if (!u.told) untold += (untold.empty() ? "" : ", ") + v.name;
      fit_.values.push_back(v);
    }
    if (!untold.empty())
      fit_.notes.push_back("(?) the samples do not tell " + untold + ": another image explains as much");
    if (!terms_.empty()) fit_.field = fieldOnScan();
  }

  std::shared_ptr<const Image> fieldOnScan() const {
    const auto image = makeImage(scan_, 1, {small_.slice}, false, small_.frame);
    image->name = "fitted field";
    const std::vector<Vec3> places = placesInFov(image->size);
    for (std::size_t n = 0; n < places.size(); ++n) {
      Vec3 r = places[n];
      if (scan_.dims() < 3) r[2] = 0;
      double hertz = 0;
      for (std::size_t i = 0; i < terms_.size(); ++i) hertz += field_[i] * terms_[i].at(r);
      image->data[n] = cfloat(float(fullCircle * hertz));
    }
    return image;
  }

  const Scan& scan_;
  ReconOptions userOptions_, options_;
  ModelUnknowns modelUnknowns_;
  std::unique_ptr<Backend> backend_;
  SmallScan small_;
  std::size_t dims_ = 2;
  std::vector<FieldTerm> terms_;
  std::vector<OpenValue> unknowns_;
  std::vector<double> field_, baseField_, deviations_;  // Hz; rad/s
  ScanPreparation preparation_;
  JobPlan job_;
  std::unique_ptr<FrameDensities> densities_;
  SenseProblem problem_;
  std::vector<Vec3> places_;
  ModelFit fit_;
};

}  // namespace

std::string valueText(const FittedValue& value, const std::string& plusMinus) {
  if (!value.told) return "not told by the samples";
  constexpr int digitsOfDeviation = 2, digitsOfValue = 4;
  constexpr double mostRounded = 100, leastRounded = 1e-9;  // deviations that decimals show
  const std::string unit = value.unit.empty() ? "" : " " + value.unit;
  if (!(value.deviation >= leastRounded && value.deviation < mostRounded))
    return numberText(value.value, digitsOfValue) + " " + plusMinus + " " +
           numberText(value.deviation, digitsOfDeviation) + unit;
  const int decimals = std::max(0, digitsOfDeviation - 1 - int(std::floor(std::log10(value.deviation))));
  return fixedText(value.value, decimals) + " " + plusMinus + " " + fixedText(value.deviation, decimals) +
         unit;
}

ModelFit fitModel(const Scan& scan, const ReconOptions& options, const ModelUnknowns& unknowns,
                  const Progress& progress) {
  if (unknowns.fieldOrder > maxFieldOrder)
    throw Error(fitFails, "a field of order " + std::to_string(unknowns.fieldOrder) + " is asked for",
                "Use an order of at most " + std::to_string(maxFieldOrder));
  return ModelFitter(scan, options, unknowns).run(progress);
}

std::vector<std::pair<std::string, std::string>> readChoices(const ModelFit& fit, int dims) {
  constexpr double whole = 1e4;  // digits that are kept: a ten-thousandth of a sample
  std::string text;
  bool any = false;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    const double delay = std::round(fit.delays[d] * whole) / whole;
    text += (d ? "," : "") + numberText(delay, 4);
    any = any || delay != 0;
  }
  if (!any) return {};
  return {{"gradient-delays", text}};
}

}  // namespace spokelab
