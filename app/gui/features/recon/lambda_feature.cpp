#include "app/gui/features/recon/lambda_feature.h"

#include <QAction>

#include "engine/core/text.h"
#include "engine/recon/explore/lambda/lambda_choice.h"
#include "engine/recon/options/recipe_table.h"
#include "widgets/core/number_text.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/lambda_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind lambdaJob{.name = "lambda"};

}  // namespace

LambdaFeature::LambdaFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new LambdaView) {
  addTab(views_, "lambda", tr("λ"), view_);
  action_ = makeAction(this, tr("C&hoose λ"), "action-lambda", {},
                       tr("Images of SENSE for a whole range of λ from one run, and what speaks for which"));
  const auto findNow = [this] { find(views_.parameters->options()); };
  connect(action_, &QAction::triggered, this, findNow);
  connect(view_, &LambdaView::rangeRequested, this, findNow);
  connect(view_, &LambdaView::imageReady, this,
          [this](const std::shared_ptr<const Image>& image, double lambda) {
            views_.image->setPreview(image, tr("SENSE, λ %1").arg(shortLabel(lambda, 3)));
          });
  connect(view_, &LambdaView::lambdaChosen, this, [this](double lambda) {
    ReconOptions options = views_.parameters->options();
    if (!recipeOf(options).iterates) options.iterative.method = ReconMethod::sense;
    setOption(options, "lambda", numberText(lambda, 3));
    views_.parameters->setOptions(options);
  });
  connect(&session_, &Session::scanOpened, this, [this] { view_->setChoice(nullptr); });
  connect(&session_.jobs(), &JobQueue::jobChanged, view_,
          [this] { view_->setBusy(session_.jobs().busy(lambdaJob)); });
}

void LambdaFeature::find(const ReconOptions& asked) {
  if (!session_.needScan(tr("choose λ"))) return;
  ReconOptions options = asked;
  if (!recipeOf(options).iterates) options.iterative.method = ReconMethod::sense;
  const auto scan = session_.scan();
  session_.jobs().submit(
      lambdaJob, tr("Range of λ of %1").arg(QString::fromStdString(scan->name)),
      [this, &session = session_, scan, options](const JobContext& context) -> JobQueue::Delivery {
        Backend& backend = *backendsFor(session.backends(), options.backend, options.devices).front();
        LambdaRangeOptions range;
        range.tolerance = options.iterative.solver.tolerance;
        auto choice = std::make_shared<const LambdaChoice>(
            chooseLambda(backend, *scan, options, range, 0, context.progress));
        return [this, choice, scan] {
          if (scan != session_.scan()) return;
          view_->setChoice(choice);
          bringUp(view_);
          Q_EMIT rangeFound();
        };
      },
      session_.commandFor("lambda", options));
}

}  // namespace spokelab
