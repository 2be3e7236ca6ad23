// Tests whose views need OpenGL: what the program does before QApplication, and a log that is told
// of VTK.
#pragma once

#include "tests/test_main.h"
#include "widgets/image/volume/volume_view.h"
#include "widgets/image/volume/vtk_log.h"

namespace spokelab::test {

template <class Test, class Application = QApplication>
int runViewTest(int argc, char** argv) {
  VolumeView::prepareApplication();
  Application application(argc, argv);
  VtkLog::instance();
  return runTest<Test>(argc, argv);
}

}  // namespace spokelab::test

#define SPOKELAB_VIEW_TEST(TestClass) SPOKELAB_TEST_RUN(&spokelab::test::runViewTest<TestClass>)

// A test that shows VTK's volume ends with this: any word of VTK fails it.
#define VERIFY_VTK_WAS_SILENT() \
  QVERIFY2(spokelab::VtkLog::instance().count() == 0, qPrintable(spokelab::VtkLog::instance().last()))
