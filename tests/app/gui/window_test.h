// A test program with the application object that the window needs.
#pragma once

#include <QApplication>
#include <QStandardPaths>
#include <QtTest>

#include "app/gui/window/theme.h"
#include "widgets/image/volume/volume_view.h"

namespace spokelab {

template <class Test, class Application = QApplication>
int runWindowTest(int argc, char** argv, const char* cudaModule = "none") {
  QStandardPaths::setTestModeEnabled(true);
  qputenv("SPOKELAB_CUDA_MODULE", cudaModule);
  VolumeView::prepareApplication();
  Application application(argc, argv);
  applyTheme(application);
  Test test;
  return QTest::qExec(&test, argc, argv);
}

}  // namespace spokelab
