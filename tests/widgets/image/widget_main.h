// main() of tests whose views need OpenGL: what the program does before QApplication, and a log that is told
// of VTK.
#pragma once

#include <QApplication>
#include <QTest>

#include "widgets/image/volume/volume_view.h"
#include "widgets/image/volume/vtk_log.h"

#define SPOKELAB_VIEW_TEST_MAIN(TestClass)      \
  int main(int argc, char** argv) {             \
    spokelab::VolumeView::prepareApplication(); \
    QApplication application(argc, argv);       \
    spokelab::VtkLog::instance();               \
    TestClass test;                             \
    return QTest::qExec(&test, argc, argv);     \
  }

// A test that shows VTK's volume ends with this: any word of VTK fails it.
#define VERIFY_VTK_WAS_SILENT() \
  QVERIFY2(spokelab::VtkLog::instance().count() == 0, qPrintable(spokelab::VtkLog::instance().last()))
