// The menu of wisdom: export, import, merge and forget, and what the log and the banner say about
// it.
#include <QAction>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>

#include "engine/core/atomic_file.h"
#include "engine/core/output/kept_values.h"
#include "tests/app/gui/workbench.h"
#include "widgets/recon/jobs/log_view.h"

namespace test_wisdom_menu {

using namespace spokelab;

namespace {

Candidate timed(double seconds) {
  Candidate c;
  c.backend = "cpu";
  c.options.alpha = 1.5;
  c.options.width = 5;
  c.grid = {48, 48, 1};
  c.timings.total = seconds;
  return c;
}

struct WisdomBench {
  QTemporaryDir folder;
  Backends backends;
  Session session{backends.all(), folder.filePath(QStringLiteral("own.json")).toStdString()};
  MainWindow window{session, backends.badges(), false};
  WisdomBench() { window.show(); }

  QString path(const char* name) const { return folder.filePath(QString::fromUtf8(name)); }
  void trigger(const char* name) {
    auto* action = window.findChild<QAction*>(QString::fromUtf8(name));
    QVERIFY(action && action->isEnabled());
    action->trigger();
  }
  template <class Dialog>
  Dialog* dialog() {
    for (Dialog* d : window.findChildren<Dialog*>())
      if (d->isVisible()) return d;
    qFatal("no dialog came");
  }
  bool logged(const QString& text) const { return window.views().log->toPlainText().contains(text); }
};

}  // namespace

class TestWisdomMenu : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void wisdomTravels() {
    WisdomBench bench;
    bench.session.wisdom()->remember("a", timed(2));
    bench.trigger("action-wisdom-export");
    auto* place = bench.dialog<QFileDialog>();
    Q_EMIT place->fileSelected(bench.path("out.json"));
    place->close();
    QTRY_VERIFY_WITH_TIMEOUT(bench.logged(QStringLiteral("1 entries written")), patience);
    QCOMPARE(Wisdom(bench.path("out.json").toStdString()).size(), std::size_t(1));

    Wisdom other(bench.path("other.json").toStdString());
    other.remember("a", timed(3));
    other.remember("b", timed(1));
    bench.trigger("action-wisdom-merge");
    auto* files = bench.dialog<QFileDialog>();
    Q_EMIT files->filesSelected({bench.path("other.json"), bench.path("out.json")});
    files->close();
    QTRY_VERIFY_WITH_TIMEOUT(bench.logged(QStringLiteral("1 added, 0 replaced, 2 kept")), patience);
    QCOMPARE(bench.session.wisdom()->find("a")->timings.total, 2.0);  // the faster one

    bench.trigger("action-wisdom-import");
    auto* file = bench.dialog<QFileDialog>();
    Q_EMIT file->filesSelected({bench.path("other.json")});
    file->close();
    QTRY_VERIFY_WITH_TIMEOUT(bench.logged(QStringLiteral("0 added, 1 replaced, 1 kept")), patience);
    QCOMPARE(bench.session.wisdom()->find("a")->timings.total, 3.0);  // the file's
  }

  void hostileFilesAreTold() {
    WisdomBench bench;
    bench.session.wisdom()->remember("a", timed(2));
    writeFileAtomically(bench.path("bad.json").toStdString(), "[[[");
    QSignalSpy failed(&bench.session, &Session::failed);
    bench.trigger("action-wisdom-import");
    auto* file = bench.dialog<QFileDialog>();
    Q_EMIT file->filesSelected({bench.path("bad.json")});
    file->close();
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    QVERIFY(failed.front().front().value<Failure>().reason.contains(QStringLiteral("does not hold wisdom")));
    QCOMPARE(bench.session.wisdom()->size(), std::size_t(1));
  }

  void isForgottenWhenAsked() {
    WisdomBench bench;
    bench.session.wisdom()->remember("of nobody here", timed(2));
    bench.trigger("action-wisdom-forget");
    auto* box = bench.dialog<QMessageBox>();
    box->reject();
    QCOMPARE(bench.session.wisdom()->size(), std::size_t(1));
    bench.trigger("action-wisdom-forget");
    box = bench.dialog<QMessageBox>();
    box->findChild<QPushButton*>(QStringLiteral("forget-foreign"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.logged(QStringLiteral("1 entries of other machines forgotten")), patience);
    QCOMPARE(bench.session.wisdom()->size(), std::size_t(0));
    bench.session.wisdom()->remember("again", timed(2));
    bench.trigger("action-wisdom-forget");
    box = bench.dialog<QMessageBox>();
    box->findChild<QPushButton*>(QStringLiteral("forget-all"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.logged(QStringLiteral("1 entries forgotten")), patience);
    QVERIFY(!QFileInfo::exists(bench.path("own.json")));
  }

  void keptPreprocessingIsShownAndRemoved() {
    WisdomBench bench;
    KeptValues kept(KeptValues::folderBeside(bench.session.wisdom()->file()));
    const std::vector<double> values(100, 1.5);
    kept.keep<double>("density", "density weights: of a test", hashOfBytes({}), values, 2);
    bench.trigger("action-wisdom-kept");
    auto* box = bench.dialog<QMessageBox>();
    QVERIFY(box->text().contains(QStringLiteral("1 file")));
    QVERIFY(box->informativeText().contains(QStringLiteral("density weights: of a test: 2 s")));
    box->findChild<QPushButton*>(QStringLiteral("remove-kept"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(bench.logged(QStringLiteral("Kept preprocessing: 1 file removed")), patience);
    QVERIFY(kept.list().empty());
    bench.trigger("action-wisdom-kept");
    QVERIFY(!bench.dialog<QMessageBox>()->findChild<QPushButton*>(QStringLiteral("remove-kept")));
  }

  void withoutWisdomThereIsNothingToDo() {
    Workbench bench;
    auto* action = bench.window.findChild<QAction*>(QStringLiteral("action-wisdom-export"));
    QVERIFY(action);
    for (QMenu* menu : bench.window.findChildren<QMenu*>())
      if (menu->actions().contains(action)) QVERIFY(!menu->isEnabled());
  }
};

SPOKELAB_WINDOW_TEST(TestWisdomMenu)

}  // namespace test_wisdom_menu

#include "test_wisdom_menu.moc"
