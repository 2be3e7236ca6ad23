#include "app/gui/features/scan/describe_feature.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QPointer>
#include <QTemporaryDir>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/recon/explore/doctor.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/read/description/described_shapes.h"
#include "engine/scan/read/description/scan_description.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/scan/describe_dialog.h"

namespace spokelab {
namespace {

constexpr JobKind picturesJob{.name = "described readings", .urgent = true};

// Empty where the file is not there or cannot be read.
QString contentOf(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? QString::fromUtf8(in.readAll()) : QString();
}

}  // namespace

DescribeFeature::DescribeFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
}

DescribeFeature::Proposal DescribeFeature::propose(const QString& array) {
  Proposal proposal{proposeScanDescription(array.toStdString()), {}};
  proposal.shapes = describedShapes(proposal.proposed.description);
  return proposal;
}

void DescribeFeature::show(const QString& array, const Proposal& proposal) {
  auto* dialog = new DescribeDialog(array, proposal.proposed, proposal.shapes, views_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &DescribeDialog::imageRequested, this, [this, array] { Q_EMIT imageChosen(array); });
  connect(dialog, &DescribeDialog::openRequested, this,
          [this, array](const QString& text) { keepBeside(array, text); });
  connect(dialog, &DescribeDialog::saveRequested, this,
          [this, array](const QString& text) { askWhere(array, text); });
  connect(dialog, &DescribeDialog::picturesRequested, this,
          [this, dialog, folder = proposal.proposed.description.folder](const QString& text) {
            makePictures(*dialog, folder, text);
          });
  connect(dialog, &QDialog::finished, this, [this] { session_.jobs().cancelAll(picturesJob); });
  dialog->show();
}

// In a folder for the job alone: nothing is written beside the arrays before they are opened.
void DescribeFeature::makePictures(DescribeDialog& dialog, const std::filesystem::path& folder,
                                   const QString& text) {
  const QPointer<DescribeDialog> self(&dialog);
  const auto onWindow = [self](auto&& act) {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, act] {
          if (self) act(*self);
        },
        Qt::QueuedConnection);
  };
  dialog.setPicturesText(tr("Reading the arrays in each way …"));
  session_.jobs().submit(
      picturesJob, tr("Pictures of the readings"),
      [onWindow, folder, text](const JobContext& context) -> JobQueue::Delivery {
        QString ending = tr("Small pictures of one slice. A click on another one takes its axes or unit.");
        try {
          const QTemporaryDir place;
          const std::filesystem::path file = place.filePath(QStringLiteral("scan.json")).toStdString();
          const ScanDescription description = parseScanDescription(text.toStdString(), folder, "");
          writeFileAtomically(file, scanDescriptionText(withAbsoluteFiles(description)));
          DoctorOptions doctor;
          doctor.topics = {"array-axes", "k-unit"};
          const auto backend = makeCpuBackend();
          (void)otherReadings(file, {}, *backend, doctor, context.progress, [&](const Reading& reading) {
            onWindow([reading](DescribeDialog& to) { to.addReading(reading); });
          });
        } catch (const Error& error) {
          ending = tr("No picture: %1").arg(QString::fromStdString(error.reason()));
        }
        onWindow([ending](DescribeDialog& to) { to.setPicturesText(ending); });
        return {};
      });
}

// "ksp.json", or "ksp-2.json" where that is another description.
void DescribeFeature::keepBeside(const QString& array, const QString& text) {
  const QFileInfo info(array);
  const QString base = info.dir().filePath(info.completeBaseName().section(QLatin1Char(':'), 0, 0));
  QString file = base + QStringLiteral(".json");
  for (int number = 2; QFileInfo::exists(file) && contentOf(file) != text; ++number)
    file = QStringLiteral("%1-%2.json").arg(base).arg(number);
  if (!QFileInfo(info.absolutePath()).isWritable()) return askWhere(array, text);
  if (!QFileInfo::exists(file)) {
    if (!write(file, text)) return;
    views_.log->append(LogLevel::information, tr("The description is kept as %1").arg(file));
  }
  Q_EMIT described(file);
}

void DescribeFeature::askWhere(const QString& array, const QString& text) {
  const QFileInfo info(array);
  auto* place = dialogToSave(views_.window, tr("Save the description"), "",
                             info.dir().filePath(info.completeBaseName() + QStringLiteral(".json")),
                             tr("Description (*.json)"), QStringLiteral("json"));
  connect(place, &QFileDialog::fileSelected, this, [this, info, text](const QString& file) {
    QString kept = text;
    if (QFileInfo(file).absolutePath() != info.absolutePath())
      kept = QString::fromStdString(scanDescriptionText(withAbsoluteFiles(
          parseScanDescription(text.toStdString(), info.absolutePath().toStdString(), ""))));
    if (write(file, kept)) Q_EMIT described(file);
  });
  place->open();
}

bool DescribeFeature::write(const QString& file, const QString& text) {
  try {
    writeFileAtomically(file.toStdString(), text.toStdString());
    return true;
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
    return false;
  }
}

}  // namespace spokelab
