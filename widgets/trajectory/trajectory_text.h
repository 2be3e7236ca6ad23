// Texts of the trajectory view: samples, their load (in a cell or tile), and the legend's ends.
#pragma once

#include <QString>

#include "engine/recon/prepare/sample_load.h"
#include "widgets/trajectory/trajectory_renderer.h"

namespace spokelab {

// Shot, number, k, time and weight of a sample, and with `load` the samples of its cell or tile.
QString sampleText(const Trajectory& trajectory, std::int64_t sample, TrajectoryColour colour,
                   const SampleLoad& load);
// Mean, most and empty cells; `tile` in cells of the plan's grid, for TrajectoryColour::load.
QString loadText(const SampleLoad& load, TrajectoryColour colour, const Index3& tile);
// The value at an end of the legend, with its unit, for the quantity that `colour` shows.
QString colourValueText(const Trajectory& trajectory, TrajectoryColour colour, double value);

}  // namespace spokelab
