// Drags between this window and another program, by the pointer of the X server: a picture,
// a chart, a table and an image go out, a file comes in. Needs xdotool and the platform xcb.
#include <QAbstractItemView>
#include <QDrag>
#include <QDropEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QProcess>
#include <QStandardPaths>

#include <cstdio>

#include "app/gui/features/profile/runs_feature.h"
#include "engine/scan/formats/images/read_image.h"
#include "tests/app/gui/workbench.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/image/image_panel.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/runs/run_table.h"

namespace test_drag_between_programs {

using namespace spokelab;

namespace {

// Names the file that the other program offers.
constexpr const char* offeredVariable = "SPOKELAB_TEST_OFFERED";
constexpr QRect windowPlace(0, 0, 1000, 700), otherPlace(1100, 100, 300, 300);
constexpr int steps = 12;  // of a drag

void say(const QString& line) {
  std::printf("%s\n", qPrintable(line));
  std::fflush(stdout);
}

// The other program: says what is dropped on it, offers a file to be dragged away.
class Other : public QLabel {
 public:
  explicit Other(QString offered) : QLabel(QStringLiteral("another program")), offered_(std::move(offered)) {
    setAcceptDrops(true);
    setGeometry(otherPlace);
  }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override { event->acceptProposedAction(); }
  void dropEvent(QDropEvent* event) override {
    const QMimeData& data = *event->mimeData();
    if (data.hasImage()) {
      const auto image = qvariant_cast<QImage>(data.imageData());
      say(QStringLiteral("image %1 %2").arg(image.width()).arg(image.height()));
    }
    if (data.hasFormat(QStringLiteral("text/csv")))
      say(QStringLiteral("csv %1").arg(
          QString::fromUtf8(data.data(QStringLiteral("text/csv"))).section('\n', 0, 0)));
    for (const QUrl& url : data.urls()) say(QStringLiteral("file ") + url.toLocalFile());
    event->acceptProposedAction();
    say(QStringLiteral("dropped"));
  }
  void mousePressEvent(QMouseEvent*) override {}  // held
  void mouseMoveEvent(QMouseEvent*) override {
    auto* drag = new QDrag(this);
    auto* data = new QMimeData;
    data->setUrls({QUrl::fromLocalFile(offered_)});
    drag->setMimeData(data);
    const Qt::DropAction taken = drag->exec(Qt::CopyAction);
    say(QStringLiteral("taken %1").arg(int(taken)));
  }

 private:
  QString offered_;
};

int runOther(int argc, char** argv) {
  QApplication application(argc, argv);
  Other other(qEnvironmentVariable(offeredVariable));
  other.show();
  if (!QTest::qWaitForWindowExposed(&other)) return 1;
  say(QStringLiteral("ready"));
  return QApplication::exec();
}

}  // namespace

class TestDragBetweenPrograms : public QObject {
  Q_OBJECT

  const QTemporaryDir folder_;
  QProcess other_;
  QString said_;
  std::unique_ptr<Workbench> bench_;

  QString file(const char* name) const { return folder_.filePath(QString::fromUtf8(name)); }

  // While this program waits in the drag's event loop, xdotool moves the pointer.
  void drag(const QPoint& from, const QPoint& to) {
    QStringList words{QStringLiteral("mousemove"), QString::number(from.x()), QString::number(from.y()),
                      QStringLiteral("sleep"),     QStringLiteral("0.3"),     QStringLiteral("mousedown"),
                      QStringLiteral("1")};
    for (int i = 1; i <= steps; ++i) {
      const QPoint at = from + (to - from) * i / steps;
      words << QStringLiteral("sleep") << QStringLiteral("0.08") << QStringLiteral("mousemove")
            << QString::number(at.x()) << QString::number(at.y());
    }
    words << QStringLiteral("sleep") << QStringLiteral("0.8") << QStringLiteral("mouseup")
          << QStringLiteral("1");
    QProcess hand;
    hand.start(QStringLiteral("xdotool"), words);
    QTRY_COMPARE_WITH_TIMEOUT(hand.state(), QProcess::NotRunning, patience);
    QCOMPARE(hand.exitCode(), 0);
  }

  void dragOut(const QWidget& grip, const QString& last) {
    said_.clear();
    QVERIFY2(grip.isVisible(), qPrintable(grip.objectName()));
    drag(grip.mapToGlobal(grip.rect().center()), otherPlace.center());
    QTRY_VERIFY2_WITH_TIMEOUT(said_.contains(last), qPrintable(said_), patience);
  }

  QWidget* grip(const char* name) { return bench_->window.findChild<DragGrip*>(QString::fromUtf8(name)); }
  QString fileThatCame() const {
    return said_.section(QStringLiteral("file "), 1).section(QLatin1Char('\n'), 0, 0);
  }

 private Q_SLOTS:
  void initTestCase() {
    if (QGuiApplication::platformName() != QStringLiteral("xcb")) QSKIP("drags need the platform xcb");
    if (QStandardPaths::findExecutable(QStringLiteral("xdotool")).isEmpty())
      QSKIP("xdotool is not installed");
    if (!QGuiApplication::primaryScreen()->geometry().contains(otherPlace)) QSKIP("the screen is too small");
    bench_ = std::make_unique<Workbench>();
    openSmall(*bench_, folder_);
    bench_->window.setGeometry(windowPlace);
    writeScan(*radialScan(16, 1, 60), file("offered.h5").toStdString(), {});
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QString::fromLatin1(offeredVariable), file("offered.h5"));
    other_.setProcessEnvironment(environment);
    connect(&other_, &QProcess::readyReadStandardOutput, this,
            [this] { said_ += QString::fromUtf8(other_.readAllStandardOutput()); });
    other_.start(QCoreApplication::applicationFilePath(), {QStringLiteral("drag_between_programs")});
    QTRY_VERIFY_WITH_TIMEOUT(said_.contains(QStringLiteral("ready")), patience);
  }
  void cleanupTestCase() {
    other_.terminate();
    other_.waitForFinished(patience);
  }

  void aPictureOfTheImageGoesOut() {
    dragOut(*grip("dragImage"), QStringLiteral("dropped"));
    QVERIFY2(said_.contains(QStringLiteral("image ")), qPrintable(said_));
    QVERIFY2(!QImage(fileThatCame()).isNull(), qPrintable(said_));
  }

  void aTableGoesOut() {
    bringUp(bench_->window.features().runs->table());
    QTest::qWait(settleMs);
    dragOut(*grip("dragRuns"), QStringLiteral("dropped"));
    QVERIFY2(said_.contains(QStringLiteral("csv \"run\"")), qPrintable(said_));
    QVERIFY2(fileThatCame().endsWith(QStringLiteral(".csv")) && QFile::exists(fileThatCame()),
             qPrintable(said_));
  }

  void aChartGoesOut() {
    bringUp(bench_->window.views().charts);
    QTest::qWait(settleMs);
    dragOut(*grip("drag-time-over-alpha"), QStringLiteral("dropped"));
    QVERIFY2(said_.contains(QStringLiteral("image ")) && said_.contains(QStringLiteral("csv ")),
             qPrintable(said_));
  }

  void aResultGoesOutAsAnImage() {
    HistoryList& list = *bench_->window.views().history;
    bringUp(&list);
    QTest::qWait(settleMs);
    auto* rows = list.findChild<QAbstractItemView*>();
    said_.clear();
    drag(rows->viewport()->mapToGlobal(rows->visualRect(rows->model()->index(0, 0)).center()),
         otherPlace.center());
    QTRY_VERIFY2_WITH_TIMEOUT(said_.contains(QStringLiteral("dropped")), qPrintable(said_), patience);
    QCOMPARE(readImage(fileThatCame().toStdString(), {}).size, bench_->session.shown()->result->image->size);
  }

  void aFileOfTheOtherProgramIsOpened() {
    said_.clear();
    const QWidget& image = *bench_->window.views().image;
    drag(otherPlace.center(), image.mapToGlobal(image.rect().center()));
    QTRY_VERIFY2_WITH_TIMEOUT(said_.contains(QStringLiteral("taken 1")), qPrintable(said_), patience);
    QTRY_VERIFY_WITH_TIMEOUT(bench_->session.file() == file("offered.h5"), patience);
  }

 private:
  static constexpr int settleMs = 500;  // a dock that comes up has its place
};

static int runDrags(int argc, char** argv) {
  if (qEnvironmentVariableIsSet(offeredVariable)) return runOther(argc, argv);
  return test::runWindowTest<TestDragBetweenPrograms>(argc, argv);
}

SPOKELAB_TEST_RUN(&runDrags)

}  // namespace test_drag_between_programs

#include "test_drag_between_programs.moc"
