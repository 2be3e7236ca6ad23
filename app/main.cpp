// spokelab: the window, and the command line where the first argument is a command.
#include "app/cli/command_line.h"
#include "app/gui/report/report.h"
#include "app/gui/report/report_pdf.h"
#include "app/gui/start/window_program.h"
#include "engine/core/child/child_launcher.h"
#include "engine/core/memory/address_space.h"
#include "engine/core/output/standard_files.h"
#include "engine/scan/formats/acquisitions/raw_data.h"

int main(int argc, char** argv) {
  // In this order: standard files before any file, malloc's arena and launcher before threads.
  spokelab::openStandardFiles();
  spokelab::shareArenaIfLimited();
  spokelab::startChildLauncher();
  spokelab::protectFiles();  // jobs then replace only files that the program wrote
  if (!spokelab::isCommandLine(argc, argv)) return spokelab::runWindow(argc, argv);
  spokelab::CommandLineHooks hooks;
  hooks.program = "spokelab";
  hooks.drawCharts = spokelab::drawReportCharts;
  hooks.drawPdf = spokelab::reportPdf;
  hooks.drawStudyPdf = spokelab::studyPdf;
  hooks.endsProcess = true;
  return spokelab::runCommandLine(argc, argv, hooks);
}
