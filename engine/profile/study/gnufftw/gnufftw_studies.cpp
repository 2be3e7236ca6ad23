#include "engine/profile/study/gnufftw/gnufftw_studies.h"

#include "engine/profile/study/gnufftw/study_aliasing.h"
#include "engine/profile/study/gnufftw/study_entries.h"
#include "engine/profile/study/gnufftw/study_pruned.h"
#include "engine/profile/study/gnufftw/study_rows.h"
#include "engine/profile/study/gnufftw/study_tuned.h"

namespace spokelab {

std::vector<StudyDefinition> gnufftwStudies() {
  const std::vector<int> all = {62, 94, 126, 158, 190, 222, 254}, large = {126, 158, 190, 222, 254};
  const std::vector<double> r = {1, 4, 16}, both = {1e-2, 1e-3};
  const std::vector<std::string> four = {"radial3d", "stack-of-stars", "cones", "random"},
                                 each = {adjointText, forwardText},
                                 threeWays = {bothText, adjointText, forwardText};
  const StudyUses counted{.accelerations = true, .accuracies = true, .patterns = true},
      tuned{.accelerations = true,
            .accuracies = true,
            .patterns = true,
            .trials = true,
            .gpu = true,
            .plugins = true},
      listed{.accelerations = true, .accuracies = true, .patterns = true, .trials = true, .gpu = true};
  StudyUses compared = tuned;
  compared.severalAlphas = true;
  const std::vector<double> open = {};
  const std::string
      methods =
          "*No precomputation* is `blocked` on a CPU and `gm` on a GPU, *partial* `sector`, "
          "*full* `sparse`, and `cusparse` by NVIDIA's library (GPU); "
          "`sm`, `fixed` and `tensor` are ours. GPU methods need a GPU",
      rows =
          "The paper names no α: 1.5 here, where W = 3.555 gives its numbers of random points "
          "(3.65 and 10.97). Its spokes, planes and cones may have another number of samples. "
          "Nothing is executed",
      grids = "Grid sizes are rounded up to fast ones, W is any real number",
      baseline =
          "Speed-ups are over BART on one thread, where it takes part as a plug-in (its start and its files "
          "are in the time), else over our own CPU plan on one thread with α = 2 and W = 3, whatever the "
          "accuracy (one baseline for each operation)";
  return {
      {{"aliasing",
        "Largest aliasing amplitude over the kernel's width",
        "gnufftw Fig. 3",
        "N = 128³, Kaiser–Bessel, α from 1.125 to 2, equation 8",
        "The kernel's own amplitude: a table, where one is used, is as dense as the accuracy needs, "
        "so that the paper's floor from linear interpolation is not there. Nothing is executed",
        {"alpha 1.125", "alpha 1.25", "alpha 1.375", "alpha 1.5", "alpha 1.75", "alpha 2"},
        {}},
       {"kernel width W", "largest aliasing amplitude", false, true, {}},
       studyAliasing,
       paperRequest({128}, {}, {}, {}, {1.125, 1.25, 1.375, 1.5, 1.75, 2}),
       {.severalAlphas = true}},
      {{"pruned-fft",
        "Gain of pruning in the FFT",
        "gnufftw Fig. 5",
        "α = 2 in 3-D: one transform of n³ against eight of (n/2)³, the paper's upper bound without "
        "recombination",
        "cuFFT on a GPU, whose eight transforms are one batch; on the CPU the program's FFT on all threads. "
        "The paper's sides n are not legible: 64, 96, 128, 192, 256, 320, 384, 512. *Pruned passes* are our own transform between image and grid, "
        "which skips the lines of zeros: padding, cropping, factors and halo included, "
        "it gives what the full transform gives",
        {"8 smaller transforms", "pruned passes"},
        {forwardText, adjointText}},
       {"side n of the grid", "speed-up over the full FFT", false, false, {}},
       studyPruned,
       paperRequest({64, 96, 128, 192, 256, 320, 384, 512}, {}, {}, {}),
       {.trials = true, .gpu = true}},
      {{"alpha", "Time over the oversampling ratio", "gnufftw Figs 6 and 14",
        "N = 158³, stack of stars, R = 1, 4, 16, ε = 0.01; adjoint (Fig. 6) and forward (Fig. 14) apart; "
        "interpolation, FFT and all",
        methods + ". " + grids, tunedMethods(), each},
       {"oversampling ratio", "time / ms", false, false, {}},
       studyAlpha,
       paperRequest({158}, r, {1e-2}, {"stack-of-stars"}, open),
       compared},
      {{"best-alpha",
        "Best oversampling ratio",
        "gnufftw Fig. 7",
        "N = 62³, 94³, 126³, 158³, 190³, 222³, 254³, four patterns, R = 1, 4, 16, ε = 0.01 and 0.001; "
        "each size and the mean over sizes",
        methods + ". " + grids + ". The mean is over sizes from 126³ on",
        tunedMethods(),
        {bothText}},
       {"acceleration R", "oversampling ratio", true, false, {}},
       studyBestAlpha,
       paperRequest(all, r, both, four, open),
       compared},
      {{"fixed-alpha",
        "Tuned against fixed oversampling ratios",
        "gnufftw Fig. 8",
        "N = 126³, 158³, 190³, 222³, 254³, four patterns, R = 1, 4, 16, ε = 0.01, "
        "forward and adjoint together: tuned, α = 1.125, α = 2; each size, and mean, "
        "least and most over sizes",
        "Every implementation, where the paper has gpuNUFFT's sectors with W rounded down. " + methods +
            ". " + baseline,
        comparedMethods(),
        {bothText}},
       {"size N (means: acceleration R)", "speed-up over the CPU", false, false, {}},
       studyFixedAlpha,
       paperRequest(large, r, {1e-2}, four, {1.125, 2}),
       compared},
      {{"implementations", "Implementations against the CPU", "gnufftw Figs 9, 10 and 15 to 22",
        "N = 62³, 94³, 126³, 158³, 190³, 222³, 254³, four patterns, R = 1, 4, 16, ε = 0.01 and 0.001; "
        "forward and adjoint together, adjoint, forward; each size (Figs 17 to 22), and mean, "
        "least and most over sizes from 126³ on (Figs 9, 10, 15, 16)",
        methods + ". " + baseline +
            ". Toeplitz operators are variants of forward and adjoint together, as there; we "
            "also have the shifted form. W is any real number, gpuNUFFT's a whole one",
        implementationMethods(), threeWays},
       {"size N (means: acceleration R)", "speed-up over the CPU", false, false, {}},
       studyImplementations,
       paperRequest(all, r, both, four, open),
       tuned},
      {{"row-lengths",
        "Row lengths of the sparse matrices",
        "gnufftw Fig. 11",
        "N = 64³, R = 1, ε = 0.01 by equation 8 in 3-D, four patterns: rows of Γ (forward) and of its transpose "
        "(adjoint)",
        rows,
        {"adjoint", "forward"},
        each},
       {"entries in a row", "rows", false, true, {}},
       studyRowLengths,
       paperRequest({64}, {1}, {1e-2}, four, {1.5}),
       counted},
      {{"row-deviations",
        "Standard deviation of the row lengths",
        "gnufftw Table III",
        "N = 64³, R = 1, ε = 0.01 by equation 8 in 3-D, four patterns, forward and adjoint",
        rows,
        {"adjoint", "forward"},
        each},
       {"pattern", "deviation of a row's entries", false, true, {}},
       studyRowDeviations,
       paperRequest({64}, {1}, {1e-2}, four, {1.5}),
       counted},
      {{"entries", "Interpolation time over non-zero entries", "gnufftw Figs 12 and 13",
        "N = 62³, 94³, 126³, 158³, 190³, 222³, 254³, four patterns, R = 1, 4, 16, ε = 0.01 and 0.001, "
        "no and full precomputation, adjoint and forward apart, over M Wᵈ with linear fits",
        "*No precomputation* is `blocked` on a CPU, which sorts the points, and `gm` on a GPU; *full* is "
        "`sparse`, and `cusparse` by NVIDIA's library on a GPU. Each case at its own tuned α",
        entryMethods(), each},
       {"non-zero entries M W³", "interpolation / ms", false, false, {}},
       studyEntries,
       paperRequest(all, r, both, four, open),
       listed},
      {{"entry-slopes", "Slopes of interpolation time over non-zero entries", "gnufftw Table IV",
        "N = 62³, 94³, 126³, 158³, 190³, 222³, 254³, four patterns, R = 1, 4, 16, ε = 0.01 and 0.001: "
        "slopes and R² of the fits of `entries`",
        "As in `entries`. In nanoseconds an entry, the paper in milliseconds. Less than three cases make "
        "no fit",
        entryMethods(), each, true},
       {"pattern", "slope / ns an entry; R²", false, false, {}},
       studyEntrySlopes,
       paperRequest(all, r, both, four, open),
       listed}};
}

}  // namespace spokelab
