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
  // Says below each row whose value cannot be what it can be.
  void showProblems();
  // Shows the rows that hold all words in name, label, help or choices, folded or not. Empty: all
  // rows, folded as before. The number of rows that it found.
  int search(const QStringList& words);
  // Rows that differ from the default, or do nothing: beside the others, or for a reason that is
  // given.
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
  std::map<std::string, QLabel*> lines_;  // below the row of that name
  std::map<std::string, QString> notes_;  // that a line shows, unless the row's value cannot be
  QToolButton *heading_, *reset_;
  QWidget* body_;
};

}  // namespace spokelab
