// spokelab-cli: the command line alone, without Qt and VTK, for compute nodes.
#include "app/cli/command_line.h"

int main(int argc, char** argv) {
  return spokelab::runCommandLine(argc, argv);
}
