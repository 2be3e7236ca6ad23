// The palette: a few letters find what the window can do; commands have ids that scripts use.
#include <QAction>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QSet>
#include <QSignalSpy>

#include "app/gui/start/command_script.h"
#include "app/gui/window/command_palette.h"
#include "app/gui/window/fuzzy_match.h"
#include "app/gui/window/help_viewer.h"
#include "engine/core/error.h"
#include "tests/app/gui/workbench.h"
#include "tests/event_probe.h"

namespace test_palette {

using namespace spokelab;

namespace {

CommandPalette& opened(Workbench& bench) {
  bench.window.findChild<QAction*>(QStringLiteral("action-commands"))->trigger();
  auto* palette = bench.window.findChild<CommandPalette*>();
  if (!palette) qFatal("the palette did not open");
  return *palette;
}

QStringList found(const CommandPalette& palette) {
  QStringList all;
  for (int i = 0; i < palette.list()->count(); ++i) all << palette.list()->item(i)->text();
  return all;
}

QStringList commandIds(Workbench& bench) {
  QStringList ids;
  for (const PaletteEntry& entry : paletteEntries(bench.window))
    if (!entry.id.isEmpty()) ids << entry.id;
  return ids;
}

}  // namespace

class TestPalette : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lettersInOrderFit() {
    QCOMPARE(fuzzyScore(QStringLiteral("rcnx"), QStringLiteral("Reconstruct")), 0.0);
    QVERIFY(fuzzyScore(QStringLiteral("rcn"), QStringLiteral("Reconstruct")) > 0);
    const auto better = [](const char* query, const char* a, const char* b) {
      return fuzzyScore(QString::fromUtf8(query), QString::fromUtf8(a)) >
             fuzzyScore(QString::fromUtf8(query), QString::fromUtf8(b));
    };
    QVERIFY(better("swe", "Sweep", "Show window below"));
    QVERIFY(better("mb", "Measure a baseline", "Number"));
    QVERIFY(better("export chart", "Export a chart", "Export a trace of the heart"));
    QVERIFY(better("chart export", "Export a chart", "Export"));
  }

  void aCommandIsFoundAndRun() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    CommandPalette& palette = opened(bench);
    QTest::keyClicks(palette.line(), QStringLiteral("sweep"));
    QVERIFY2(found(palette).front().startsWith(QStringLiteral("Sweep")), qPrintable(found(palette).front()));
    QVERIFY(found(palette).front().contains(QStringLiteral("F5")));
    keepPicture(palette, "palette");
    QTest::keyClick(palette.line(), Qt::Key_Return);
    QVERIFY(!palette.isVisible());
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.jobs().busy(JobKind::sweep), patience);
    bench.session.jobs().cancelAll();
  }

  void aParameterIsFoundAndSet() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    CommandPalette& palette = opened(bench);
    QTest::keyClicks(palette.line(), QStringLiteral("alpha 1.75"));
    QVERIFY2(found(palette).front().contains(QStringLiteral("1.75")), qPrintable(found(palette).front()));
    QTest::keyClick(palette.line(), Qt::Key_Return);
    QCOMPARE(bench.window.views().parameters->options().nufft.alpha, 1.75);
    // What cannot be is not offered.
    opened(bench);
    QTest::keyClicks(palette.line(), QStringLiteral("alpha 99"));
    for (const QString& entry : found(palette)) QVERIFY(!entry.contains(QStringLiteral("99")));
  }

  void resultsAndPagesAreFound() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    CommandPalette& palette = opened(bench);
    QTest::keyClicks(palette.line(), QStringLiteral("gridding result"));
    QVERIFY(found(palette).join(QLatin1Char('\n')).contains(QStringLiteral("Result")));
    palette.line()->clear();
    QTest::keyClicks(palette.line(), QStringLiteral("guide baselines"));
    QVERIFY2(found(palette).front().contains(QStringLiteral("Guide")), qPrintable(found(palette).front()));
    QTest::keyClick(palette.line(), Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.findChild<HelpViewer*>() && bench.window.findChild<HelpViewer*>()->isVisible(),
        patience);
    bench.window.findChild<HelpViewer*>()->close();
  }

  void aSearchTakesNoTime() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    CommandPalette& palette = opened(bench);
    QElapsedTimer clock;
    qint64 longest = 0;
    for (const QChar letter : QStringLiteral("reconstruct with")) {
      clock.start();
      QTest::keyClick(palette.line(), letter.toLatin1());
      longest = std::max(longest, clock.elapsed());
    }
    qInfo("longest key %lld ms of %d entries", longest, int(paletteEntries(bench.window).size()));
    QVERIFY2(longest < (loadedMachine() ? 500 : 50), qPrintable(QString::number(longest)));
  }

  void anIdFindsItsCommandFirst() {
    Workbench bench;
    CommandPalette palette(bench.window);
    palette.show();
    auto* line = palette.findChild<QLineEdit*>(QStringLiteral("paletteLine"));
    for (const PaletteEntry& entry : paletteEntries(bench.window)) {
      if (entry.id.isEmpty()) continue;
      line->setText(entry.id);
      QVERIFY2(found(palette).front().startsWith(entry.title), qPrintable(entry.id));
    }
  }

  void idsAreUniqueAndDocumented() {
    Workbench bench;
    const QStringList ids = commandIds(bench);
    QVERIFY(ids.size() > 20);
    qInfo("%s", qPrintable(ids.join(QLatin1Char(' '))));
    QCOMPARE(QSet<QString>(ids.begin(), ids.end()).size(), ids.size());
    QFile page(QStringLiteral(SPOKELAB_SOURCE_DIR "/resources/guide/window.md"));
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QString guide = QString::fromUtf8(page.readAll());
    for (const QString& id : ids)
      if (!id.startsWith(QStringLiteral("layout-of-")))  // the user's own
        QVERIFY2(guide.contains(QLatin1Char('`') + id + QLatin1Char('`')), qPrintable(id));
  }

  void aScriptRunsItsCommandsOneAfterTheOther() {
    const QTemporaryDir folder;
    Workbench bench;
    ReconOptions options;
    options.nufft.accuracy = 1e-2;
    bench.window.views().parameters->setOptions(options);
    CommandScript script(bench.window,
                         {QStringLiteral("set accuracy=1e-3"), QStringLiteral("reconstruct"),
                          QStringLiteral("sweep"), QStringLiteral("show-stages")},
                         true);
    QSignalSpy finished(&script, &CommandScript::finished);
    bench.window.open(smallScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, patience);
    QCOMPARE(bench.window.views().parameters->options().nufft.accuracy, 1e-3);
    QCOMPARE(bench.results().rowCount(), 2);
    QVERIFY(bench.window.features().charts->chosen() > 0);
    QVERIFY_EXCEPTION_THROWN(runCommand(bench.window, QStringLiteral("no-such-command")), Error);
    QVERIFY_EXCEPTION_THROWN(runCommand(bench.window, QStringLiteral("set alpha=99")), Error);
  }
};

SPOKELAB_WINDOW_TEST(TestPalette)

}  // namespace test_palette

#include "test_palette.moc"
