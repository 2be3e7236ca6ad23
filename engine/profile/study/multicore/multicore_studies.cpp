#include "engine/profile/study/multicore/multicore_studies.h"

#include "engine/profile/study/multicore/study_baseline.h"
#include "engine/profile/study/multicore/study_machines.h"
#include "engine/profile/study/multicore/study_scaling.h"
#include "engine/profile/study/multicore/study_scheduler.h"

namespace spokelab {

std::vector<StudyDefinition> multicoreStudies() {
  const std::vector<std::string> three = {"radial3d", "gaussian", "stack-of-spirals"},
                                 adjoint = {adjointText}, each = {adjointText, forwardText},
                                 radii = {"W 4", "W 8", "W 12", "W 16"};
  const std::vector<double> bySize = {};
  const StudyRequest usual = paperRequest({256}, bySize, {}, three),
                     sizes = paperRequest({128, 256, 320}, bySize, {}, {"radial3d"});
  const StudyUses plainRun{.accelerations = true, .patterns = true, .trials = true},
      overThreads{.accelerations = true, .patterns = true, .threads = true, .trials = true},
      published{.trials = true}, publishedOnGpu{.trials = true, .gpu = true};
  const std::string threadsHere =
                        "Threads are this machine's 1, 2, 4 … instead of 10, 20, 40 cores with two threads "
                        "each (`--threads`)",
                    plain =
                        "The plain code is ours: one thread, one point after the other, a linear table "
                        "(as dense as 10⁻⁴ needs: the paper gives no density), FFTW instead of MKL, no "
                        "vectors but those that the compiler finds";
  return {
      {{"sequential-stages",
        "Time by stage, sequential",
        "multicore-nufft Fig. 3",
        "N = 256, K = 512 samples in S = 24 576 readouts (SR = 0.75), W = 8 (a radius of 4), α = 2, "
        "three patterns; scalar sequential code, forward and adjoint apart",
        plain,
        {"sequential"},
        each},
       {"pattern", "share of the time / %", false, false, {}},
       studySequentialStages,
       usual,
       plainRun},
      {{"convolution-parts",
        "Kernel values and sums of the convolution",
        "multicore-nufft Fig. 7",
        "N = 256, SR = 0.75, radii 2, 4, 6, 8 (W = 4, 8, 12, 16), forward and adjoint: "
        "the share of part 1 (kernel values and coordinates) and of part 2 (sums)",
        "The paper does not name the data set: radial. " + plain +
            ". Part 1 is timed by itself, part 2 is what the convolution takes beyond it",
        {"part 1", "part 2"},
        each},
       {"kernel width W", "share of the convolution / %", false, false, {}},
       studyConvolutionParts,
       paperRequest({256}, bySize, {}, {"radial3d"}),
       plainRun},
      {{"parallel-stages",
        "Time by stage, parallel",
        "multicore-nufft Fig. 8",
        "N = 256, K = 512 samples in S = 24 576 readouts (SR = 0.75), W = 8, α = 2, three patterns, "
        "everything that helps, forward and adjoint apart",
        "As many threads as are asked for instead of 40 cores with two each; FFTW instead of MKL",
        {"parallel"},
        each},
       {"pattern", "share of the time / %", false, false, {}},
       studyParallelStages,
       usual,
       overThreads},
      {{"gains",
        "Speed-up with successive parts of the scheduler",
        "multicore-nufft Fig. 9",
        "N = 256, SR = 0.75, W = 8, three patterns: reordering, vectors, threads, the scheduler's parts and SMT "
        "added one by one, the convolution and the whole adjoint",
        "*base* is our plain code (one thread, a linear table). SMT is more threads than cores, where the "
        "processor has them. Its *parallel* step is split into the parts that the paper shows in Figs 11 and 12. "
        "The adjoint alone: the scheduler has nothing to do forward. Patterns apart, "
        "where the paper averages. All plans are held at once: 12 GB",
        {"base", "+ reorder", "+ vectors", "+ threads", "+ variable", "+ graph", "+ queue", "+ private",
         "+ SMT", "tiles instead"},
        adjoint},
       {"with", "speed-up over the first", false, false, {}},
       studyGains,
       usual,
       overThreads},
      {{"scaling", "Scaling of the convolutions over widths and sizes", "multicore-nufft Fig. 10",
        "N = 128, 256, 320, radii 2, 4, 6, 8 (W = 4, 8, 12, 16), three patterns, "
        "forward and adjoint convolution; speed-up over one core",
        threadsHere +
            ". All pairs of N and W, where the paper selects some without naming them; N = 256 at SR = 0.75 "
            "alone. A plan for each number of threads is held: 2.4 GB each at N = 320",
        radii, each},
       {"threads", "speed-up over one thread", false, false, {}},
       studyScaling,
       paperRequest({128, 256, 320}, bySize, {}, three),
       overThreads},
      {{"partitions",
        "Fixed and variable partitions over threads",
        "multicore-nufft Fig. 11",
        "Radial, N = 128, 256, 320 with SR = 0.5, 0.75, 0.25, W = 8: fixed and variable partitions, adjoint",
        threadsHere +
            ". *fixed* has the number of partitions that variable has, so that the number is not a second "
            "cause; *fixed, "
            "many* are as narrow as the kernel allows, as the paper's. At N = 320 a plan holds 2.4 GB, and "
            "there are three for each number of threads",
        {"fixed", "fixed, many", "variable"},
        adjoint},
       {"threads", "speed-up over one thread", false, false, {}},
       studyPartitions,
       sizes,
       overThreads},
      {{"privatisation",
        "Private copies and priority queue over threads",
        "multicore-nufft Fig. 12",
        "Radial, N = 128, 256, 320 with SR = 0.5, 0.75, 0.25, W = 8: groups A, B and C, adjoint",
        threadsHere + ". Copies may be several (a task of more than a quarter of a thread's share is cut), "
                      "and are made only where more than half a thread's share is in a row of turns. "
                      "Three plans for each number of threads",
        {"neither", "private copies", "private copies and queue"},
        adjoint},
       {"threads", "speed-up over one thread", false, false, {}},
       studyPrivatisation,
       sizes,
       overThreads},
      {{"vectors",
        "Speed-up by vectors on one core",
        "multicore-nufft Fig. 13",
        "N = 256, SR = 0.75, radial and random, radii 2, 4, 8 (W = 4, 8, 16), one core, "
        "points in the order of blocks, forward and adjoint convolution",
        "The widest vectors of this processor (`SPOKELAB_SIMD` lowers them) instead of SSE. " + plain +
            "; our loops evaluate polynomials where the paper keeps its table, so that the step is not "
            "vectors alone",
        {"vectors"},
        each},
       {"kernel width W", "speed-up over scalar code", false, false, {}},
       studyVectors,
       paperRequest({256}, bySize, {}, {"radial3d", "gaussian"}),
       plainRun},
      {{"preprocessing",
        "Pre-processing against one iteration",
        "multicore-nufft Fig. 14",
        "N = 256, SR = 0.75, W = 8: what setting points takes beside one forward and one adjoint, "
        "and their ratio, over cores",
        threadsHere + ". The paper does not name the data set: all three patterns",
        {"pre-processing", "one iteration", "ratio"},
        {}},
       {"threads", "seconds, ratio", false, false, {}},
       studyPreprocessing,
       usual,
       overThreads},
      {{"overall",
        "Plain sequential code against everything that helps",
        "multicore-nufft Table II",
        "All data sets of Table I (N = 128, 256, 320; N = 256 with SR = 0.75, 1, 1.25), three patterns, "
        "W = 8: convolution, FFT and whole transform, forward and adjoint together, and their mean",
        plain + ". As many threads as are asked for instead of 40 cores. N = 320 has SR = 0.25 as there",
        {"baseline", "optimised", "speed-up"},
        {bothText},
        true},
       {"step", "seconds, speed-up", false, true, {}},
       studyOverall,
       paperRequest({128, 256, 320}, bySize, {}, three),
       overThreads},
      {{"rates", "Samples convolved a second over the kernel's width", "multicore-nufft Table III",
        "N = 256, SR = 0.75, radii 2, 4, 6, 8 (W = 4, 8, 12, 16), three patterns, forward and adjoint "
        "convolution",
        "As many threads as are asked for instead of 40 cores with two each", radii, each},
       {"kernel width W", "million samples a second", false, true, {}},
       studyRates,
       usual,
       overThreads},
      {{"against-cpus",
        "A published CPU program's problem",
        "multicore-nufft Table IV",
        "N = 240, K = 512 samples in S = 8047 readouts, α = 1.25, W = 8 (a radius of 4, "
        "as the paper's own runs): adjoint, forward and both. There 0.28 + 0.26 s on 12 cores, "
        "0.18 + 0.17 s on 16, and Shu et al. 1.40 + 0.90 s",
        "This machine in the place of all; Shu et al.'s program takes no part. Radial readouts: "
        "the paper does not name the trajectory",
        {"cpu"},
        {adjointText, forwardText, bothText}},
       {"operation", "seconds", false, false, {}},
       studyAgainstCpus,
       paperRequest({240}, bySize, {}, {}, {1.25}),
       published},
      {{"against-gpu",
        "A published GPU program's problem",
        "multicore-nufft Table V",
        "N = 344, K = 344 samples in S = 9000 readouts, adjoint, forward and both, on CPU and GPU. "
        "There 0.93 + 0.87 s on 12 cores, 0.58 + 0.54 s on 16, and Nam et al. 0.94 + 0.66 s on a GTX 480",
        "This machine in the place of all; Nam et al.'s program takes no part. The paper gives neither α nor "
        "W for this table: 2 and 8. The GPU's first method, data on the GPU",
        {cpuBackend, gpuBackend},
        {adjointText, forwardText, bothText}},
       {"operation", "seconds", false, false, {}},
       studyAgainstGpu,
       paperRequest({344}, bySize, {}, {}),
       publishedOnGpu}};
}

}  // namespace spokelab
