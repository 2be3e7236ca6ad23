#include "app/gui/features/scan/start_feature.h"

#include <QDate>
#include <QFileInfo>
#include <QLocale>
#include <QMainWindow>
#include <QMenu>
#include <QStackedWidget>

#include "app/gui/features/image/image_file.h"
#include "app/gui/features/scan/recent_files.h"
#include "widgets/core/number_text.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/scan/start_page.h"

namespace spokelab {
namespace {

QString scanText(const Scan& scan) {
  QStringList parts{sizeLabel(scan.geometry.matrix), scan.coils == 1
                                                         ? StartFeature::tr("1 coil")
                                                         : StartFeature::tr("%1 coils").arg(scan.coils)};
  if (scan.slices > 1) parts << StartFeature::tr("%1 slices").arg(scan.slices);
  if (scan.frames > 1) parts << StartFeature::tr("%1 frames").arg(scan.frames);
  return parts.join(QStringLiteral(", "));
}

}  // namespace

StartFeature::StartFeature(Session& session, const Views& views, const QList<QAction*>& actions,
                           bool remember, QObject* parent)
    : Feature(session, views, parent),
      remember_(remember),
      page_(new StartPage(actions)),
      recent_(new QMenu(tr("Open &recent"), views.window)) {
  views_.centre->addWidget(page_);
  connect(page_, &StartPage::openRequested, this, &StartFeature::fileChosen);
  connect(page_, &StartPage::removeRequested, this, [this](const QString& file) {
    RecentFiles::remove(file);
    fillPage();
  });
  connect(recent_, &QMenu::aboutToShow, this, &StartFeature::fillMenu);
  connect(&session_, &Session::scanOpened, this, [this](const std::shared_ptr<const Scan>& scan) {
    if (scan && !scan->path.empty() && !session_.isRestoring())
      add(QString::fromStdString(scan->path), scanText(*scan));
  });
  connect(&session_, &Session::resultReady, this, &StartFeature::keepPicture);
  connect(&session_, &Session::scanOpened, this, &StartFeature::update);
  connect(&session_, &Session::resultsChanged, this, &StartFeature::update);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &StartFeature::update);
  update();
}

// Shows the page while nothing is open; else the image view takes its place and focus.
void StartFeature::update() {
  const bool empty =
      !session_.scan() && session_.results().entries().empty() && !session_.jobs().busy(JobKind::open);
  const bool pageIsShown = views_.centre->currentWidget() == page_;
  if (empty == pageIsShown) return;
  if (empty) {
    fillPage();
    views_.centre->setCurrentWidget(page_);
    return;
  }
  const bool hadFocus = page_->isAncestorOf(views_.window->focusWidget());
  views_.centre->setCurrentWidget(views_.image);
  if (hadFocus) views_.image->takeFocus();
}

void StartFeature::add(const QString& file, const QString& description) {
  if (!remember_) return;
  const QString date = QLocale::c().toString(QDate::currentDate(), QStringLiteral("d MMMM yyyy"));
  RecentFiles::add(file, QStringLiteral("%1 · %2").arg(description, date));
}

void StartFeature::addSession(const QString& file) {
  const int count = session_.results().rowCount();
  add(file, count == 1 ? tr("session, 1 result") : tr("session, %1 results").arg(count));
  if (const HistoryEntry* shown = session_.shown(); shown && remember_)
    RecentFiles::setPicture(file, shown->picture);
}

void StartFeature::addImage(const QString& file) {
  const HistoryEntry* entry = session_.results().newest();
  if (!entry) return;
  add(file, imageText(*entry->result->image));
  if (remember_) RecentFiles::setPicture(file, entry->picture);
}

void StartFeature::keepPicture(const HistoryEntry& entry) {
  const auto scan = entry.source.lock();
  // `entry` may have been dropped from the list, or got its picture there.
  const HistoryEntry* listed = session_.results().find(entry.id);
  if (remember_ && scan && !scan->path.empty() && listed)
    RecentFiles::setPicture(QString::fromStdString(scan->path), listed->picture);
}

void StartFeature::fillMenu() {
  recent_->clear();
  if (remember_)
    for (const RecentFile& recent : RecentFiles::all()) {
      QAction* action = recent_->addAction(QFileInfo(recent.file).fileName(), this,
                                           [this, file = recent.file] { Q_EMIT fileChosen(file); });
      action->setToolTip(recent.file);
      action->setEnabled(QFileInfo::exists(recent.file));
    }
  if (recent_->isEmpty()) recent_->addAction(tr("nothing yet"))->setEnabled(false);
  recent_->setToolTipsVisible(true);
}

void StartFeature::fillPage() {
  QList<RecentEntry> entries;
  if (remember_)
    for (const RecentFile& recent : RecentFiles::all())
      entries << RecentEntry{recent.file, recent.text, recent.picture, QFileInfo::exists(recent.file)};
  page_->setRecent(entries);
}

}  // namespace spokelab
