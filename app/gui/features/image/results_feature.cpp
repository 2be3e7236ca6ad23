#include "app/gui/features/image/results_feature.h"

#include <QAction>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMainWindow>
#include <QPixmap>
#include <QStackedWidget>

#include <algorithm>

#include "app/gui/session/c_text.h"
#include "app/gui/session/command_text.h"
#include "app/gui/session/python_text.h"
#include "engine/core/error.h"
#include "engine/recon/explore/pixel/pixel_answer.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/history_list.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/parameters/plan_view.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

constexpr JobKind saveJob{.name = "save image"};

struct SavedAs {
  QString filter, ending;
  ComplexPart part = ComplexPart::complex;
};

QList<SavedAs> imageFormats() {
  using P = ComplexPart;
  return {
      {ResultsFeature::tr("NIfTI, complex (*.nii.gz)"), QStringLiteral(".nii.gz"), P::complex},
      {ResultsFeature::tr("NIfTI, magnitude (*.nii.gz *.nii)"), QStringLiteral(".nii.gz"), P::magnitude},
      {ResultsFeature::tr("NIfTI, phase (*.nii.gz *.nii)"), QStringLiteral(".nii.gz"), P::phase},
      {ResultsFeature::tr("DICOM, magnitude (*.dcm)"), QStringLiteral(".dcm"), P::magnitude},
      {ResultsFeature::tr("DICOM, phase (*.dcm)"), QStringLiteral(".dcm"), P::phase},
      {ResultsFeature::tr("ISMRMRD (*.h5)"), QStringLiteral(".h5"), P::complex},
      {ResultsFeature::tr("BART (*.cfl)"), QStringLiteral(".cfl"), P::complex},
      {ResultsFeature::tr("NumPy (*.npy)"), QStringLiteral(".npy"), P::complex},
      {ResultsFeature::tr("Picture: slices side by side (*.png)"), QStringLiteral(".png"), P::magnitude},
      {ResultsFeature::tr("Pictures: a folder, one for each slice (*)"), QStringLiteral("/"), P::magnitude}};
}

}  // namespace

ResultsFeature::ResultsFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent) {
  save_ = makeAction(this, tr("Save image"), "action-save", QKeySequence::Save,
                     tr("Save the image that is shown"));
  copy_ =
      makeAction(this, tr("&Copy as command line"), "action-copy-command", Qt::CTRL | Qt::SHIFT | Qt::Key_C);
  python_ = makeAction(this, tr("Copy as P&ython"), "action-copy-python");
  c_ = makeAction(this, tr("Copy as &C"), "action-copy-c");
  connect(c_, &QAction::triggered, this, [this] { copyC(0); });
  connect(views_.history, &HistoryList::cRequested, this, &ResultsFeature::copyC);
  use_ = makeAction(this, tr("&Use the parameters of the shown result"), "action-use-parameters");
  picture_ = makeAction(this, tr("Copy the p&icture"), "action-copy-picture", QKeySequence::Copy);
  picture_->setShortcutContext(Qt::WidgetWithChildrenShortcut);  // elsewhere the key copies text
  views_.centre->addAction(picture_);
  for (QAction* action : {save_, use_, picture_}) action->setEnabled(false);
  connect(use_, &QAction::triggered, this, [this] { useParameters(0); });
  connect(picture_, &QAction::triggered, this, &ResultsFeature::copyPicture);
  connect(views_.history, &HistoryList::parametersRequested, this, &ResultsFeature::useParameters);
  connect(save_, &QAction::triggered, this, [this] { chooseToSave(0); });
  connect(copy_, &QAction::triggered, this, [this] { copyCommand(0); });
  connect(python_, &QAction::triggered, this, [this] { copyPython(0); });
  connect(&session_, &Session::resultsChanged, this, [this] {
    for (QAction* action : {save_, use_, picture_}) action->setEnabled(session_.shown() != nullptr);
  });
  connect(&session_, &Session::nothingShown, this, [this] {
    views_.image->setImage(nullptr);
    views_.plan->setResult(nullptr);
    views_.parameters->setSettled({});
  });
  connect(&session_, &Session::resultShown, this, &ResultsFeature::showResult);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &ResultsFeature::sayWhatComes);
  connect(views_.history, &HistoryList::showRequested, &session_, &Session::choose);
  connect(views_.history, &HistoryList::commandRequested, this, &ResultsFeature::copyCommand);
  connect(views_.history, &HistoryList::pythonRequested, this, &ResultsFeature::copyPython);
  connect(views_.history, &HistoryList::saveRequested, this, &ResultsFeature::chooseToSave);
  connect(views_.history, &HistoryList::deleteRequested, &session_, &Session::removeResults);
  connect(views_.history, &HistoryList::referenceRequested, this,
          [this](int id) { session_.setReference(id, id != 0); });
  connect(views_.image, &ImagePanel::differenceReady, &session_, &Session::setDifference);
  connect(views_.comparison, &CompareView::differenceReady, &session_, &Session::setDifference);
}

// Views without an image say what they wait for.
void ResultsFeature::sayWhatComes() {
  if (views_.image->image()) return;
  const JobQueue& jobs = session_.jobs();
  const QString comes = jobs.busy(JobKind::open)          ? tr("Opening the scan …")
                        : jobs.busy(JobKind::reconstruct) ? tr("Reconstructing …")
                                                          : tr("No image yet: reconstruct (Ctrl+R)");
  views_.image->setEmptyText(comes);
}

void ResultsFeature::showResult(int id) {
  const HistoryEntry& entry = *session_.results().find(id);
  const Reconstruction& result = *entry.result;
  views_.image->setImage(result.image);
  views_.plan->setResult(entry.result);
  if (session_.scan() && entry.source.lock() == session_.scan())
    views_.trajectory->setTiles(result.plan.grid, result.plan.options.bins);
  ReconOptions settled = result.options;
  settled.nufft = result.plan.options;
  settled.backend = result.plan.backend;
  views_.parameters->setSettled(settled);
}

const HistoryEntry* ResultsFeature::entryOf(int id) const {
  return id != 0 ? session_.results().find(id) : session_.shown();
}

void ResultsFeature::chooseToSave(int id) {
  const HistoryEntry* entry = entryOf(id);
  if (!entry) return;
  QStringList filters;
  for (const SavedAs& format : imageFormats()) filters << format.filter;
  auto* dialog =
      dialogToSave(views_.window, tr("Save the image"), "", entry->scan, filters.join(QStringLiteral(";;")));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, dialog, kept = HistoryEntry(*entry)](QString file) {
            const QList<SavedAs> formats = imageFormats();
            const QString chosen = dialog->selectedNameFilter();
            const auto found = std::find_if(formats.begin(), formats.end(),
                                            [&](const SavedAs& format) { return format.filter == chosen; });
            const SavedAs format = found == formats.end() ? formats.front() : *found;
            const bool folder = format.ending == QStringLiteral("/");
            if (folder || QFileInfo(file).suffix().isEmpty()) file += format.ending;
            WriteOptions options;
            options.part = format.part;
            saveImage(kept, std::filesystem::path(file.toStdString()), options);
          });
  dialog->open();
}

void ResultsFeature::saveImage(const HistoryEntry& entry, const std::filesystem::path& file,
                               const WriteOptions& options) {
  const QString name =
      QString::fromStdString((file.has_filename() ? file : file.parent_path()).filename().string());
  session_.jobs().submit(
      saveJob, tr("Save %1").arg(name),
      [this, result = entry.result, file, options](const JobContext& context) -> JobQueue::Delivery {
        writeImage(*result->image, file, options, context.progress);
        const std::string lost = precisionLost(*result->image, file);
        return [this, file, lost] {
          Q_EMIT session_.saved(QString::fromStdString(file.string()));
          if (!lost.empty()) views_.log->append(LogLevel::warning, QString::fromStdString(lost));
        };
      },
      entry.source.lock() == session_.scan()
          ? session_.commandFor("reconstruct", entry.result->options, {"-o", file.string()})
          : QString());
}

void ResultsFeature::useParameters(int id) {
  const HistoryEntry* entry = entryOf(id);
  if (!entry) return;
  if (isImported(*entry->result)) {
    Q_EMIT session_.failed({tr("There are no parameters"), tr("the result was not computed here"),
                            tr("Choose a result that was reconstructed")});
    return;
  }
  ReconOptions options = entry->result->options;
  if (!options.exact) {
    options.nufft.alpha = entry->result->plan.options.alpha;
    options.nufft.width = entry->result->plan.options.width;
  }
  views_.parameters->setOptions(options);
  bringUp(views_.parameters);
}

void ResultsFeature::copyPicture() {
  QWidget* shown = views_.centre->currentWidget();
  const auto* grip = shown->findChild<DragGrip*>();
  QPixmap picture = grip ? grip->content().picture : shown->grab();
  for (auto* slice : shown->findChildren<SliceView*>())
    if (slice->hasFocus()) picture = slice->grab();
  QGuiApplication::clipboard()->setPixmap(picture);
  views_.log->append(LogLevel::information,
                     tr("Copied a picture of %1 × %2 pixels").arg(picture.width()).arg(picture.height()));
}

std::optional<ResultsFeature::Made> ResultsFeature::madeBy(int id) {
  const HistoryEntry* entry = entryOf(id);
  Made made;
  if (entry) made.scan = entry->source.lock();
  made.spread = entry && entry->result->origin == ResultOrigin::pointSpread;
  if (!made.scan || (isImported(*entry->result) && !made.spread)) {
    Q_EMIT session_.failed({tr("There is no command line"),
                            tr("the result's scan is not open, or it was not computed"),
                            tr("Open its scan again, or choose another result")});
    return {};
  }
  made.options = entry->result->options;
  if (entry->result->plan.backend.size() && !made.options.exact && !made.spread) {
    // The plan as it was settled: nothing is tuned again.
    made.options.nufft = entry->result->plan.options;
    made.options.nufft.threads = entry->result->options.nufft.threads;
  }
  return made;
}

void ResultsFeature::copy(const std::string& text) {
  const QString copied = QString::fromStdString(text);
  QGuiApplication::clipboard()->setText(copied);
  views_.log->append(LogLevel::information, tr("Copied: %1").arg(copied));
}

void ResultsFeature::copyCommand(int id) {
  const auto made = madeBy(id);
  if (!made) return;
  const std::string pixel = made->spread ? pixelOfName(entryOf(id)->result->image->name) : std::string();
  if (!pixel.empty())
    return copy(session_.withSimulation(commandFor("ask", *made->scan, session_.reading(), made->options,
                                                   {"--pixel", pixel, "--psf", "psf.nii.gz"})));
  copy(session_.withSimulation(made->spread
                                   ? commandFor("density", *made->scan, session_.reading(), made->options,
                                                spreadArguments(made->options))
                                   : commandLineFor(*made->scan, session_.reading(), made->options)));
}

void ResultsFeature::copyPython(int id) {
  const auto made = madeBy(id);
  if (!made) return;
  try {
    if (made->spread)
      throw Error("Cannot copy as Python", "the package makes no point spread functions",
                  "Copy as command line");
    copy(pythonFor(*made->scan, session_.reading(), session_.simulation(), made->options));
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
  }
}

void ResultsFeature::copyC(int id) {
  const auto made = madeBy(id);
  if (!made) return;
  try {
    if (made->spread)
      throw Error("Cannot copy as C", "the interface makes no point spread functions",
                  "Copy as command line");
    copy(cFor(*made->scan, session_.reading(), session_.simulation(), made->options));
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
  }
}

}  // namespace spokelab
