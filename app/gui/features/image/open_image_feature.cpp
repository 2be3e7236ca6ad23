#include "app/gui/features/image/open_image_feature.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QMessageBox>
#include <QPushButton>

#include "app/gui/features/image/image_file.h"
#include "engine/core/text.h"
#include "widgets/recon/jobs/log_view.h"

namespace spokelab {
namespace {

constexpr JobKind openJob{.name = "open image"};

}  // namespace

void OpenImageFeature::open(const QString& file) {
  session_.jobs().submit(
      openJob, tr("Open %1").arg(QFileInfo(file).fileName()),
      [this, file, scan = session_.scan()](const JobContext& context) -> JobQueue::Delivery {
        const auto image = readImageResult(file.toStdString(), scan.get(), context.progress);
        return [this, file, image] {
          take(image);
          Q_EMIT fileUsed(file);
        };
      },
      QString::fromStdString("spokelab " + shellWord(file.toStdString())));
}

void OpenImageFeature::take(const std::shared_ptr<const Reconstruction>& image) {
  views_.log->append(LogLevel::information,
                     tr("Opened the image %1: %2")
                         .arg(QString::fromStdString(image->plan.description), imageText(*image->image)));
  if (views_.comparing())
    Q_EMIT referenceRead(session_.newEntry(nullptr, image));
  else
    session_.deliver(nullptr, image);
}

void OpenImageFeature::ask(const std::shared_ptr<const Reconstruction>& image, const QString& why) {
  const QString name = QString::fromStdString(image->plan.description);
  auto* box =
      new QMessageBox(QMessageBox::NoIcon, tr("Open %1").arg(name),
                      tr("%1 is not part of a scan: %2.").arg(name, why), QMessageBox::Cancel, views_.window);
  box->setObjectName(QStringLiteral("array-or-image"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setInformativeText(tr("As an image it has %1.").arg(imageText(*image->image)));
  auto* open = box->addButton(tr("Open as an image"), QMessageBox::AcceptRole);
  box->setDefaultButton(open);
  connect(open, &QPushButton::clicked, this, [this, image] { take(image); });
  box->open();
}

}  // namespace spokelab
