// Echoes of simulated scans: a phantom whose shapes decay with T2, and the shots of each echo.
#pragma once

#include <vector>

#include "engine/scan/simulate/simulate.h"
#include "engine/scan/simulate/truth_image.h"

namespace spokelab {

// T2 in s of each shape. Shapes that take away from others decay as the first one does.
std::vector<double> shapeT2(const Phantom& phantom);
// The phantom at an echo time in s: each shape's value times e^{-TE/T2}.
Phantom phantomAtEcho(Phantom phantom, double echoSeconds);

// The phantom at each echo, or after each excitation of a fingerprint; one where all are alike.
std::vector<Phantom> phantomSeries(const SimulateOptions& options, const Phantom& phantom);

// One trajectory for all frames, or one for each frame if the shapes decay and the golden angle
// continues from echo to echo (each without weights, which belong to the whole).
std::vector<Trajectory> frameTrajectories(const SimulateOptions& options);

// truthImage() of each frame, or of all alike.
Image simulatedTruth(const SimulateOptions& options, const Index3& matrix, int dims, TruthKind kind,
                     const Progress& progress);

}  // namespace spokelab
