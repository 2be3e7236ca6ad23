// No event keeps the main thread longer than 50 ms, whatever feature of the window is at work, and Qt
// has nothing to warn of: one test over all of them, on one window that stays in use. One core is left
// to the window. test_event_latency.cpp watches the same with a scan as large as is wanted.
#include <QTimer>

#include "tests/app/gui/window/feature_cases.h"

namespace test_feature_latency {

using namespace spokelab;

class TestFeatureLatency : public QObject {
  Q_OBJECT

  std::unique_ptr<Desk> desk_;
  std::vector<FeatureCase> cases_;

 private Q_SLOTS:
  void initTestCase() {
    for (auto&& part : {reconCases(), longCases(), timingCases(), profileCases(), viewCases(), handCases(),
                        fileCases(), returnCases(), windowCases()})
      cases_.insert(cases_.end(), part.begin(), part.end());
    desk_ = std::make_unique<Desk>();
    desk_->makeReady();
  }
  void cleanupTestCase() { desk_.reset(); }

  void noEventTakesLongerThan50Ms_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < cases_.size(); ++i) QTest::newRow(cases_[i].name) << int(i);
  }
  void noEventTakesLongerThan50Ms() {
    QFETCH(int, index);
    QTest::failOnWarning(QRegularExpression(QStringLiteral(".*")));
    const FeatureCase& what = cases_[std::size_t(index)];
    holdLongestEvent(what.allowedMs, [&](double& longest) { watch(what, longest); });
  }

 private:
  void watch(const FeatureCase& what, double& longest) {
    desk_->makeReady(what.scan);
    if (what.before) what.before(*desk_);
    ProbeApplication& probe = ProbeApplication::instance();
    bool begun = false;
    probe.begin();
    QTimer::singleShot(0, &desk_->window, [&] {  // an event, as all that a user does
      what.act(*desk_);
      begun = true;
    });
    QTRY_VERIFY_WITH_TIMEOUT(begun && what.over(*desk_), longPatience);
    desk_->settle();
    probe.probing = false;
    for (const auto& event : probe.slow)
      qInfo("%.1f ms (%.1f computed): %s", event.wall, event.processor, qPrintable(event.name));
    qInfo("%s: %d events, the longest %.1f ms (%.1f computed, %.1f without waiting for a processor)",
          what.name, probe.count, probe.longestWall, probe.longestProcessor, probe.longestOwn);
    longest = probe.longest();
    QVERIFY2(
        desk_->failed.isEmpty(),  // else it was not measured
        desk_->failed.isEmpty() ? "" : qPrintable(desk_->failed.front().front().value<Failure>().reason));
  }
};

static int runFeatureLatency(int argc, char** argv) {
  return test::runWindowTest<TestFeatureLatency, ProbeApplication>(argc, argv);
}

SPOKELAB_TEST_RUN(runFeatureLatency)

}  // namespace test_feature_latency

#include "test_feature_latency.moc"
