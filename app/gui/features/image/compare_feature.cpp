#include "app/gui/features/image/compare_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QMainWindow>
#include <QStackedWidget>

#include "app/gui/features/image/image_file.h"
#include "engine/core/text.h"
#include "engine/scan/check/resample_image.h"
#include "widgets/core/candidate_text.h"
#include "widgets/core/number_text.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/display/group_box.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/history_list.h"

namespace spokelab {
namespace {

constexpr JobKind referenceJob{.name = "reference"};

CompareItem compareItem(const HistoryEntry& entry) {
  const Reconstruction& result = *entry.result;
  const QString title = titleOf(entry);
  CompareItem item{entry.id, QStringLiteral("%1  %2").arg(QString::number(entry.id), title), title,
                   result.image};
  if (isImported(result)) return item;
  if (!result.options.exact && product(result.plan.grid) > 1)
    item.details += CompareFeature::tr("\n%1, predicted error %2")
                        .arg(candidateTitle(planOf(result)), predictedLabel(result.plan.error.relativeL2));
  item.details += CompareFeature::tr("\n%1 in all, %2 of transforms\ndensity: %3")
                      .arg(secondsLabel(result.seconds), secondsLabel(result.timings.total),
                           QString::fromStdString(result.density));
  return item;
}

}  // namespace

CompareFeature::CompareFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  action_ = makeAction(this, tr("Compare"), "action-compare", Qt::Key_F6,
                       tr("Two results side by side, and their difference"));
  action_->setCheckable(true);
  action_->setEnabled(false);
  reference_ = makeAction(this, tr("Compare with an &image file…"), "action-reference",
                          Qt::CTRL | Qt::SHIFT | Qt::Key_R);
  connect(action_, &QAction::triggered, this, [this] {
    if (action_->isChecked()) takeSelectedPair();
    setComparing(action_->isChecked());
  });
  connect(reference_, &QAction::triggered, this, &CompareFeature::chooseReference);
  connect(views_.comparison, &CompareView::pairChosen, this, &CompareFeature::choosePair);
  connect(views_.comparison, &CompareView::closeRequested, this, [this] { setComparing(false); });
  connect(views_.comparison->bar()->groups(), &GroupBox::groupChosen, views_.image, &ImagePanel::setGroup);
  connect(views_.image, &ImagePanel::groupChanged, this, &CompareFeature::update);
  connect(&session_, &Session::nothingShown, this, [this] { setComparing(false); });
  connect(&session_, &Session::nothingShown, this, &CompareFeature::layReference);
  connect(&session_, &Session::resultShown, this, &CompareFeature::layReference);
  connect(&session_, &Session::referenceChanged, this, &CompareFeature::layReference);
  connect(&session_, &Session::resultsChanged, this,
          [this] { action_->setEnabled(comparable().size() > 1); });
}

std::vector<const HistoryEntry*> CompareFeature::comparable() const {
  std::vector<const HistoryEntry*> found;
  if (!session_.shown()) return found;
  for (const HistoryEntry& entry : session_.results().entries())
    if (session_.obstacleTo(entry).isEmpty()) found.push_back(&entry);
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

// Two results selected in the list are the wanted pair; the later one is shown.
void CompareFeature::takeSelectedPair() {
  const std::vector<int> ids = views_.history->selected();
  if (ids.size() != 2) return;
  if (ids[1] != session_.results().shown()) session_.choose(ids[1]);
  session_.setReference(ids[0], true);
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
  const int shown = session_.results().shown(), reference = session_.results().reference();
  for (const HistoryEntry* entry : comparable()) {
    items.push_back(compareItem(*entry));
    items.back().image = views_.image->partOf(items.back().image);
    if (entry->id != reference || reference == shown) continue;
    items.back().image = views_.image->partOf(laid_);
    if (!resampling_.isEmpty()) items.back().details += QLatin1Char('\n') + resampling_;
  }
  const ShownGroup& group = views_.image->group();
  views_.comparison->bar()->groups()->setGroups(group.titles(), group.current());
  views_.comparison->setItems(items, shown, laid_ ? reference : 0);
}

void CompareFeature::layReference() {
  laying_.drop();
  const HistoryEntry *shown = session_.shown(), *reference = session_.reference();
  if (!shown || !reference || !session_.obstacleTo(*reference).isEmpty()) return takeLaid(nullptr, {});
  const auto &onto = shown->result->image, &image = reference->result->image;
  if (sameGrid(*image, *onto)) return takeLaid(image, {});
  if (laid_ && from_.lock() == image && sameGrid(*laid_, *onto)) return takeLaid(laid_, resampling_);
  takeLaid(nullptr, {});
  laying_.start([image, onto](std::stop_token stop) { return resampled(*image, *onto, Progress(stop)); },
                [this, image](const std::shared_ptr<const Image>& laid) {
                  from_ = image;
                  takeLaid(laid, QString::fromStdString(resampledText(*image, *laid)));
                },
                [this](const QString& failure) {
                  Q_EMIT session_.failed({tr("Cannot compare"), failure, tr("Choose another reference")});
                });
}

void CompareFeature::takeLaid(std::shared_ptr<const Image> laid, const QString& resampling) {
  laid_ = std::move(laid);
  resampling_ = resampling;
  const int id = session_.results().reference();
  if (views_.image->reference() != laid_)
    views_.image->setReference(laid_, resampling_.isEmpty() ? tr("result %1").arg(id)
                                                            : tr("result %1, %2").arg(id).arg(resampling_));
  update();
  Q_EMIT referenceLaid(laid_);
}

void CompareFeature::chooseReference() {
  auto* dialog = dialogToOpen(views_.window, tr("Open an image to compare with"), "open-reference",
                              lastFolder(), tr("Images (%1);;All files (*)").arg(imageEndings));
  connect(dialog, &QFileDialog::fileSelected, this, &CompareFeature::openReference);
  dialog->open();
}

void CompareFeature::openReference(const QString& file) {
  const std::filesystem::path path = file.toStdString();
  session_.jobs().submit(
      referenceJob, tr("Open %1").arg(QString::fromStdString(path.filename().string())),
      [this, path, scan = session_.scan()](const JobContext& context) -> JobQueue::Delivery {
        const auto image = readImageResult(path, scan.get(), context.progress);
        return [this, image] { takeReference(session_.newEntry(nullptr, image)); };
      },
      QString::fromStdString("spokelab compare image.nii.gz " + shellWord(path.string())));
}

void CompareFeature::takeReference(const HistoryEntry& entry) {
  if (const QString obstacle = session_.obstacleTo(entry); !obstacle.isEmpty()) {
    Q_EMIT session_.failed({tr("Cannot compare with %1").arg(titleOf(entry)), obstacle,
                            tr("Open it by itself, or an image of the same part of the patient")});
    return;
  }
  session_.addResult(entry);
  if (!session_.shown()) return session_.show(entry.id);
  session_.setReference(entry.id, true);
  setComparing(true);
}

}  // namespace spokelab
