#include "app/gui/window/help_viewer.h"

#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QImage>
#include <QListWidget>
#include <QScrollBar>
#include <QTextBrowser>
#include <QTextStream>
#include <QTimer>

#include "widgets/core/screen_size.h"
#include "widgets/core/screen_theme.h"

namespace spokelab {
namespace {

const QString guideFolder = QStringLiteral(":/guide");
const QString firstPage = QStringLiteral("index.md");
constexpr QSize initialSize(1000, 720);
constexpr int contentsWidth = 210, pageMargin = 18;

// Pictures are scaled down to the width of the page.
class GuideBrowser : public QTextBrowser {
 public:
  using QTextBrowser::QTextBrowser;

  QVariant loadResource(int type, const QUrl& name) override {
    const QVariant resource = QTextBrowser::loadResource(type, name);
    if (type != QTextDocument::ImageResource) return resource;
    QImage picture = resource.canConvert<QByteArray>() ? QImage::fromData(resource.toByteArray())
                                                       : resource.value<QImage>();
    const int maxWidth = viewport()->width() - 2 * pageMargin;
    if (picture.isNull() || picture.width() <= maxWidth)
      return picture.isNull() ? resource : QVariant(picture);
    const double ratio = devicePixelRatioF();
    picture =
        picture.scaledToWidth(std::min(picture.width(), int(maxWidth * ratio)), Qt::SmoothTransformation);
    picture.setDevicePixelRatio(double(picture.width()) / maxWidth);
    return picture;
  }
};

// The page's first heading.
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
  resize(sizeOnScreen(*this, initialSize));
  contents_ = new QListWidget;
  contents_->setFixedWidth(contentsWidth);
  contents_->setFrameShape(QFrame::NoFrame);
  contents_->setAccessibleName(tr("Contents"));
  browser_ = new GuideBrowser;
  browser_->setFrameShape(QFrame::NoFrame);
  browser_->setOpenExternalLinks(true);
  browser_->document()->setDocumentMargin(pageMargin);
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
  connect(contents_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (!item) return;
    const QUrl url(QStringLiteral("qrc:/guide/") + item->data(Qt::UserRole).toString());
    if (browser_->source() != url) browser_->setSource(url, QTextDocument::MarkdownResource);
  });
  connect(browser_, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
    for (int row = 0; row < contents_->count(); ++row) {
      if (contents_->item(row)->data(Qt::UserRole).toString() == url.fileName())
        contents_->setCurrentRow(row);
    }
  });
  if (!files.isEmpty()) contents_->setCurrentRow(0);
  // A document keeps the colour that links had when it was read.
  followScreenTheme(this, [this] {
    const int at = browser_->verticalScrollBar()->value();
    browser_->reload();
    QTimer::singleShot(0, browser_, [this, at] { browser_->verticalScrollBar()->setValue(at); });
  });
}

}  // namespace spokelab
