// The reasons for which an option of a reconstruction does nothing beside the others. Rows of the
// table name theirs.
#pragma once

#include "engine/core/options/option_table.h"

namespace spokelab {

struct ReconOptions;

namespace idle {

using Rule = const IdleRule<ReconOptions>;

// Methods.
extern Rule gridding, mapsCombine, notPcSense, notNlinv, softSense, methodFindsMaps, coilImages;
extern Rule methodRegularizes;
extern Rule noWavelets, noBlocks, noLowRankPart, noJumpsInTime, noDenoiser, lambdaIsZero, oneSolver;
// Bases of frames.
extern Rule noBasis, noBasisOrEchoes, noFingerprints, basisIsFile, onlyBasisIsFile, coefficientsGiven;
// Coils.
extern Rule notAdaptive, mapsAreFile, mapsAreWalsh;
// Fields.
extern Rule transformWithoutField, fieldIsNone, fieldOfTheEchoes, fieldNotOfEchoes, noGradients;
extern Rule noSegments, noConvolutions;
// Transforms, machines and tuning.
extern Rule notPipeMenon, noNormal, onGpu, onCpu, exactSums, undividedVolume;
extern Rule reproducibleRun, untimedTuning;

}  // namespace idle
}  // namespace spokelab
