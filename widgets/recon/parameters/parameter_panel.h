// Everything a reconstruction can be asked, built from optionGroups(): the essentials, then groups
// that fold, one row an option. A search finds rows; automatic values show the tuner's choice;
// impossible values are marked and never leave the panel.
#pragma once

#include <QScrollArea>

#include <map>
#include <string>
#include <vector>

#include "engine/recon/options/options.h"
#include "widgets/recon/parameters/option_rows.h"

class QPushButton;

namespace spokelab {

class KeptBar;
class OptionGroupView;

class ParameterPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ParameterPanel(QWidget* parent = nullptr);

  const ReconOptions& options() const { return options_; }  // the last valid ones
  bool isValid() const { return problem().isEmpty(); }
  QString problem() const;  // what is wrong with the first value that cannot be; empty: none
  // Scrolls to that value and gives it the keys.
  void revealProblem();
  void setOptions(const ReconOptions& options);
  void reset();  // to the defaults
  // The values that a result chose for the automatic options; a default-constructed value clears
  // them. The method's own values need no result.
  void setSettled(const ReconOptions& settled);

  // Why an option does nothing on this machine or for this scan, whatever the others say; empty:
  // the others say it.
  void setUnavailable(const std::string& name, const QString& why);

  // A line below an option's row; empty: none.
  void setNote(const std::string& name, const QString& note);

  OptionEditor* editor(const std::string& name) const;
  // Unfolds an option's group, scrolls to it and gives it the keys.
  void reveal(const std::string& name);
  KeptBar* kept() const { return kept_; }
  QLineEdit* searchLine() const { return search_; }
  // Titles of the groups that are open.
  QStringList unfolded() const;
  void setUnfolded(const QStringList& titles);

 Q_SIGNALS:
  void optionsChanged(const spokelab::ReconOptions& options);
  void browseRequested(const QString& name);  // for a file of that option
  void foldsChanged();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;  // keys of the search

 private:
  QWidget* makeSearch();
  void makeGroups(QWidget* form);
  void search();
  void resetGroup(const OptionGroupView& group);
  void read();  // editors -> options_
  void showSettled();

  ReconOptions options_, settled_;
  std::vector<OptionGroupView*> groups_;
  std::vector<OptionRow> rows_;
  std::map<std::string, QString> unavailable_;
  QLineEdit* search_;
  QScrollArea* scroll_;
  KeptBar* kept_;
  QLabel *found_, *problem_, *hint_;
  QPushButton* reset_;
};

}  // namespace spokelab
