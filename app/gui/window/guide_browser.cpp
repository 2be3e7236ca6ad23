#include "app/gui/window/guide_browser.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace spokelab {
namespace {

constexpr int pageMargin = 18;

QImage scaledTo(QImage picture, int width, double ratio) {
  if (picture.width() <= width) return picture;
  picture = picture.scaledToWidth(std::min(picture.width(), int(width * ratio)), Qt::SmoothTransformation);
  picture.setDevicePixelRatio(double(picture.width()) / width);
  return picture;
}

QList<QUrl> picturesOf(const QUrl& page) {
  QFile file(QLatin1Char(':') + page.path());
  if (!file.open(QIODevice::ReadOnly)) return {};
  static const QRegularExpression picture(QStringLiteral(R"(!\[[^\]]*\]\(([^)\s]+))"));
  QList<QUrl> urls;
  for (auto found = picture.globalMatch(QString::fromUtf8(file.readAll())); found.hasNext();)
    urls.append(page.resolved(QUrl(found.next().captured(1))));
  return urls;
}

}  // namespace

GuideBrowser::GuideBrowser(QWidget* parent) : QTextBrowser(parent) {
  document()->setDocumentMargin(pageMargin);
}

int GuideBrowser::widestPicture() const {
  return viewport()->width() - 2 * pageMargin;
}

QVariant GuideBrowser::loadResource(int type, const QUrl& name) {
  if (type != QTextDocument::ImageResource) return QTextBrowser::loadResource(type, name);
  if (const auto known = pictures_.constFind(name); known != pictures_.cend()) return *known;
  const QVariant resource = QTextBrowser::loadResource(type, name);  // going back to another page
  const QImage picture = QImage::fromData(resource.toByteArray());
  return picture.isNull() ? resource : scaledTo(picture, widestPicture(), devicePixelRatioF());
}

void GuideBrowser::doSetSource(const QUrl& url, QTextDocument::ResourceType type) {
  const QUrl page = source().resolved(url).adjusted(QUrl::RemoveFragment);
  const auto show = [this, url, type] { QTextBrowser::doSetSource(url, type); };
  if (page == source().adjusted(QUrl::RemoveFragment)) {
    stay();
    return show();
  }
  const auto read = [page, width = widestPicture(),
                     ratio = devicePixelRatioF()](const std::stop_token& stop) {
    Pictures pictures;
    for (const QUrl& picture : picturesOf(page)) {
      if (stop.stop_requested()) break;
      pictures[picture] = scaledTo(QImage(QLatin1Char(':') + picture.path()), width, ratio);
    }
    return pictures;
  };
  reading_.start(read, [this, show](Pictures pictures) {
    pictures_ = std::move(pictures);
    show();
  });
}

}  // namespace spokelab
