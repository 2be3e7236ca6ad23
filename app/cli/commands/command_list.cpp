#include "app/cli/commands/command_list.h"

#include <array>

namespace spokelab::cli {

std::span<const CommandEntry> commandList() {
  static constexpr std::array list = {
      CommandEntry{"info", makeInfoCommand},
      CommandEntry{"simulate", makeSimulateCommand},
      CommandEntry{"reconstruct", makeReconstructCommand},
      CommandEntry{"forward", makeForwardCommand},
      CommandEntry{"density", makeDensityCommand},
      CommandEntry{"maps", makeMapsCommand},
      CommandEntry{"off-resonance", makeFieldCommand},
      CommandEntry{"tune", makeTuneCommand},
      CommandEntry{"sweep", makeSweepCommand},
      CommandEntry{"study", makeStudyCommand},
      CommandEntry{"report", makeReportCommand},
      CommandEntry{"baseline", makeBaselineCommand},
      CommandEntry{"suite", makeSuiteCommand},
      CommandEntry{"merge", makeMergeCommand},
      CommandEntry{"remote", makeRemoteCommand},
      CommandEntry{"runs", makeRunsCommand},
      CommandEntry{"wisdom", makeWisdomCommand},
      CommandEntry{"plugins", makePluginsCommand},
      CommandEntry{"compare", makeCompareCommand},
  };
  return list;
}

}  // namespace spokelab::cli
