// Cases with results that return: a repeated report, wisdom of others, a job from another machine,
// a bench of field corrections, a session that a crash left behind.
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

#include <memory>

#include "app/gui/features/remote/remote_feature.h"
#include "app/gui/report/replay_dialog.h"
#include "tests/app/gui/window/feature_cases.h"
#include "widgets/recon/jobs/log_view.h"

namespace spokelab {
namespace {

constexpr int wisdomEntries = 2000;

// A plan that is given: nothing is tuned.
ReconOptions fixedPlan() {
  ReconOptions options = quickOptions();
  options.nufft.alpha = 2;
  options.nufft.width = 4;
  return options;
}

// The window works without wisdom; this one has its own.
struct WisdomWindow {
  QTemporaryDir folder;
  Backends backends;
  Session session{backends.all(), folder.filePath(QStringLiteral("own.json")).toStdString()};
  MainWindow window{session, backends.badges(), false};

  QString others() const { return folder.filePath(QStringLiteral("others.json")); }
  bool merged() const { return window.views().log->toPlainText().contains(QStringLiteral("added")); }
};

void haveWisdomOfOthers(WisdomWindow& own) {
  Candidate plan;
  plan.backend = "cpu";
  plan.options.alpha = 1.5;
  plan.options.width = 5;
  plan.grid = {48, 48, 1};
  plan.timings.total = 1;
  WisdomEntries entries;
  Wisdom others(own.others().toStdString());
  others.remember("0", plan);
  const WisdomEntries one = others.entries();
  for (int i = 0; i < wisdomEntries; ++i) entries[std::to_string(i)] = one.begin()->second;
  others.take(entries, WisdomRule::theirs);
  own.window.show();
  settle(own.window);
}

void mergeWisdom(WisdomWindow& own) {
  own.window.findChild<QAction*>(QStringLiteral("action-wisdom-merge"))->trigger();
  for (auto* dialog : own.window.findChildren<QFileDialog*>()) {
    Q_EMIT dialog->filesSelected({own.others()});
    dialog->close();
  }
}

// Instead of ssh: a shell on this machine, in a home of its own.
void haveMachine(Desk& desk) {
  QFile script(desk.file("ssh"));
  if (!script.exists() && script.open(QIODevice::WriteOnly)) {
    script.write("#!/bin/sh\nexport HOME='" + desk.file("there").toUtf8() +
                 "'\nmkdir -p \"$HOME\" && cd \"$HOME\" && exec sh -c \"$5\"\n");
    script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }
  qputenv("SPOKELAB_SSH", script.fileName().toUtf8());
  qputenv("XDG_DATA_HOME", desk.file("here").toUtf8());
  desk.views().parameters->setOptions(fixedPlan());
}

bool resultCameBack(const Desk& desk) {
  const std::vector<std::string>& notes = desk.session.results().newest()->result->notes;
  return std::any_of(notes.begin(), notes.end(),
                     [](const std::string& note) { return note.starts_with("reconstructed on node7"); });
}

// A small scan with a field, whose exact sums are soon there.
void haveField(Desk& desk) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::spiral2d;
  options.trajectory.matrix = {48, 48, 1};
  options.trajectory.shots = 8;
  options.trajectory.dwellSeconds = 2e-5;
  options.coils = 2;
  options.offResonance = {FieldShape::head, 100};
  desk.features().scan->simulate(options, true);
  QTRY_VERIFY_WITH_TIMEOUT(desk.session.file().isEmpty() && desk.ownResult() && desk.idle(), longPatience);
  desk.settle();
}

// As a program that was killed leaves it: kept, and locked by nobody.
void leaveASession(Desk& desk) {
  QSignalSpy kept(desk.features().workspace, &Workspace::autosaved);
  desk.views().parameters->setOptions(fixedPlan());
  QTRY_VERIFY_WITH_TIMEOUT(kept.count() > 0, patience);
  desk.features().workspace->keepIn(desk.file("autosave").toStdString(), autosaveMs);
}

bool pressed(Desk& desk, const char* box, const char* button) {
  auto* const asks = desk.window.findChild<QMessageBox*>(QString::fromLatin1(box));
  if (!asks || !asks->isVisible()) return false;
  asks->findChild<QPushButton*>(QString::fromLatin1(button))->click();
  return true;
}

}  // namespace

std::vector<FeatureCase> returnCases() {
  const auto wisdom = std::make_shared<std::unique_ptr<WisdomWindow>>();
  const auto recovering = std::make_shared<bool>(false);
  const auto opened = std::make_shared<int>(0);   // scans, since it was asked for
  const auto reports = std::make_shared<int>(0);  // a report that was read is not replaced
  const auto replayed = [reports](Desk& d, const char* file) {
    return d.folder.filePath(QStringLiteral("replayed%1%2").arg(*reports).arg(QLatin1String(file)));
  };
  return onLightScan({
      onScan(DeskScan::small,
             {"repeat a report",
              [reports, replayed](Desk& d) {
                ++*reports;
                d.features().report->write(*d.ownResult(), replayed(d, "").toStdString());
                QTRY_VERIFY_WITH_TIMEOUT(wasSaved(d), longPatience);
                d.settle();
              },
              [replayed](Desk& d) { d.features().replay->replay(replayed(d, "/report.json")); },
              [](Desk& d) {
                const auto* dialog = d.window.findChild<ReplayDialog*>(QStringLiteral("replay"));
                return (dialog && dialog->isVisible() && d.idle()) || !d.failed.isEmpty();
              }}),
      {"merge wisdom of others",
       [wisdom](Desk&) {
         *wisdom = std::make_unique<WisdomWindow>();
         haveWisdomOfOthers(**wisdom);
       },
       [wisdom](Desk&) { mergeWisdom(**wisdom); }, [wisdom](Desk&) { return (*wisdom)->merged(); }},
      {"send a reconstruction to another machine",
       [wisdom](Desk& d) {
         wisdom->reset();
         haveMachine(d);
       },
       [](Desk& d) {
         d.features().remote->sendReconstruction({QStringLiteral("node7"), QStringLiteral(SPOKELAB_CLI)});
       },
       [](Desk& d) { return resultCameBack(d) || !d.failed.isEmpty(); }},
      onScan(DeskScan::any, {"compare field corrections", haveField,
                             [](Desk& d) { d.features().iterations->benchField(); }, isIdle}),
      {"recover what a crash left",
       [recovering, opened](Desk& d) {
         leaveASession(d);
         *recovering = false;
         *opened = 0;
         QObject::connect(&d.session, &Session::sessionOpened, d.features().workspace,
                          [opened] { ++*opened; });
       },
       [](Desk& d) { d.features().workspace->offerRecovery(); },
       [recovering, opened](Desk& d) {
         if (!*recovering) *recovering = pressed(d, "recovery", "recover");
         return *opened > 0 && d.idle();
       }},
  });
}

}  // namespace spokelab
