// Tests of the window: the application object that it needs, and no memory of earlier runs.
#pragma once

#include <QStandardPaths>
#include <QtTest>

#include "app/gui/window/theme.h"
#include "tests/test_main.h"
#include "widgets/core/decimal_point.h"
#include "widgets/core/wheel_focus.h"
#include "widgets/image/volume/volume_view.h"

namespace spokelab::test {

template <class Test, class Application = QApplication>
int runWindowTest(int argc, char** argv, const char* cudaModule) {
  QStandardPaths::setTestModeEnabled(true);
  qputenv("SPOKELAB_CUDA_MODULE", cudaModule);
  VolumeView::prepareApplication();
  Application application(argc, argv);
  useDecimalPoint();
  applyTheme(application);
  useWheelFocus(application);
  return runTest<Test>(argc, argv);
}

template <class Test, class Application = QApplication>
int runWindowTest(int argc, char** argv) {
  return runWindowTest<Test, Application>(argc, argv, "none");
}

}  // namespace spokelab::test

#define SPOKELAB_WINDOW_TEST(TestClass) SPOKELAB_TEST_RUN(&spokelab::test::runWindowTest<TestClass>)
