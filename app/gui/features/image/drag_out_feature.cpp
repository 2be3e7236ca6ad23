#include "app/gui/features/image/drag_out_feature.h"

#include <QClipboard>
#include <QDrag>
#include <QFile>
#include <QGuiApplication>
#include <QMainWindow>
#include <QMimeData>
#include <QRegularExpression>
#include <QUrl>

#include <functional>
#include <utility>

#include "engine/core/error.h"
#include "engine/scan/formats/images/write_image.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/log_view.h"

namespace spokelab {
namespace {

const QString listOfFiles = QStringLiteral("text/uri-list");
constexpr int draggedPixels = 160;  // of the picture beside the pointer

// Writes its file when it is asked for it first: most drags end without that.
class OfferedFile : public QMimeData {
 public:
  OfferedFile(QString file, std::function<void(const QString&)> write)
      : file_(std::move(file)), write_(std::move(write)) {}

  bool hasFormat(const QString& type) const override {
    return type == listOfFiles || QMimeData::hasFormat(type);
  }
  QStringList formats() const override { return QMimeData::formats() << listOfFiles; }

 protected:
  QVariant retrieveData(const QString& type, QMetaType wanted) const override {
    if (type != listOfFiles) return QMimeData::retrieveData(type, wanted);
    if (write_) std::exchange(write_, nullptr)(file_);
    return QVariantList{QUrl::fromLocalFile(file_)};
  }

 private:
  QString file_;
  mutable std::function<void(const QString&)> write_;
};

void fill(QMimeData& data, const DragContent& content) {
  if (content.isPicture) data.setImageData(content.picture.toImage());
  if (content.table.isEmpty()) return;
  data.setText(content.table);
  data.setData(QStringLiteral("text/csv"), content.table.toUtf8());
}

}  // namespace

DragOutFeature::DragOutFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  connect(views_.history, &HistoryList::dragRequested, this, [this](int id) {
    const HistoryEntry* entry = session_.results().find(id);
    if (auto data = imageOf(id)) start(views_.history, std::move(data), QPixmap::fromImage(entry->picture));
  });
}

void DragOutFeature::connectGrips() {
  for (DragGrip* grip : views_.window->findChildren<DragGrip*>()) {
    connect(grip, &DragGrip::dragged, this, [this, grip] {
      const DragContent content = grip->content();
      start(grip, mimeOf(content), content.picture);
    });
    connect(grip, &DragGrip::clicked, this, [this, grip] { copy(*grip); });
  }
}

QString DragOutFeature::fileNamed(const QString& name) const {
  static const QRegularExpression others(QStringLiteral("[^\\w.+-]+"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  return folder_.filePath(QString(name).replace(others, QStringLiteral("-")));
}

std::unique_ptr<QMimeData> DragOutFeature::mimeOf(const DragContent& content) {
  const auto scan = session_.scan();
  const QString name =
      (scan ? QString::fromStdString(scan->name) + QLatin1Char('-') : QString()) + content.name;
  std::unique_ptr<QMimeData> data;
  if (content.isPicture)
    data = std::make_unique<OfferedFile>(
        fileNamed(name + QStringLiteral(".png")),
        [picture = content.picture.toImage()](const QString& file) { picture.save(file, "PNG"); });
  else
    data = std::make_unique<OfferedFile>(fileNamed(name + QStringLiteral(".csv")),
                                         [table = content.table.toUtf8()](const QString& file) {
                                           QFile out(file);
                                           if (out.open(QIODevice::WriteOnly)) out.write(table);
                                         });
  fill(*data, content);
  return data;
}

std::unique_ptr<QMimeData> DragOutFeature::imageOf(int result) {
  const HistoryEntry* entry = session_.results().find(result);
  if (!entry || !entry->result->image) return nullptr;
  const QString name = QStringLiteral("%1-%2.nii").arg(entry->scan).arg(entry->id);
  return std::make_unique<OfferedFile>(fileNamed(name),
                                       [this, image = entry->result->image](const QString& file) {
                                         WriteOptions writeOptions;
                                         writeOptions.part = ComplexPart::magnitude;
                                         try {
                                           writeImage(*image, file.toStdString(), writeOptions, {});
                                         } catch (const Error& error) {
                                           Q_EMIT session_.failed(failureOf(error));
                                         }
                                       });
}

void DragOutFeature::start(QWidget* source, std::unique_ptr<QMimeData> data, const QPixmap& picture) {
  auto* drag = new QDrag(source);
  drag->setMimeData(data.release());
  if (!picture.isNull())
    drag->setPixmap(
        picture.scaled(draggedPixels, draggedPixels, Qt::KeepAspectRatio, Qt::SmoothTransformation));
  drag->exec(Qt::CopyAction);
}

void DragOutFeature::copy(const DragGrip& grip) {
  const DragContent content = grip.content();
  auto* data = new QMimeData;  // without a file, which would be gone with the window
  fill(*data, content);
  QGuiApplication::clipboard()->setMimeData(data);
  views_.log->append(LogLevel::information, content.isPicture ? tr("Copied a picture of %1 × %2 pixels")
                                                                    .arg(content.picture.width())
                                                                    .arg(content.picture.height())
                                                              : tr("Copied a table"));
}

}  // namespace spokelab
