#include "app/gui/window/features.h"

#include <QAction>
#include <QMenu>
#include <QToolBar>

#include "app/gui/document/session_script.h"
#include "app/gui/document/undo.h"
#include "app/gui/document/window_state.h"
#include "app/gui/document/workspace.h"
#include "app/gui/features/console_feature.h"
#include "app/gui/features/image/compare_feature.h"
#include "app/gui/features/image/drag_out_feature.h"
#include "app/gui/features/image/first_steps_feature.h"
#include "app/gui/features/image/measure_feature.h"
#include "app/gui/features/image/open_image_feature.h"
#include "app/gui/features/image/overlay_feature.h"
#include "app/gui/features/image/results_feature.h"
#include "app/gui/features/image/volume_feature.h"
#include "app/gui/features/messages_feature.h"
#include "app/gui/features/profile/baselines_feature.h"
#include "app/gui/features/profile/charts_feature.h"
#include "app/gui/features/profile/explorer_feature.h"
#include "app/gui/features/profile/place_feature.h"
#include "app/gui/features/profile/runs_feature.h"
#include "app/gui/features/profile/stages_feature.h"
#include "app/gui/features/profile/studies_feature.h"
#include "app/gui/features/profile/suites_feature.h"
#include "app/gui/features/profile/timeline_feature.h"
#include "app/gui/features/profile/wisdom_feature.h"
#include "app/gui/features/recon/density_feature.h"
#include "app/gui/features/recon/effort_feature.h"
#include "app/gui/features/recon/forward_feature.h"
#include "app/gui/features/recon/iterations_feature.h"
#include "app/gui/features/recon/job_plan_feature.h"
#include "app/gui/features/recon/lambda_feature.h"
#include "app/gui/features/recon/noise_feature.h"
#include "app/gui/features/recon/parameters_feature.h"
#include "app/gui/features/recon/pixel_feature.h"
#include "app/gui/features/recon/points_feature.h"
#include "app/gui/features/recon/preview_feature.h"
#include "app/gui/features/recon/reconstruct_feature.h"
#include "app/gui/features/recon/selection_feature.h"
#include "app/gui/features/remote/remote_feature.h"
#include "app/gui/features/scan/fit_feature.h"
#include "app/gui/features/scan/raw_feature.h"
#include "app/gui/features/scan/readings_feature.h"
#include "app/gui/features/scan/scan_feature.h"
#include "app/gui/features/scan/sequence_feature.h"
#include "app/gui/features/scan/show_feature.h"
#include "app/gui/features/scan/start_feature.h"
#include "app/gui/report/replay_feature.h"
#include "app/gui/report/report_feature.h"
#include "app/gui/report/report_pdf.h"
#include "app/gui/window/theme.h"
#include "engine/core/error.h"
#include "engine/profile/session/saved_session.h"
#include "engine/scan/formats/file_kind.h"
#include "engine/scan/formats/images/dicom/read_dicom.h"
#include "widgets/raw/raw_view.h"

namespace spokelab {

namespace {

// A file that is gone is the scan's to report.
bool isImage(const QString& file) {
  try {
    if (isDicomFolder(file.toStdString())) return true;
    const FileKind kind = fileKind(file.toStdString());
    return kind == FileKind::nifti || kind == FileKind::dicom;
  } catch (const Error&) {
    return false;
  }
}

bool isSequence(const QString& file) {
  try {
    return fileKind(file.toStdString()) == FileKind::sequence;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

Features::Features(Session& session, const Views& views, bool remember, QObject* parent)
    : QObject(parent),
      messages(new MessagesFeature(session, views, this)),
      scan(new ScanFeature(session, views, this)),
      start(new StartFeature(
          session, views,
          {scan->openAction(), scan->demoAction(), scan->fieldDemoAction(), scan->simulateAction()}, remember,
          this)),
      readings(new ReadingsFeature(session, views, this)),
      fit(new FitFeature(session, views, this)),
      show(new ShowFeature(session, views, this)),
      results(new ResultsFeature(session, views, this)),
      parameters(new ParametersFeature(session, views, remember, this)),
      effort(new EffortFeature(session, views, this)),
      jobPlan(new JobPlanFeature(session, views, this)),
      selection(new SelectionFeature(session, views, this)),
      preview(new PreviewFeature(session, views, this)),
      compare(new CompareFeature(session, views, this)),
      images(new OpenImageFeature(session, views, this)),
      overlay(new OverlayFeature(session, views, this)),
      dragOut(new DragOutFeature(session, views, this)),
      firstSteps(new FirstStepsFeature(session, views, remember, this)),
      charts(new ChartsFeature(session, views, this)),
      runs(new RunsFeature(session, views, *charts, this)),
      explorer(new ExplorerFeature(session, views, this)),
      place(new PlaceFeature(session, views, this)),
      reconstruct(new ReconstructFeature(session, views, this)),
      iterations(new IterationsFeature(session, views, this)),
      lambda(new LambdaFeature(session, views, this)),
      noise(new NoiseFeature(session, views, this)),
      timeline(new TimelineFeature(session, views, this)),
      measure(new MeasureFeature(session, views, this)),
      stages(new StagesFeature(session, views, this)),
      volume(new VolumeFeature(session, views, this)),
      density(new DensityFeature(session, views, this)),
      forward(new ForwardFeature(session, views, this)),
      points(new PointsFeature(session, views, this)),
      wisdom(new WisdomFeature(session, views, this)),
      studies(new StudiesFeature(session, views, this)),
      suites(new SuitesFeature(session, views, this)),
      baselines(new BaselinesFeature(session, views, this)),
      remote(new RemoteFeature(session, views, remember, this)),
      raw(new RawFeature(session, views, this)),
      sequence(new SequenceFeature(session, views, this)),
      pixel(new PixelFeature(session, views, this)),
      report(new ReportFeature(session, views, this)),
      replay(new ReplayFeature(session, views, this)),
      console(new ConsoleFeature(
          session, views, [this] { return show->socketName(); }, this)),
      script(new SessionScript(session, views, this)),
      state(new WindowState(session, views, *charts, *compare, *reconstruct, this)),
      workspace(new Workspace(session, views, *state, this)),
      undo(new Undo(session, views, this)) {
  connectFeatures(session);
  dragOut->connectGrips();
}

void Features::connectFeatures(Session& session) {
  connect(scan, &ScanFeature::fileChosen, this, &Features::open);
  connect(start, &StartFeature::fileChosen, this, &Features::open);
  connect(scan, &ScanFeature::imageChosen, images, &OpenImageFeature::open);
  connect(scan, &ScanFeature::arrayFound, images, &OpenImageFeature::ask);
  connect(scan, &ScanFeature::imageFound, images,
          [this](const std::shared_ptr<const Reconstruction>& image, const QString& file) {
            images->take(image);
            start->addImage(file);
          });
  connect(show, &ShowFeature::imageShown, images, &OpenImageFeature::take);
  connect(images, &OpenImageFeature::fileUsed, start, &StartFeature::addImage);
  connect(images, &OpenImageFeature::referenceRead, compare, &CompareFeature::takeReference);
  connect(compare, &CompareFeature::referenceLaid, measure, &MeasureFeature::setReference);
  connect(readings, &ReadingsFeature::decisionChosen, scan, &ScanFeature::overrideDecision);
  connect(readings, &ReadingsFeature::readAgainRequested, scan, &ScanFeature::open);
  connect(fit, &FitFeature::decisionChosen, scan, &ScanFeature::overrideDecision);
  connect(raw, &RawFeature::binsChosen, scan, &ScanFeature::readWithBins);
  connect(undo, &Undo::readRequested, scan, &ScanFeature::openWith);
  connect(workspace, &Workspace::fileUsed, start, &StartFeature::addSession);
  connect(workspace, &Workspace::runsFound, charts, &ChartsFeature::adopt);
  // The small image first.
  connect(&session, &Session::scanReady, this, [this] {
    if (!reconstruct->automaticAction()->isChecked()) return;
    preview->previewOpened();
    reconstruct->run();
  });
  connect(parameters, &ParametersFeature::optionEdited, selection, &SelectionFeature::editOption);
  connect(selection, &SelectionFeature::reconstructRequested, reconstruct, &ReconstructFeature::run);
  connect(preview, &PreviewFeature::reconstructRequested, reconstruct, &ReconstructFeature::run);
  connect(firstSteps, &FirstStepsFeature::sweepRequested, explorer->action(), &QAction::trigger);
  connect(explorer, &ExplorerFeature::planWanted, reconstruct, &ReconstructFeature::reconstructWith);
  connect(reconstruct, &ReconstructFeature::traced, timeline, &TimelineFeature::takeTrace);
  connect(reconstruct, &ReconstructFeature::asked, explorer, &ExplorerFeature::forgetClick);
  connect(preview, &PreviewFeature::followed, compare, [this] { compare->setComparing(false); });
  connect(density, &DensityFeature::pointSpreadReady, compare, [this] { compare->setComparing(false); });
  connect(explorer, &ExplorerFeature::compareRequested, compare, [this] { compare->setComparing(true); });
  connect(iterations, &IterationsFeature::overRequested, overlay, &OverlayFeature::layOver);
  connect(noise, &NoiseFeature::overRequested, overlay, &OverlayFeature::layOver);
  report->setNoise([noise = noise](const Scan& scan, const ReconOptions& options) {
    return noise->mapsOf(scan, options);
  });
  connect(iterations, &IterationsFeature::optionEdited, selection, &SelectionFeature::editOption);
  connect(selection, &SelectionFeature::pointSpreadRequested, density,
          qOverload<>(&DensityFeature::pointSpread));
  connect(pixel, &PixelFeature::optionEdited, selection, &SelectionFeature::editOption);
  connect(pixel, &PixelFeature::reconstructRequested, reconstruct, &ReconstructFeature::run);
  studies->setDrawPdf(studyPdf);
  replay->setDrawPdf(studyPdf);
  connect(points, &PointsFeature::swept, explorer, &ExplorerFeature::leaveScan);
  connect(raw->view(), &RawView::placed, sequence,
          [this](int, qint64 shot, qint64 sample) { sequence->lookAt(shot, sample); });
  connect(sequence, &SequenceFeature::lookedAt, raw->view(), &RawView::lookAt);
  connect(replay, &ReplayFeature::writeRequested, report, &ReportFeature::writeReplay);
}

void Features::open(const QString& file) {
  if (isSession(file.toStdString())) return workspace->open(file);
  if (isReport(file.toStdString())) return replay->replay(file);
  if (isImage(file)) return images->open(file);
  if (!scan->awaitsTrajectory() && isSequence(file)) return sequence->open(file);
  scan->open(file);
}

void Features::fillToolBar(QToolBar& bar) const {
  const auto add = [&bar](QAction* action, const char* picture) {
    action->setIcon(icon(QString::fromUtf8(picture)));
    bar.addAction(action);
  };
  add(scan->openAction(), "open");
  add(scan->demoAction(), "demo");
  bar.addSeparator();
  add(reconstruct->action(), "reconstruct");
  add(messages->cancelAction(), "cancel");
  add(explorer->action(), "sweep");
  add(compare->action(), "compare");
  bar.addSeparator();
  add(results->saveAction(), "save");
  add(report->action(), "report");
}

void Features::fillMenus(const Menus& menus) const {
  menus.file->addActions(
      {scan->openAction(), scan->nameTrajectoryAction(), scan->simulateAction(), scan->saveAction()});
  menus.file->addMenu(start->recentMenu());
  menus.file->addActions({scan->demoAction(), scan->fieldDemoAction()});
  menus.file->addSeparator();
  menus.file->addActions(workspace->actions());
  menus.file->addActions({script->action(), script->folderAction()});
  connect(menus.file, &QMenu::aboutToShow, workspace, &Workspace::lookForLast);
  menus.file->addSeparator();
  menus.file->addActions(
      {results->saveAction(), forward->action(), report->action(), timeline->traceAction()});
  menus.file->addSeparator();
  menus.file->addAction(replay->action());

  menus.edit->addActions({undo->undoAction(), undo->redoAction()});
  menus.edit->addSeparator();
  menus.edit->addActions({results->pictureAction(), results->copyAction(), results->pythonAction(),
                          results->cAction(), results->useAction()});
  menus.edit->addAction(parameters->findAction());

  QMenu& run = *menus.reconstruction;
  run.addActions({reconstruct->action(), explorer->action(), explorer->dialogAction(), compare->action(),
                  messages->cancelAction()});
  run.addSeparator();
  run.addActions({lambda->action(), noise->action(), iterations->mapsAction(), iterations->benchAction(),
                  compare->referenceAction()});
  run.addSeparator();
  run.addActions({reconstruct->automaticAction(), density->action(), pixel->action(), points->action()});
  run.addMenu(wisdom->menu());
  run.addActions({studies->action(), suites->action(), remote->action()});
  run.addSeparator();
  run.addActions({baselines->saveAction(), baselines->compareAction()});

  menus.view->addActions({readings->action(), fit->action(), overlay->action(), runs->axesAction()});
}

}  // namespace spokelab
