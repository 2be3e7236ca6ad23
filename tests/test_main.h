// One program holds many test classes, one class a file; tests/test_main.cpp has main(). The code of
// test_<property>.cpp is in the namespace test_<property>, so that files can be compiled together.
// The file ends with
//
//   SPOKELAB_TEST(TestKernel)        the class needs no application object
//   SPOKELAB_CORE_TEST(TestUsage)    it needs a QCoreApplication: processes, event loops
//   SPOKELAB_GUI_TEST(TestExplorer)  it needs a QApplication: widgets
//   }  // namespace test_<property>
//   #include "test_<property>.moc"
//
// and `program <property> [Qt Test's arguments]` runs it: the property of test_kernel.cpp is
// "kernel".
// Views with OpenGL have SPOKELAB_VIEW_TEST (tests/widgets/image/view_test.h), the window has
// SPOKELAB_WINDOW_TEST (tests/app/gui/window_test.h). SPOKELAB_TEST_RUN(function) names a function
// of the test's own.
#pragma once

#include <QCoreApplication>
#include <QTest>

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#endif

namespace spokelab::test {

using Run = int (*)(int argc, char** argv);

// Makes a test known to main(); `file` is the name of its file. Always true.
bool addTest(const char* file, Run run);

template <class Test>
int runTest(int argc, char** argv) {
  Test test;
  return QTest::qExec(&test, argc, argv);
}

template <class Test, class Application>
int runTestIn(int argc, char** argv) {
  Application application(argc, argv);
  application.setAttribute(Qt::AA_Use96Dpi, true);  // as QTEST_MAIN does
  return runTest<Test>(argc, argv);
}

}  // namespace spokelab::test

#define SPOKELAB_TEST_RUN(...) \
  [[maybe_unused]] static const bool testIsKnown = spokelab::test::addTest(__FILE_NAME__, __VA_ARGS__);
#define SPOKELAB_TEST(TestClass) SPOKELAB_TEST_RUN(&spokelab::test::runTest<TestClass>)
#define SPOKELAB_CORE_TEST(TestClass) \
  SPOKELAB_TEST_RUN(&spokelab::test::runTestIn<TestClass, QCoreApplication>)
#define SPOKELAB_GUI_TEST(TestClass) SPOKELAB_TEST_RUN(&spokelab::test::runTestIn<TestClass, QApplication>)
