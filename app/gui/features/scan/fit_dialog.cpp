#include "app/gui/features/scan/fit_dialog.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPixmap>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include "app/gui/features/views.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/recon/explore/doctor.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/formats/text_number.h"
#include "engine/scan/read/correct/concomitant.h"
#include "widgets/core/screen_size.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/slice/slice_renderer.h"

namespace spokelab {
namespace {

constexpr JobKind fitJob{.name = "fit"};
constexpr JobKind fieldFileJob{.name = "fit field"};
constexpr int pictureSize = 256;
constexpr std::int64_t pixelsOfPicture = 96;  // along an axis, at most
const std::string delaysTopic = "gradient-delays";

// Terms of a share s are the terms of a field 1/s times as strong, in T.
double strengthOfShare(const Scan& scan, double share) {
  constexpr double usualStrength = 3;
  const double named = namedFieldStrength(scan);
  return (named > 0 ? named : usualStrength) / share;
}

}  // namespace

FitDialog::FitDialog(Session& session, const ReconOptions& options, QWidget* parent)
    : QDialog(parent),
      session_(session),
      options_(options),
      delays_(new QCheckBox(tr("Gradient &delays"))),
      order_(new QComboBox),
      moved_(new QComboBox),
      text_(new QLabel),
      share_(new QLabel),
      picture_(new QLabel),
      slider_(new QSlider(Qt::Horizontal)) {
  constexpr QSize initialSize(620, 560);
  setObjectName(QStringLiteral("fit"));
  setWindowTitle(tr("Fit delays and field"));
  resize(sizeOnScreen(*this, initialSize));
  delays_->setChecked(true);
  order_->setObjectName(QStringLiteral("fitOrder"));
  order_->setAccessibleName(tr("Order of the field"));
  order_->addItems({tr("No field"), tr("Constant field"), tr("Linear field"), tr("Quadratic field")});
  text_->setObjectName(QStringLiteral("fitText"));
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  moved_->setObjectName(QStringLiteral("fitMoved"));
  moved_->setAccessibleName(tr("The correction that the slider moves"));
  moved_->addItems(sliderCorrectionNames());
  slider_->setObjectName(QStringLiteral("fitShare"));
  slider_->setAccessibleName(tr("Strength of the correction"));
  const SliderRange range = sliderRange(SliderCorrection::delays);
  slider_->setRange(range.least, range.most);
  slider_->setValue(range.start);
  slider_->setEnabled(false);
  picture_->setObjectName(QStringLiteral("fitPicture"));
  picture_->setAccessibleName(tr("Image with this correction"));
  picture_->setAlignment(Qt::AlignCenter);
  picture_->setMinimumSize(pictureSize, pictureSize);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  fitButton_ = buttons->addButton(tr("&Fit"), QDialogButtonBox::ActionRole);
  take_ = buttons->addButton(tr("&Correct"), QDialogButtonBox::ActionRole);
  field_ = buttons->addButton(tr("&Save the field…"), QDialogButtonBox::ActionRole);
  fitButton_->setObjectName(QStringLiteral("fitStart"));
  take_->setObjectName(QStringLiteral("fitTake"));
  take_->setEnabled(false);
  field_->setEnabled(false);
  auto* asked = new QHBoxLayout;
  asked->addWidget(delays_);
  asked->addWidget(order_);
  asked->addStretch(1);
  auto* row = new QHBoxLayout;
  row->addWidget(moved_);
  row->addWidget(slider_, 1);
  row->addWidget(share_);
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(asked);
  layout->addWidget(text_);
  layout->addWidget(picture_, 1);
  layout->addLayout(row);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(fitButton_, &QPushButton::clicked, this, &FitDialog::fit);
  connect(take_, &QPushButton::clicked, this, &FitDialog::chooseCorrection);
  connect(moved_, &QComboBox::currentIndexChanged, this, &FitDialog::moveOther);
  connect(field_, &QPushButton::clicked, this, &FitDialog::chooseFieldFile);
  connect(slider_, &QSlider::valueChanged, this, &FitDialog::showPicture);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &FitDialog::tell);
  // The fit belongs to the scan that was open: another one closes the dialog.
  connect(&session_, &Session::scanOpened, this, &QDialog::reject);
  text_->setText(
      tr("The values that make the samples agree best with one image. A scan has to hold more than "
         "one image needs: several coils, or overlapping shots."));
}

QString FitDialog::text() const {
  return text_->text();
}

void FitDialog::fit() {
  if (!session_.needScan(tr("fit its model"))) return;
  scan_ = session_.scan();
  ModelUnknowns unknowns;
  unknowns.delays = delays_->isChecked();
  unknowns.fieldOrder = order_->currentIndex() - 1;
  if (!unknowns.delays && unknowns.fieldOrder < 0) return text_->setText(tr("Choose delays, or a field."));
  text_->setText(tr("Fitting %1 …").arg(QString::fromStdString(scan_->name)));
  std::vector<std::string> more;
  if (unknowns.fieldOrder >= 0)
    more = {"--unknowns", unknowns.delays ? "delays,field" : "field", "--field-order",
            std::to_string(unknowns.fieldOrder)};
  const QPointer<FitDialog> self(this);
  job_ = session_.jobs().submit(
      fitJob, tr("Fit of %1").arg(QString::fromStdString(scan_->name)),
      [self, scan = scan_, options = options_, unknowns](const JobContext& context) -> JobQueue::Delivery {
        auto found = std::make_shared<const ModelFit>(fitModel(*scan, options, unknowns, context.progress));
        return [self, found] {
          if (self) self->take(found);
        };
      },
      session_.commandFor("fit", options_, more));
}

void FitDialog::take(const std::shared_ptr<const ModelFit>& fit) {
  fit_ = fit;
  QStringList lines;
  for (const FittedValue& v : fit->values) lines << QString::fromStdString(v.name + ": " + valueText(v, "±"));
  lines << tr("Inconsistency: %1 before, %2 after, of the samples' norm")
               .arg(QString::fromStdString(numberText(fit->before, 4)),
                    QString::fromStdString(numberText(fit->after, 4)));
  for (const std::string& note : fit->notes) lines << QString::fromStdString(note);
  text_->setText(lines.join(QLatin1Char('\n')));
  slider_->setEnabled(canMove());
  take_->setEnabled(canMove());
  field_->setEnabled(fit->field != nullptr);
  showPicture();
  Q_EMIT fitted();
}

SliderCorrection FitDialog::moved() const {
  return SliderCorrection(moved_->currentIndex());
}

bool FitDialog::canMove() const {
  switch (moved()) {
    case SliderCorrection::delays:
      return fit_ && !readChoices(*fit_, scan_->dims()).empty();
    case SliderCorrection::field:
      return fit_ && fit_->field;
    case SliderCorrection::response:
      return !response_.empty();
    case SliderCorrection::scaleZ:
      return scan_->dims() == 3;
    default:
      return true;
  }
}

Vec3 FitDialog::shownDelays() const {
  const double value = sliderValue(moved(), slider_->value());
  if (moved() == SliderCorrection::shift) return {value, value, value};
  Vec3 delays{0, 0, 0};
  if (moved() == SliderCorrection::delays && fit_) delays = fit_->delays;
  for (double& d : delays) d *= value;
  return delays;
}

TrialCorrection FitDialog::shownCorrection() const {
  TrialCorrection trial;
  trial.delays = shownDelays();
  const double value = sliderValue(moved(), slider_->value());
  if (isScale(moved())) trial.scales[std::size_t(moved()) - std::size_t(SliderCorrection::scaleX)] = value;
  if (moved() == SliderCorrection::drift) trial.driftTurns = value;
  if (moved() == SliderCorrection::response && !response_.empty())
    trial.girf = response_ + '*' + numberText(value, 3);
  if (moved() == SliderCorrection::concomitant && value > 0)
    trial.concomitantField = strengthOfShare(*scan_, value);
  if (moved() == SliderCorrection::field && fit_) {
    trial.field = fit_->field;
    trial.fieldShare = value;
  }
  return trial;
}

// The corrections start at what changes nothing, or at the values that were found.
void FitDialog::moveOther() {
  if (moved() != SliderCorrection::delays && !session_.needScan(tr("correct it")))
    return moved_->setCurrentIndex(int(SliderCorrection::delays));
  if (!scan_) scan_ = session_.scan();
  const SliderRange range = sliderRange(moved());
  const QSignalBlocker quiet(slider_);
  slider_->setRange(range.least, range.most);
  slider_->setValue(moved() == SliderCorrection::drift ? sliderPosition(moved(), fitDrift(*scan_).turns)
                                                       : range.start);
  slider_->setEnabled(canMove());
  take_->setEnabled(canMove());
  if (moved() == SliderCorrection::response && response_.empty()) return chooseResponse();
  if (moved() == SliderCorrection::field && !canMove())
    text_->setText(tr("Choose the order of a field, and press Fit: the slider moves what it finds."));
  if (canMove()) showPicture();
}

void FitDialog::chooseResponse() {
  QFileDialog* dialog = dialogToOpen(this, tr("Open a gradient impulse response"), "open-response", QString(),
                                     tr("Responses (*.csv *.npy *.mat *.txt);;All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, this, &FitDialog::useResponse);
  dialog->open();
}

void FitDialog::useResponse(const QString& file) {
  response_ = file.toStdString();
  moved_->setCurrentIndex(int(SliderCorrection::response));
  moveOther();
}

void FitDialog::showPicture() {
  if (!scan_ || (moved() == SliderCorrection::delays && !fit_)) return;
  const TrialCorrection trial = shownCorrection();
  QString words = sliderText(moved(), slider_->value());
  if (trial.concomitantField > 0)
    words += tr(", as at %1 T").arg(QString::fromStdString(numberText(trial.concomitantField, 3)));
  share_->setText(words);
  if (picture_->pixmap().isNull()) picture_->setText(tr("Drawing the picture …"));
  drawing_.start(
      [scan = scan_, options = options_, trial,
       tellsDrift = moved() == SliderCorrection::drift](std::stop_token stop) {
        Drawn drawn;
        try {
          drawn.image = fitPicture(*scan, options, trial, pixelsOfPicture, Progress(stop));
          if (tellsDrift) drawn.drift = driftOf(*scan, trial.driftTurns);
        } catch (const Error& e) {
          drawn.failure = QString::fromStdString(e.reason());
        }
        return drawn;
      },
      [this, words](const Drawn& drawn) {
        if (!drawn.image) return picture_->setText(drawn.failure);
        if (drawn.drift)
          share_->setText(tr("%1: %2 rad before, %3 after")
                              .arg(words, QString::fromStdString(numberText(drawn.drift->before, 3)),
                                   QString::fromStdString(numberText(drawn.drift->after, 3))));
        const Image slice = middleSlice(*drawn.image);
        SliceRequest request;
        request.window = fittingWindows(slice, 0).magnitude;
        picture_->setPixmap(QPixmap::fromImage(
            renderSlice(slice, request)
                .scaled(pictureSize, pictureSize, Qt::KeepAspectRatio, Qt::SmoothTransformation)));
        Q_EMIT pictureShown();
      });
}

// A decision of the reader each, but the field becomes a file. Delays add to those read.
void FitDialog::chooseCorrection() {
  if (moved() == SliderCorrection::delays || moved() == SliderCorrection::shift) return chooseDelays();
  if (moved() == SliderCorrection::field) return chooseFieldFile();
  const TrialCorrection trial = shownCorrection();
  std::string topic = "axis-scales", choice;
  if (moved() == SliderCorrection::drift) {
    topic = "k0-drift";
    choice = numberText(trial.driftTurns, 3);
  } else if (moved() == SliderCorrection::concomitant) {
    topic = "concomitant";
    choice = trial.concomitantField > 0 ? numberText(trial.concomitantField, 4) : "none";
  } else if (moved() == SliderCorrection::response) {
    topic = "girf";
    choice = trial.girf;
  } else {
    for (int d = 0; d < scan_->dims(); ++d)
      choice += (d > 0 ? "," : "") + numberText(trial.scales[std::size_t(d)], 4);
  }
  if (choice.empty()) return;
  // A correction that the file was read with is in the scan already.
  const auto known = session_.overrides().find(topic);
  if (known != session_.overrides().end() && known->second != "none")
    return text_->setText(tr("The file was read with %1 = %2. Set it to none, and try again.")
                              .arg(QString::fromStdString(topic), QString::fromStdString(known->second)));
  accept();
  Q_EMIT decisionChosen(QString::fromStdString(topic), QString::fromStdString(choice));
}

// Delays that the file was read with are part of the scan: the fit adds to them.
void FitDialog::chooseDelays() {
  ModelFit shown;
  shown.delays = shownDelays();
  const auto known = session_.overrides().find(delaysTopic);
  if (known != session_.overrides().end() && known->second != "none") {
    std::size_t axis = 0;
    for (std::size_t begin = 0; begin <= known->second.size() && axis < std::size_t(scan_->dims()); ++axis) {
      const std::size_t end = std::min(known->second.find(',', begin), known->second.size());
      const double before = textNumber(known->second.substr(begin, end - begin));
      if (!std::isfinite(before))
        return text_->setText(
            tr("The file was read with gradient-delays = %1. Set it to none, and fit again.")
                .arg(QString::fromStdString(known->second)));
      shown.delays[axis] += before;
      begin = end + 1;
    }
  }
  const auto choices = readChoices(shown, scan_->dims());
  const QString choice =
      choices.empty() ? QStringLiteral("none") : QString::fromStdString(choices.front().second);
  accept();
  Q_EMIT decisionChosen(QString::fromStdString(delaysTopic), choice);
}

void FitDialog::chooseFieldFile() {
  QFileDialog* dialog = dialogToSave(this, tr("Save the fitted field"), "save-fit-field",
                                     QStringLiteral("field.nii.gz"), tr("NIfTI (*.nii.gz *.nii)"));
  connect(dialog, &QFileDialog::fileSelected, this, &FitDialog::saveField);
  dialog->open();
}

void FitDialog::saveField(const QString& file) {
  if (!fit_ || !fit_->field) return;
  Image field = *fit_->field;
  double factor = options_.iterative.fieldUnit == FieldUnit::hertz ? 1 / (2 * std::numbers::pi) : 1;
  if (moved() == SliderCorrection::field) factor *= sliderValue(moved(), slider_->value());
  for (cfloat& v : field.data) v *= float(factor);
  const QPointer<FitDialog> self(this);
  session_.jobs().submit(fieldFileJob, tr("Save the fitted field"),
                         [self, field, file](const JobContext& context) -> JobQueue::Delivery {
                           WriteOptions real;
                           real.part = ComplexPart::real;
                           writeImage(field, file.toStdString(), real, context.progress);
                           return [self, file] {
                             if (self) Q_EMIT self->fieldSaved(file);
                           };
                         });
}

void FitDialog::tell(const JobState& state) {
  if (state.id != job_) return;
  const bool runs = state.status == JobStatus::running || state.status == JobStatus::waiting;
  fitButton_->setEnabled(!runs);
  if (state.status == JobStatus::cancelled) text_->setText(tr("Cancelled."));
  if (state.status == JobStatus::failed) text_->setText(state.what);
}

}  // namespace spokelab
