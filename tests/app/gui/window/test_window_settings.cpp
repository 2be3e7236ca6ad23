// --set of the window: parameters, decisions of the reader, and the name that both have.
#include <QtTest>

#include "app/gui/start/window_settings.h"
#include "engine/core/error.h"
#include "tests/test_main.h"

namespace test_window_settings {

using namespace spokelab;

class TestWindowSettings : public QObject {
  Q_OBJECT

 private slots:
  void parametersAndDecisionsOfTheReaderAreTaken() {
    WindowSettings settings;
    settings.take("accuracy=1e-4");
    settings.take("breathing=4");
    QCOMPARE(settings.options.nufft.accuracy, 1e-4);
    QCOMPARE(settings.overrides, (std::map<std::string, std::string>{{"breathing", "4"}}));
  }

  // `frames` is the only name of both: numbers of frames, or the counters that make them.
  void framesAreTheParametersByNumberAndTheReadersByCounter() {
    WindowSettings settings;
    settings.take("frames=0-3,7");
    QCOMPARE(settings.options.frames, std::string("0-3,7"));
    QVERIFY(settings.overrides.empty());
    settings.take("frames=repetition+contrast");
    QCOMPARE(settings.options.frames, std::string("0-3,7"));
    QCOMPARE(settings.overrides.at("frames"), std::string("repetition+contrast"));
  }

  void settingsThatFitNothingSayWhatFits_data() {
    QTest::addColumn<QString>("setting");
    QTest::addColumn<QString>("says");
    QTest::newRow("both names") << "frames=0-x"
                                << "neither the parameter frames (Frames to reconstruct";
    QTest::newRow("no value") << "frames"
                              << "it is not NAME=VALUE";
    QTest::newRow("no name") << "=3"
                             << "it is not NAME=VALUE";
    QTest::newRow("unknown") << "colour=red"
                             << "colour";
  }
  void settingsThatFitNothingSayWhatFits() {
    QFETCH(const QString, setting);
    QFETCH(const QString, says);
    WindowSettings settings;
    try {
      settings.take(setting.toStdString());
      QFAIL("it was taken");
    } catch (const Error& error) {
      QVERIFY2(QString::fromUtf8(error.what()).contains(says), error.what());
    }
    QVERIFY(settings.options.frames.empty() && settings.overrides.empty());
  }
};

SPOKELAB_TEST(TestWindowSettings)

}  // namespace test_window_settings

#include "test_window_settings.moc"
