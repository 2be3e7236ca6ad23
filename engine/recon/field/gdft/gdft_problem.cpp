#include "engine/recon/field/gdft/gdft_problem.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "engine/core/error.h"

namespace spokelab {
namespace {

void requireSize(std::size_t have, std::int64_t want, const char* what, const char* of) {
  if (have != 0 && std::int64_t(have) != want)
    throw Error("Cannot set up the field-corrected transform",
                std::string("the ") + what + " has " + std::to_string(have) + " values, but there are " +
                    std::to_string(want) + ' ' + of,
                std::string("Give a ") + what + " of the right size");
}

void requireFinite(const std::vector<double>& values, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw Error("Cannot set up the field-corrected transform",
                  std::string("value ") + std::to_string(i) + " of the " + what + " is not a finite number",
                  std::string("Mend the ") + what + ", or leave it out");
}

}  // namespace

double GdftProblem::phaseAt(std::size_t pixel, std::size_t sample) const {
  const double ofField = field.empty() ? 0 : field[pixel] * times[sample];
  if (forms.empty()) return ofField;
  double inTurns = 0;
  const auto allSamples = std::size_t(samples()), allPixels = std::size_t(pixels());
  for (std::size_t f = 0; f < std::size_t(forms.count); ++f)
    inTurns += forms.turns[f * allSamples + sample] * forms.places[f * allPixels + pixel];
  return ofField + 2 * std::numbers::pi * inTurns;
}

void validate(const GdftProblem& problem) {
  if (problem.dims < 1 || problem.dims > 3 ||
      problem.points.size() % std::size_t(std::max(problem.dims, 1)) != 0)
    throw Error("Cannot set up the field-corrected transform",
                "its points do not have 1 to 3 coordinates each",
                "Give each point one coordinate for each dimension");
  for (std::int64_t n : problem.matrix)
    if (n < 1)
      throw Error("Cannot set up the field-corrected transform", "a matrix size is below 1",
                  "Give whole sizes from 1");
  const std::int64_t pixels = problem.pixels(), samples = problem.samples();
  requireSize(problem.times.size(), samples, "list of times", "samples");
  requireSize(problem.field.size(), pixels, "field map", "pixels");
  requireSize(problem.decay.size(), pixels, "R2* map", "pixels");
  requireSize(problem.gradient.size(), pixels * problem.dims, "gradient map", "pixels times dimensions");
  if (problem.times.empty() && !(problem.field.empty() && problem.decay.empty() && problem.gradient.empty()))
    throw Error("Cannot correct for the field", "the scan has no readout times",
                "Give the times of the samples, or leave the field map out");
  const PhaseForms& forms = problem.forms;
  if (forms.count < 0 || forms.count > maxPhaseForms ||
      std::int64_t(forms.turns.size()) != forms.count * samples ||
      std::int64_t(forms.places.size()) != forms.count * pixels)
    throw Error("Cannot set up the field-corrected transform",
                "the phases of second order do not fit its samples and pixels",
                "Give up to " + std::to_string(maxPhaseForms) + " forms, with a value a sample and a pixel");
  requireFinite(forms.turns, "phases of second order");
  requireFinite(forms.places, "places of phases of second order");
  requireFinite(problem.points, "trajectory");
  requireFinite(problem.coordinates, "pixel coordinates");
  requireFinite(problem.times, "readout times");
  requireFinite(problem.field, "field map");
  requireFinite(problem.decay, "R2* map");
  requireFinite(problem.gradient, "gradient map");
}

}  // namespace spokelab
