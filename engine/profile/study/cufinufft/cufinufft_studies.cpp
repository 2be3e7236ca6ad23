#include "engine/profile/study/cufinufft/cufinufft_studies.h"

#include "engine/profile/study/cufinufft/study_memory.h"
#include "engine/profile/study/cufinufft/study_spreading.h"
#include "engine/profile/study/cufinufft/study_transforms.h"
#include "engine/profile/study/cufinufft/study_weak_scaling.h"

namespace spokelab {

std::vector<StudyDefinition> cufinufftStudies() {
  constexpr int maxSize2d = 8192;
  // One point a cell of the fine grid: rho = 1.
  constexpr double density2d = 0.25, density3d = 0.125;
  const std::vector<int> sides3d = {16, 32, 64, 128, 256}, sides2d = {32, 64, 128, 256, 512, 1024, 2048};
  const std::vector<std::string> adjoint = {adjointText}, forward = {forwardText},
                                 each = {adjointText, forwardText};
  const StudyUses methods{.accelerations = true, .patterns = true, .trials = true, .gpu = true},
      overErrors{.accelerations = true, .accuracies = true, .trials = true, .gpu = true, .plugins = true};
  StudyUses spreads = methods;
  spreads.crowdedSums = true;
  StudyUses overModes = overErrors;
  overModes.patterns = true;
  // Each method alone: our care for crowds would spread the paper's cluster whichever is named.
  const auto asPrinted = [](StudyRequest request) {
    request.crowdedSums = CrowdedSums::off;
    return request;
  };
  StudyRequest scaled = paperRequest({41, 81}, {}, {1e-12}, {});
  scaled.threads = {1};
  const std::string
      fixed =
          "σ = 2, w = 6, exponential of semicircle, single precision, a point for each cell of the fine grid "
          "(ρ = 1); GM, GM-sort and SM with the paper's bins and M_sub = 1024",
      ours =
          ". `tensor`, `fixed` and `output` (GPU) and `blocked` (CPU) are ours. GPU methods need a GPU. "
          "Set-up includes the copy of the points from the host, GM's, too; clearing the grid is not in the "
          "time. The paper's range of fine grids is not legible: ",
      peers =
          "Peers take part as plug-ins (`finufft`, `cufinufft`, each at its own "
          "σ and widths; exec has the copies to and from a GPU in it), without CUNFFT and gpuNUFFT";
  return {
      {{"spreading", "Spreading methods in 3-D", "cufinufft Fig. 2, 3-D",
        fixed + "; “rand” and “cluster”; spreading alone, and with what new points cost (total)",
        "The speed-up is over GM; crowded points are summed like the others (`--crowded-sums`)" + ours +
            "n = 32 to 512 here (N = 16, 32, 64, 128, 256)",
        spreadingMethods(), adjoint},
       {"side n of the fine grid", "time a point / ns", true, true, {}},
       studySpreading,
       asPrinted(paperRequest(sides3d, {density3d}, {}, {"random", "clustered"})),
       spreads},
      {{"spreading-2d", "Spreading methods in 2-D", "cufinufft Fig. 2, 2-D",
        fixed + "; “rand” and “cluster”; spreading alone, and with what new points cost (total)",
        "The speed-up is over GM; crowded points are summed like the others (`--crowded-sums`)" + ours +
            "n = 64 to 4096 here (N = 32, 64, 128, 256, 512, 1024, 2048)",
        spreadingMethods(), adjoint},
       {"side n of the fine grid", "time a point / ns", true, true, {}},
       studySpreading2d,
       asPrinted(paperRequest(sides2d, {density2d}, {}, {"random", "clustered"})),
       spreads,
       maxSize2d},
      {{"interpolation", "Interpolation methods in 3-D", "cufinufft Fig. 3, 3-D",
        fixed + "; “rand”; interpolation alone, and with what new points cost (total)",
        "`sm` interpolates, too, here" + ours + "n = 32 to 512 here (N = 16, 32, 64, 128, 256)",
        interpolationMethods(), forward},
       {"side n of the fine grid", "time a point / ns", true, true, {}},
       studyInterpolation,
       paperRequest(sides3d, {density3d}, {}, {"random"}),
       methods},
      {{"interpolation-2d", "Interpolation methods in 2-D", "cufinufft Fig. 3, 2-D",
        fixed + "; “rand”; interpolation alone, and with what new points cost (total)",
        "`sm` interpolates, too, here" + ours + "n = 64 to 4096 here (N = 32, 64, 128, 256, 512, 1024, 2048)",
        interpolationMethods(), forward},
       {"side n of the fine grid", "time a point / ns", true, true, {}},
       studyInterpolation2d,
       paperRequest(sides2d, {density2d}, {}, {"random"}),
       methods,
       maxSize2d},
      {{"errors", "Time over the error, single precision", "cufinufft Figs 4 and 5",
        "σ = 2, single precision, “rand”, 2-D and 3-D, type 1 (adjoint) and type 2 (forward): total+mem (Fig. "
        "4) and exec (Fig. 5) a point, over the relative ℓ2 error that is measured",
        peers + ". The paper's sizes are not legible: 100³ and 1000² here (N = 100), ρ = 1. "
                "The error is against exact sums at some random outputs, not against FINUFFT",
        transformMethods(), each},
       {"relative ℓ2 error", "time a point / ns", true, true, {}},
       studyErrors,
       paperRequest({100}, {density3d}, {1e-1, 1e-2, 1e-3, 1e-4, 1e-5}, {}),
       overErrors},
      {{"modes", "Time over the number of modes in 2-D", "cufinufft Fig. 6",
        "2-D, ε = 0.01, σ = 2, ρ = 1, single precision, “rand” and “cluster”, type 1 (adjoint) "
        "and type 2 (forward): exec, total and total+mem a point over the number of modes",
        peers + ". The paper's range of modes is not legible: 32² to 2048² here (N = 32, 64, 128, 256, 512, "
                "1024, 2048)",
        transformMethods(), each},
       {"number of modes N²", "time a point / ns", true, true, {}},
       studyModes,
       paperRequest(sides2d, {density2d}, {1e-2}, {"random", "clustered"}),
       overModes,
       maxSize2d},
      {{"errors-double", "Time over the error, double precision", "cufinufft Fig. 7",
        "σ = 2, double precision, “rand”, 2-D and 3-D, type 1 (adjoint) and type 2 (forward): exec, "
        "total and total+mem a point, over the relative ℓ2 error that is measured",
        peers + ". The paper's sizes are not legible: 100³ and 1000² here (N = 100), ρ = 1. "
                "The error is against exact sums at some random outputs, not against FINUFFT",
        transformMethods(), each},
       {"relative ℓ2 error", "time a point / ns", true, true, {}},
       studyErrorsDouble,
       paperRequest({100}, {density3d}, {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}, {}),
       overErrors},
      {{"weak-scaling",
        "Weak scaling over ranks and GPUs",
        "cufinufft Fig. 9 and Table II",
        "N = 41 with 1.02 million points and N = 81 with 16.4 million a rank, on 1000 turned images, ε = 10⁻¹², "
        "double precision, type 1 (adjoint) and type 2 (forward), a rank for each GPU and then more ranks "
        "than GPUs, which share them in turn; total with the copies from and to the host, setting points, and "
        "execution, of the slowest rank",
        "Ranks are threads of one process, or the processes of `mpirun` and `srun`; on a CPU each has the same "
        "number of threads (`--threads`, 1). Images are flat, where the paper's are parts of Ewald's sphere. Both "
        "types at both sizes. The plan is made once, outside of the time. Efficiency is the time of the fewest "
        "ranks over the time of more",
        {cpuBackend, gpuBackend},
        each,
        true},
       {"ranks", "seconds, efficiency", true, false, {}},
       studyWeakScaling,
       scaled,
       {.accelerations = true,
        .accuracies = true,
        .threads = true,
        .trials = true,
        .ranks = true,
        .gpu = true}},
      {{"memory", "Memory and share of spreading in 3-D", "cufinufft Table I",
        "3-D, type 1 (adjoint), N = 32 and 256, ε = 0.01 and 10⁻⁵, σ = 2, ρ = 1, single precision, “rand”: exec, "
        "memory, and the share of exec that spreading takes",
        "Memory is what the plan holds, with its points, where the paper has `nvidia-smi`'s number, which holds "
        "the context and other programs, too. No FINUFFT for the speed-up (`errors` has it as a plug-in)",
        transformMethods(), adjoint},
       {"size N", "time, memory, share", true, true, {}},
       studyMemory,
       paperRequest({32, 256}, {density3d}, {1e-2, 1e-5}, {}),
       {.accelerations = true, .accuracies = true, .trials = true, .gpu = true}}};
}

}  // namespace spokelab
