// The dialog that fits gradient delays and a field of low order to the scan, by minimising the
// inconsistency of its data (engine/recon/explore/fit/model_fit.h). It shows the values, and the
// inconsistency before and after. A slider changes one correction (slider_corrections.h), and the
// picture follows it. The user may take the correction as a decision of the reader, or save the
// field as a map in a file.
#pragma once

#include <QDialog>

#include <memory>
#include <optional>
#include <string>

#include "app/gui/features/scan/slider_corrections.h"
#include "app/gui/session/session.h"
#include "engine/recon/explore/fit/fit_picture.h"
#include "engine/recon/explore/fit/model_fit.h"
#include "engine/scan/read/correct/correct_drift.h"
#include "widgets/core/latest_job.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace spokelab {

class FitDialog : public QDialog {
  Q_OBJECT

 public:
  FitDialog(Session& session, const ReconOptions& options, QWidget* parent = nullptr);

  void fit();  // starts the job for the scan that is open
  const std::shared_ptr<const ModelFit>& result() const { return fit_; }
  QString text() const;  // values and inconsistency, in words
  Vec3 shownDelays() const;
  TrialCorrection shownCorrection() const;
  void useResponse(const QString& file);  // of the gradients: the slider takes a share of it
  // The map, times the share that the slider shows where it moves the field.
  void saveField(const QString& file);

 Q_SIGNALS:
  void decisionChosen(const QString& topic, const QString& choice);
  void fieldSaved(const QString& file);
  void fitted();
  void pictureShown();

 private:
  void take(const std::shared_ptr<const ModelFit>& fit);
  void showPicture();
  void chooseCorrection();
  void chooseDelays();
  void chooseResponse();
  void moveOther();  // another correction is the slider's
  SliderCorrection moved() const;
  bool canMove() const;  // what the slider moves is known
  void chooseFieldFile();
  void tell(const JobState& state);

  Session& session_;
  ReconOptions options_;
  int job_ = 0;
  std::shared_ptr<const Scan> scan_;
  std::shared_ptr<const ModelFit> fit_;
  QCheckBox* delays_;
  QComboBox *order_, *moved_;
  std::string response_;
  QLabel *text_, *share_, *picture_;
  QSlider* slider_;
  QPushButton *fitButton_, *take_, *field_;
  struct Drawn {
    std::shared_ptr<const Image> image;
    QString failure;
    std::optional<K0Drift> drift;  // where the slider moves it
  };
  LatestJob<Drawn> drawing_;
};

}  // namespace spokelab
