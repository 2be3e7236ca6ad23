// A backend with several devices has a badge that shows the memory and load of each, follows them while it
// is seen and never holds the window up; the parameter that chooses devices is grey where there is one.
#include <QTableWidget>
#include <QToolBar>

#include <array>
#include <mutex>
#include <stdexcept>

#include "app/gui/window/device_watch.h"
#include "tests/app/gui/fake_backend.h"
#include "tests/app/gui/window_test.h"
#include "tests/app/gui/workbench.h"
#include "tests/event_probe.h"
#include "widgets/core/chart_theme.h"
#include "widgets/recon/jobs/device_badge.h"
#include "widgets/recon/parameters/option_editor.h"

namespace test_device_badge {

using namespace spokelab;

namespace {

constexpr std::int64_t giga = std::int64_t(1) << 30;

class ManyDevices : public FakeBackend {
 public:
  explicit ManyDevices(int count) {
    for (int d = 0; d < count; ++d)
      states_.push_back({"NVIDIA H100", 80 * giga, (80 - 20 * d) * giga, 40 + d});
  }
  std::string name() const override { return "cuda"; }
  int deviceCount() const override { return int(states_.size()); }
  std::vector<DeviceState> deviceStates() const override {
    ++asked;
    if (QThread::currentThread() == qApp->thread()) ++askedByWindow;
    std::this_thread::sleep_for(std::chrono::milliseconds(answerMilliseconds));
    if (isSilent) throw std::runtime_error("the driver does not answer");
    const std::lock_guard lock(mutex_);
    return states_;
  }
  void setLoad(std::size_t device, int load) {
    const std::lock_guard lock(mutex_);
    states_[device].load = load;
  }
  mutable std::atomic<int> asked = 0, askedByWindow = 0;
  std::atomic<int> answerMilliseconds = 0;
  std::atomic<bool> isSilent = false;

 private:
  mutable std::mutex mutex_;
  std::vector<DeviceState> states_;
};

// As the row shows it, whose label is the editor's.
bool isIdle(const ParameterPanel& panel) {
  for (const QLabel* label : panel.findChildren<QLabel*>())
    if (label->buddy() == panel.editor("devices")) return label->property("idle").toBool();
  return false;
}

// A window on the CPU and a GPU backend with several devices.
struct Bench {
  explicit Bench(int devices) : gpu(devices), session{{&cpu, &gpu}}, window{session, badges(), false} {
    if (DeviceWatch* const watch = window.findChild<DeviceWatch*>()) watch->setInterval(20);
    window.show();
  }
  static std::vector<BackendBadge> badges() { return {{"cpu", "CPU", true}, {"cuda", "NVIDIA H100", true}}; }

  FakeBackend cpu;
  ManyDevices gpu;
  Session session;
  MainWindow window;
};

}  // namespace

class TestDeviceBadge : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void eachDeviceHasItsMemoryAndLoad() {
    Bench bench(2);
    auto* badge = bench.window.findChild<DeviceBadge*>();
    QVERIFY(badge && badge->isVisible());
    QCOMPARE(badge->text(), QStringLiteral("2 GPUs"));
    QTRY_VERIFY_WITH_TIMEOUT(badge->states()[1].load == 41, patience);
    QVERIFY2(badge->toolTip().contains(QStringLiteral("GPU 1: NVIDIA H100, 20.0 of 80.0 GB, load 41 %")),
             qPrintable(badge->toolTip()));
    QVERIFY(badge->accessibleDescription().contains(QStringLiteral("GPU 0: NVIDIA H100")));
    // Its bars are as full.
    const QImage picture = badge->grab().toImage();
    const double scale = picture.devicePixelRatio();
    const ChartTheme theme = ChartTheme::onScreen();
    const auto filled = [&](int device, int which) {
      const QRect bar = badge->bar(device, which);
      int rows = 0;
      for (int y = bar.top(); y <= bar.bottom(); ++y)
        rows += picture.pixelColor(QPoint(bar.center().x(), y) * scale) != theme.grid;
      return double(rows) / bar.height();
    };
    QVERIFY(filled(0, 0) == 0 && std::abs(filled(1, 0) - 0.25) < 0.08);
    QVERIFY(std::abs(filled(0, 1) - 0.4) < 0.08);
    keepPicture(*badge, "devices");
    for (const QLabel* label : bench.window.findChildren<QLabel*>())
      QVERIFY(label->text() != QStringLiteral("NVIDIA H100"));  // the badge stands in its place
  }

  void theBadgeAndItsTableFollow() {
    Bench bench(2);
    auto* badge = bench.window.findChild<DeviceBadge*>();
    QTRY_COMPARE_WITH_TIMEOUT(badge->states()[0].load, 40, patience);
    badge->setFocus();
    QTest::keyClick(badge, Qt::Key_Space);
    QTRY_VERIFY_WITH_TIMEOUT(badge->table()->isVisible(), patience);
    const auto cell = [&](int row, int column) { return badge->table()->item(row, column)->text(); };
    QCOMPARE(cell(1, 2), QStringLiteral("20.0 of 80.0 GB"));
    QCOMPARE(cell(0, 3), QStringLiteral("40 %"));
    keepPicture(*badge->table()->window(), "devices-table");
    bench.gpu.setLoad(0, 99);
    QTRY_COMPARE_WITH_TIMEOUT(cell(0, 3), QStringLiteral("99 %"), patience);
    bench.gpu.setLoad(0, -1);
    QTRY_COMPARE_WITH_TIMEOUT(cell(0, 3), QStringLiteral("not known"), patience);
    QTest::keyClick(badge->table(), Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(!badge->table()->isVisible(), patience);
  }

  void aSilentDriverLeavesNoOldNumbers() {
    Bench bench(2);
    auto* badge = bench.window.findChild<DeviceBadge*>();
    QTRY_COMPARE_WITH_TIMEOUT(badge->states()[1].load, 41, patience);
    bench.gpu.isSilent = true;
    QTRY_COMPARE_WITH_TIMEOUT(badge->states()[1].load, -1, patience);
    QVERIFY2(badge->toolTip().endsWith(QStringLiteral("GPU 1: NVIDIA H100")), qPrintable(badge->toolTip()));
    bench.gpu.isSilent = false;
    QTRY_COMPARE_WITH_TIMEOUT(badge->states()[1].load, 41, patience);
  }

  // Nobody sees it: nobody asks.
  void aHiddenWindowAsksNothing() {
    Bench bench(2);
    QTRY_VERIFY_WITH_TIMEOUT(bench.gpu.asked > 1, patience);
    bench.window.hide();
    QTest::qWait(100);
    const int before = bench.gpu.asked;
    QTest::qWait(300);
    QCOMPARE(bench.gpu.asked.load(), before);
    bench.window.show();
    QTRY_VERIFY_WITH_TIMEOUT(bench.gpu.asked > before, patience);
  }

  // A driver that takes its time is waited for on another thread, and not asked again meanwhile.
  void aSlowDriverHoldsNothingUp() {
    Bench bench(8);
    QTRY_VERIFY_WITH_TIMEOUT(bench.gpu.asked > 0, patience);
    QTest::qWait(300);
    bench.gpu.answerMilliseconds = 250;
    QTest::qWait(100);
    const int before = bench.gpu.asked;
    holdLongestEvent(longestAllowed, [](double& longest) {
      ProbeApplication::instance().begin();
      QTest::qWait(600);
      ProbeApplication::instance().probing = false;
      longest = ProbeApplication::instance().longest();
    });
    QVERIFY(bench.gpu.asked > before && bench.gpu.asked - before <= 9);
    QCOMPARE(bench.gpu.askedByWindow.load(), 0);
  }

  // The window may end while the driver is asked.
  void theWindowEndsWithAnAnswerToCome() {
    auto bench = std::make_unique<Bench>(2);
    bench->gpu.answerMilliseconds = 200;
    const int before = bench->gpu.asked;
    QTRY_VERIFY_WITH_TIMEOUT(bench->gpu.asked > before, patience);
    bench.reset();
    QTest::qWait(50);
  }

  void thereIsSomethingToChooseOnlyAmongSeveral() {
    for (const int devices : {0, 1, 2}) {
      Bench bench(devices);
      const ParameterPanel& panel = *bench.window.views().parameters;
      const QString why = panel.editor("devices")->toolTip();
      QCOMPARE(why.contains(QStringLiteral("has one GPU")), devices == 1);
      QCOMPARE(why.contains(QStringLiteral("has no GPU")), devices == 0);
      QCOMPARE(isIdle(panel), devices < 2);
      QCOMPARE(bench.window.findChild<DeviceBadge*>() != nullptr, devices == 2);
    }
    // With the CPU chosen, the table of rules has the say where there are several.
    Bench bench(2);
    ParameterPanel& panel = *bench.window.views().parameters;
    ReconOptions options;
    setOption(options, "backend", "cpu");
    panel.setOptions(options);
    QVERIFY(isIdle(panel));
  }
};

SPOKELAB_TEST_RUN((&test::runWindowTest<TestDeviceBadge, ProbeApplication>))

}  // namespace test_device_badge

#include "test_device_badge.moc"
