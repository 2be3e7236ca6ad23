#include "engine/profile/study/nfft_jl/nfft_jl_studies.h"

#include "engine/profile/study/nfft_jl/study_error.h"
#include "engine/profile/study/nfft_jl/study_resampling.h"

namespace spokelab {

std::vector<StudyDefinition> nfftJlStudies() {
  const std::vector<std::string> each = {forwardText, adjointText},
                                 compared = {"polynomial", "tensor", "linear", "full"};
  std::vector<std::string> all = compared;
  all.emplace_back("none");
  const StudyRequest paper = paperRequest({64}, {}, {}, {});
  const StudyUses errors, withPeers{.plugins = true}, timed{.trials = true, .plugins = true},
      overThreads{.threads = true, .trials = true};
  StudyUses peersOverThreads = overThreads;
  peersOverThreads.plugins = true;
  const std::string peers =
      "NFFT3 and FINUFFT take part as plug-ins (`nfft3`, `finufft`), asked for the error for which FINUFFT "
      "takes kernels of 2m cells";
  return {
      {{"window-error", "Error of precomputations over the kernel's width", "nfft-jl Fig. 1",
        "512² pixels (N = 64) and the same number of random points, α = 2, m = 3 to 10, every precomputation, "
        "forward and adjoint apart, largest error over largest value",
        "The largest of 256 random outputs instead of all: exact sums for all would take a minute a dot. "
        "m = 9 and 10 are wider than our loops (W = 16): plain loops compute them, with the same kernel "
        "values, stored ones for tensor and full. A linear table of more than a million values a cell "
        "is refused",
        all, each},
       {"half width m", "largest error / largest value", false, true, {}},
       studyWindowError,
       paper,
       errors},
      {{"library-errors", "Error of libraries and windows over the kernel's width", "nfft-jl Fig. 2",
        "512² pixels (N = 64) and the same number of random points, α = 2, m = 3 to 10, forward and adjoint "
        "apart, largest error over largest value; 2m points of the window against 2m + 2 (3.7.5)",
        "The largest of 256 random outputs. The paper's window is cut off at m, or a cell beyond; *kernel of "
        "2m cells* is our plans' own, which ends there by itself. " +
            peers + ". A plug-in that does not tell its width takes part to m = 8",
        libraryWindows(), each},
       {"half width m", "largest error / largest value", false, true, {}},
       studyLibraryErrors,
       paper,
       withPeers},
      {{"blocks",
        "Time over the block size",
        "nfft-jl Fig. 3",
        "2¹⁸, 512² and 64³ pixels (N = 64), m = 4, polynomials, forward and adjoint apart, up to one block",
        "Threads are this machine's 1, 2, 4 … instead of 1 to 8. Blocks are our tiles: powers of two, "
        "never narrower than the kernel; crowded ones are shared among threads as far as copies fit in a "
        "grid, so that one block is not always the end of parallel work. *Regular* is one partition with the "
        "points as given, on all threads forward, on one adjoint. Medians instead of least times",
        {"blocks", "regular"},
        each},
       {"side of a block / grid cells", "time / ms", true, true, {}},
       studyBlocks,
       paper,
       overThreads},
      {{"single-thread", "Time of precomputations over their error, one thread", "nfft-jl Fig. 4",
        "2¹⁸, 512² and 64³ pixels (N = 64), m = 3 to 8, one thread; forward, adjoint and setting points "
        "apart",
        "The largest error of 128 random outputs. " + peers +
            ". `linear` and `full` are ours alone. Medians instead of least times",
        compared, each},
       {"largest error / largest value", "time / ms", true, true, {}},
       studySingleThread,
       paper,
       timed},
      {{"threads", "Time and parallel efficiency of precomputations over threads", "nfft-jl Fig. 5",
        "512² pixels (N = 64), m = 4, α = 2, forward and adjoint apart, time and parallel efficiency",
        "Threads are this machine's 1, 2, 4 … instead of 1 to 8. " + peers +
            ". Medians instead of least times",
        compared, each},
       {"threads", "time / ms, efficiency", false, false, {}},
       studyThreads,
       paper,
       peersOverThreads}};
}

}  // namespace spokelab
