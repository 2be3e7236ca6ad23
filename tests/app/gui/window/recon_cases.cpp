// Cases of jobs on the open scan.
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QToolButton>

#include "app/gui/features/recon/forward_feature.h"
#include "app/gui/features/recon/lambda_feature.h"
#include "app/gui/features/recon/noise_feature.h"
#include "tests/app/gui/window/feature_cases.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/jobs/iteration_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_model.h"
#include "widgets/recon/parameters/plan_view.h"

namespace spokelab {
namespace {

constexpr int cancelMs = 1000;  // after iterations began

// The test watches the solver's steps, so the plan is given and not searched.
ReconOptions givenPlan() {
  ReconOptions options = quickOptions();
  options.nufft.alpha = 1.5;
  options.nufft.width = 4;
  return options;
}

void iterate(Desk& desk, const char* iterations) {
  ReconOptions options = givenPlan();
  for (const auto& [name, value] : {std::pair{"method", "sense"}, std::pair{"regularization", "tv"},
                                    std::pair{"transform", "nufft"}, std::pair{"iterations", iterations}})
    setOption(options, name, value);
  desk.views().parameters->setOptions(options);
  desk.features().reconstruct->run();
}

// Its image is then the one that is shown.
void reconstructOnceMore(Desk& desk) {
  const int last = desk.ownResult()->id;
  desk.features().reconstruct->run();
  QTRY_VERIFY_WITH_TIMEOUT(desk.ownResult()->id > last && desk.idle(), longPatience);
}

void openNoisyScan(Desk& desk) {
  SimulateOptions o;
  o.trajectory.matrix = {64, 64, 1};
  o.coils = 4;
  o.noise = 0.05;
  writeScan(*simulate(o, {}), desk.file("noisy.h5").toStdString(), {});
  desk.window.open(desk.file("noisy.h5"));
  QTRY_VERIFY_WITH_TIMEOUT(desk.session.file() == desk.file("noisy.h5") && desk.ownResult() && desk.idle(),
                           longPatience);
}

}  // namespace

std::vector<FeatureCase> reconCases() {
  return {
      {"open a scan",
       {},
       [](Desk& d) { d.window.open(d.file("scan.h5")); },
       [](Desk& d) { return d.session.scan() && d.idle() && d.views().image->image(); }},
      onScan(DeskScan::any, {"demo",
                             {},
                             [](Desk& d) { d.trigger("action-demo"); },
                             [](Desk& d) {
                               return d.session.file() == QStringLiteral("demo") && d.idle() && d.ownResult();
                             }}),
      onScan(DeskScan::any, {"demo with a field",
                             {},
                             [](Desk& d) { d.trigger("action-demo-field"); },
                             [](Desk& d) {
                               return d.session.file() == QStringLiteral("demo-field") && d.idle() &&
                                      d.ownResult() &&
                                      d.views().parameters->options().iterative.method ==
                                          ReconMethod::pcSense;
                             }}),
      // Beside the demos: the whole scan is opened again once for all three.
      onScan(DeskScan::any, {"map the noise", openNoisyScan,
                             [](Desk& d) { d.features().noise->map(quickOptions(), 4); }, isIdle}),
      {"reconstruct", {}, [](Desk& d) { d.features().reconstruct->run(); }, isIdle},
      {"tune and record the scheduler",
       {},
       [](Desk& d) { d.features().timeline->record(quickOptions()); },
       isIdle},
      {"estimate an exhaustive search",
       {},
       [](Desk& d) {
         ReconOptions options = quickOptions();
         setOption(options, "effort", "exhaustive");
         d.views().parameters->setOptions(options);
       },
       [](Desk& d) {
         const auto* note = d.views().parameters->findChild<QLabel*>(QStringLiteral("note-effort"));
         return note && !note->text().isEmpty();
       }},
      {"plan the next reconstruction",
       {},
       [](Desk& d) {
         ReconOptions options = quickOptions();
         setOption(options, "method", "sense");
         d.views().parameters->setOptions(options);
       },
       [](Desk& d) {
         const PlanModel& model = *d.views().plan->planModel();
         for (int row = 0; row < model.rowCount(); ++row)
           if (model.index(row, 1).data().toString() == QStringLiteral("SENSE")) return true;
         return false;
       }},
      {"drag a slider's preview", {}, [](Desk& d) { d.features().preview->previewOpened(); }, isIdle},
      {"ask a pixel", reconstructOnceMore, [](Desk& d) { d.trigger("action-ask-pixel"); }, isIdle},
      {"load maps",
       [](Desk& d) {
         ReconOptions options = quickOptions();
         setOption(options, "method", "sense");
         d.views().parameters->setOptions(options);
       },
       [](Desk& d) { d.features().iterations->loadMaps(); }, isIdle},
      {"select shots",
       {},
       [](Desk& d) { d.features().selection->editOption(QStringLiteral("shots"), QStringLiteral("0-599")); },
       isIdle},
      {"save the samples of an image",
       {},
       [](Desk& d) {
         d.features().forward->save(*d.results().newest(), quickOptions(),
                                    d.file("forward.h5").toStdString());
       },
       wasSaved},
  };
}

std::vector<FeatureCase> longCases() {
  const auto steps = std::make_shared<int>(0);  // of what is done while iterations run
  return onLightScan({
      {"cancel what runs",
       {},
       [](Desk& d) {
         iterate(d, "200");
         QTimer::singleShot(cancelMs, &d.window, [&d] { d.trigger("action-cancel"); });
       },
       isIdle},
      {"reconstruct by iterations: pause, another lambda, stop", [steps](Desk&) { *steps = 0; },
       [](Desk& d) { iterate(d, "6"); },
       [steps](Desk& d) {
         IterationView& view = *d.features().iterations->iterations();
         if (*steps == 0 && view.points().size() > 1) {
           d.child<QToolButton>("iterationPause")->click();
           ++*steps;
         } else if (*steps == 1 && view.paused()) {
           d.child<QLineEdit>("iterationLambda")->setText(QStringLiteral("0.25"));
           d.child<QToolButton>("iterationApply")->click();
           ++*steps;
         } else if (*steps == 2) {
           d.child<QToolButton>("iterationPause")->click();
           ++*steps;
         }
         return *steps == 3 && d.idle();
       }},
      {"point spread", {}, [](Desk& d) { d.features().density->pointSpread(quickOptions()); }, isIdle},
      {"choose lambda",
       {},
       [](Desk& d) {
         ReconOptions options = givenPlan();
         setOption(options, "method", "sense");
         setOption(options, "tolerance", "0.3");  // a few steps
         d.features().lambda->find(options);
       },
       isIdle},
      onScan(DeskScan::small, {"compare density weights",
                               {},
                               [](Desk& d) { d.features().density->compare(quickOptions()); },
                               isIdle}),
  });
}

}  // namespace spokelab
