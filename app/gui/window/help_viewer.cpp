#include "app/gui/window/help_viewer.h"

#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QListWidget>
#include <QScrollBar>
#include <QTextStream>
#include <QTimer>

#include <utility>

#include "app/gui/window/guide_browser.h"
#include "widgets/core/screen_size.h"

namespace spokelab {
namespace {

const QString guideFolder = QStringLiteral(":/guide");
const QString firstPage = QStringLiteral("index.md");
constexpr QSize initialHelpSize(1000, 720);

QString titleOf(const QString& file) {
  QFile page(guideFolder + QLatin1Char('/') + file);
  if (page.open(QIODevice::ReadOnly | QIODevice::Text)) {
    QTextStream stream(&page);
    while (!stream.atEnd()) {
      const QString line = stream.readLine();
      if (line.startsWith(QStringLiteral("# "))) return line.mid(2).trimmed();
    }
  }
  return file;
}

}  // namespace

QStringList HelpViewer::pages() const {
  QStringList files = QDir(guideFolder).entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name);
  if (files.removeAll(firstPage) > 0) files.prepend(firstPage);
  return files;
}

HelpViewer::HelpViewer(QWidget* parent) : QDialog(parent) {
  setWindowTitle(tr("Guide – Spokelab"));
  setWindowFlag(Qt::WindowMaximizeButtonHint);
  resize(sizeOnScreen(*this, initialHelpSize));
  contents_ = new QListWidget;
  contents_->setFrameShape(QFrame::NoFrame);
  contents_->setAccessibleName(tr("Contents"));
  browser_ = new GuideBrowser;
  browser_->setFrameShape(QFrame::NoFrame);
  browser_->setOpenExternalLinks(true);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(1);
  layout->addWidget(contents_);
  layout->addWidget(browser_, 1);
  const QStringList files = pages();
  for (const QString& file : files) {
    auto* item = new QListWidgetItem(titleOf(file), contents_);
    item->setData(Qt::UserRole, file);
  }
  contents_->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
  contents_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
  connect(contents_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (!item) return;
    const QUrl url(QStringLiteral("qrc:/guide/") + item->data(Qt::UserRole).toString());
    if (browser_->source() == url)
      browser_->stay();
    else
      browser_->setSource(url, QTextDocument::MarkdownResource);
  });
  connect(browser_, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
    for (int row = 0; row < contents_->count(); ++row) {
      if (contents_->item(row)->data(Qt::UserRole).toString() == url.fileName())
        contents_->setCurrentRow(row);
    }
  });
  followScreenTheme(this, [this] { takeTheme(); });
}

QTextBrowser* HelpViewer::browser() const {
  return browser_;
}

void HelpViewer::showEvent(QShowEvent* event) {
  takeTheme();
  if (contents_->currentRow() < 0)
    contents_->setCurrentRow(0);  // once shown: pictures take the browser's width
  QDialog::showEvent(event);
}

// A document keeps the colour that links had when it was read.
void HelpViewer::takeTheme() {
  if (!isVisible() || std::exchange(theme_, screenTheme()) == screenTheme()) return;
  const int at = browser_->verticalScrollBar()->value();
  browser_->reload();
  QTimer::singleShot(0, browser_, [this, at] { browser_->verticalScrollBar()->setValue(at); });
}

}  // namespace spokelab
