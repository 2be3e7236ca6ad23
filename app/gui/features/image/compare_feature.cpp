#include "app/gui/features/image/compare_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QMainWindow>
#include <QStackedWidget>

#include "engine/core/text.h"
#include "engine/scan/formats/images/read_image.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/compare/difference.h"
#include "widgets/image/image_panel.h"

namespace spokelab {
namespace {

constexpr JobKind referenceJob{.name = "reference"};

CompareItem compareItem(const HistoryEntry& entry) {
  const Reconstruction& result = *entry.result;
  CompareItem item;
  item.id = entry.id;
  item.image = result.image;
  QString plan = CompareFeature::tr("exact sum");
  QString error, shortPlan = plan;
  if (isImported(result)) {
    shortPlan = plan = QString::fromStdString(result.plan.description);
    item.title = CompareFeature::tr("%1  %2").arg(QString::number(entry.id), shortPlan);
    item.details = plan;
    return item;
  }
  if (product(result.plan.grid) <= 1) {
    plan = shortPlan = QString::fromStdString(result.plan.description);
  } else if (!result.options.exact) {
    plan = candidateTitle(planOf(result));
    shortPlan = candidatePlace(planOf(result)).replace(QStringLiteral(", "), QStringLiteral(" · "));
    error = CompareFeature::tr(", predicted error %1").arg(predictedLabel(result.plan.error.relativeL2));
  }
  item.title = CompareFeature::tr("%1  %2").arg(QString::number(entry.id), shortPlan);
  item.details = CompareFeature::tr("%1%2\n%3, of it transforms %4\ndensity: %5")
                     .arg(plan, error, secondsLabel(result.seconds), secondsLabel(result.timings.total),
                          QString::fromStdString(result.density));
  return item;
}

}  // namespace

CompareFeature::CompareFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  action_ = makeAction(this, tr("Compare"), "action-compare", Qt::CTRL | Qt::Key_K,
                       tr("Two results side by side, and their difference"));
  action_->setCheckable(true);
  action_->setEnabled(false);
  reference_ = makeAction(this, tr("Compare with an &image file…"), "action-reference",
                          Qt::CTRL | Qt::SHIFT | Qt::Key_R);
  connect(action_, &QAction::triggered, this, [this] { setComparing(action_->isChecked()); });
  connect(reference_, &QAction::triggered, this, &CompareFeature::chooseReference);
  connect(views_.comparison, &CompareView::pairChosen, this, &CompareFeature::choosePair);
  connect(views_.comparison, &CompareView::closeRequested, this, [this] { setComparing(false); });
  connect(&session_, &Session::scanOpened, this, [this] { setComparing(false); });
  connect(&session_, &Session::resultShown, this, &CompareFeature::update);
  connect(&session_, &Session::referenceChanged, this, &CompareFeature::update);
  connect(&session_, &Session::resultsChanged, this,
          [this] { action_->setEnabled(comparable().size() > 1); });
}

std::vector<const HistoryEntry*> CompareFeature::comparable() const {
  const HistoryEntry* shown = session_.shown();
  std::vector<const HistoryEntry*> found;
  if (!shown) return found;
  for (const HistoryEntry& entry : session_.results().entries()) {
    if (entry.scan == shown->scan &&
        differenceObstacle(shown->result->image.get(), entry.result->image.get()).isEmpty())
      found.push_back(&entry);
  }
  return found;
}

void CompareFeature::setComparing(bool on) {
  const auto others = comparable();
  on = on && others.size() > 1;
  if (on && !session_.reference()) {
    for (const HistoryEntry* entry : others) {
      if (entry->id == session_.results().shown()) continue;
      session_.setReference(entry->id, false);
      break;
    }
  }
  action_->setChecked(on);
  if (on == views_.comparing()) return;
  views_.centre->setCurrentWidget(on ? static_cast<QWidget*>(views_.comparison) : views_.image);
  views_.centre->currentWidget()->setFocus();
  update();
}

void CompareFeature::choosePair(int shown, int reference) {
  session_.setReference(reference, true);
  if (shown != session_.results().shown()) session_.choose(shown);
}

void CompareFeature::update() {
  if (!views_.comparing()) {
    views_.comparison->setItems({}, 0, 0);  // holds no images that nobody sees
    return;
  }
  std::vector<CompareItem> items;
  for (const HistoryEntry* entry : comparable()) items.push_back(compareItem(*entry));
  views_.comparison->setItems(items, session_.results().shown(), session_.results().reference());
}

// --- a reference from a file ---------------------------------------------------------------------

void CompareFeature::chooseReference() {
  auto* dialog =
      dialogToOpen(views_.window, tr("Open an image to compare with"), "open-reference", lastFolder(),
                   tr("Images (*.nii *.nii.gz *.h5 *.mrd *.npy *.npz *.mat *.cfl);;All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, this, &CompareFeature::openReference);
  dialog->open();
}

void CompareFeature::openReference(const QString& file) {
  const std::filesystem::path path = file.toStdString();
  session_.jobs().submit(
      referenceJob, tr("Open %1").arg(QString::fromStdString(path.filename().string())),
      [this, path, scan = session_.scan()](const JobContext& context) -> JobQueue::Delivery {
        auto result = std::make_shared<Reconstruction>();
        auto image = std::make_shared<Image>(readImage(path, context.progress));
        if (image->name.empty()) image->name = path.filename().string();
        if (image->geometry.nominal && scan && scan->geometry.matrix == image->size)
          image->geometry = scan->geometry;  // a file without geometry lies where the scan does
        result->image = image;
        result->origin = ResultOrigin::file;
        result->plan.description = path.filename().string();
        result->density = "of the file";
        result->notes.push_back("read from " + path.string());
        return [this, result, scan] { takeReference(session_.newEntry(scan, result)); };
      },
      QString::fromStdString("spokelab compare image.nii.gz " + shellWord(path.string())));
}

void CompareFeature::takeReference(HistoryEntry entry) {
  const HistoryEntry* shown = session_.shown();
  if (shown) entry.scan = shown->scan;
  const QString obstacle =
      shown ? differenceObstacle(shown->result->image.get(), entry.result->image.get()) : QString();
  if (!obstacle.isEmpty()) {
    const Index3 n = entry.result->image->size;
    Q_EMIT session_.failed(
        {tr("Cannot compare with %1").arg(QString::fromStdString(entry.result->plan.description)),
         tr("it has %1 × %2 × %3 pixels and %4 frame(s), unlike the result that is shown")
             .arg(n[0])
             .arg(n[1])
             .arg(n[2])
             .arg(entry.result->image->frames),
         tr("Open an image of the same size")});
    return;
  }
  session_.addResult(entry);
  if (!session_.shown()) return session_.show(entry.id);
  session_.setReference(entry.id, true);
  setComparing(true);
}

}  // namespace spokelab
