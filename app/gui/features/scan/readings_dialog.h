// The convention doctor's dialog: other ways to read the open file, each shown as soon as it is
// made. The user chooses one; the file is read that way, now and (if wanted) whenever it is opened.
// Choices that were remembered can be forgotten.
#pragma once

#include <QDialog>

#include <map>

#include "app/gui/session/session.h"

class QCheckBox;
class QLabel;
class QPushButton;

namespace spokelab {

class ReadingList;

class ReadingsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit ReadingsDialog(Session& session, QWidget* parent = nullptr);

  // Starts the job for the scan that is open.
  void look();
  ReadingList* list() const { return list_; }
  QCheckBox* remember() const { return remember_; }
  QPushButton* takeButton() const { return take_; }
  QPushButton* forgetButton() const { return forget_; }
  QLabel* status() const { return status_; }

 Q_SIGNALS:
  void decisionChosen(const QString& topic, const QString& choice);
  void readAgainRequested(const QString& file);  // without the choices that were remembered

 private:
  std::map<std::string, std::string> remembered() const;  // for the open file
  void keep(const std::map<std::string, std::string>& choices);
  void choose(const QString& topic, const QString& choice);
  void forget();
  void tell(const JobState& state);

  Session& session_;
  int job_ = 0;
  QLabel* status_;
  ReadingList* list_;
  QCheckBox* remember_;
  QPushButton *take_, *forget_;
};

}  // namespace spokelab
