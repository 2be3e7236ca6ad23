// A group of options under a heading that folds it away: the heading says how many differ from
// their defaults, and brings those back.
#pragma once

#include <QWidget>

#include <map>
#include <string>
#include <vector>

#include "engine/recon/options/option_rules.h"
#include "widgets/recon/parameters/option_rows.h"

class QToolButton;

namespace spokelab {

class OptionGroupView : public QWidget {
  Q_OBJECT

 public:
  explicit OptionGroupView(const OptionGroup& group, QWidget* parent = nullptr);

  const QString& title() const { return title_; }
  const std::vector<OptionRow>& rows() const { return rows_; }
  bool isFolded() const { return folded_; }
  void setFolded(bool folded);
  // A line below the row of an option of this group; empty: none.
  void setNote(const std::string& name, const QString& note);
  // Writes the error, and the range of valid values, below each row with an invalid value.
  void showProblems();
  // Shows the rows that hold all words in name, label, help or choices, folded or not. Empty: all
  // rows, folded as before. Returns the number of matching rows.
  int search(const QStringList& words);
  // Marks the rows whose values differ from the defaults, and the idle rows, whose options do
  // nothing: because of the other options (whyIdle), or for the reason in `unavailable` [option
  // name].
  void showState(const ReconOptions& options, const std::map<std::string, QString>& unavailable);

 Q_SIGNALS:
  void foldClicked();
  void resetRequested();

 private:
  void makeRow(const OptionSpec& spec);
  QLabel* lineBelow(const std::string& name);
  void showNotes();
  void showBody();

  QString title_;
  bool folded_ = false, searching_ = false;
  std::vector<OptionRow> rows_;
  std::map<std::string, QLabel*> lines_;  // [option name]: the label below its row
  std::map<std::string, QString> notes_;  // [option name]: its note, not shown beside an error
  QToolButton *heading_, *reset_;
  QWidget* body_;
};

}  // namespace spokelab
