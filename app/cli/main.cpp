// spokelab-cli: the command line alone, without Qt and VTK, for compute nodes.
#include "app/cli/command_line.h"
#include "engine/core/child/child_launcher.h"
#include "engine/core/memory/address_space.h"
#include "engine/core/output/standard_files.h"
#include "engine/scan/formats/acquisitions/raw_data.h"

int main(int argc, char** argv) {
  spokelab::openStandardFiles();
  spokelab::shareArenaIfLimited();
  spokelab::startChildLauncher();
  spokelab::protectFiles();
  spokelab::CommandLineHooks hooks;
  hooks.endsProcess = true;
  return spokelab::runCommandLine(argc, argv, hooks);
}
