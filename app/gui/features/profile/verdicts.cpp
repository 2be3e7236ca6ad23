#include "app/gui/features/profile/verdicts.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>

#include "engine/core/atomic_file.h"
#include "engine/profile/baseline/baseline_json.h"

namespace spokelab {
namespace {

constexpr JobKind verdictsJob{.name = "write verdicts"};

}  // namespace

void saveVerdicts(QObject* owner, Session& session, const Views& views,
                  const std::shared_ptr<const BaselineComparison>& comparison) {
  auto* dialog = dialogToSave(views.window, QObject::tr("Save the verdicts"), "save-verdicts", QString(),
                              QObject::tr("Tables (*.csv)"), QStringLiteral("csv"));
  QObject::connect(dialog, &QFileDialog::fileSelected, owner, [&session, comparison](const QString& file) {
    session.jobs().submit(verdictsJob, QObject::tr("Save %1").arg(QFileInfo(file).fileName()),
                          [&session, file, comparison](const JobContext&) -> JobQueue::Delivery {
                            writeFileAtomically(file.toStdString(), toCsv(*comparison));
                            return [&session, file] { Q_EMIT session.saved(file); };
                          });
  });
  dialog->open();
}

}  // namespace spokelab
