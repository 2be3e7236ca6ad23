// A reader's decisions about a file, one row a decision, those in doubt first. Editing a row asks
// for an override; the owner of the model reads the scan again, and then the rows change.
#pragma once

#include <QAbstractListModel>
#include <QMap>
#include <QStringList>

#include <memory>
#include <vector>

#include "engine/scan/scan.h"

namespace spokelab {

enum DecisionRole {
  TopicRole = Qt::UserRole + 100,
  AlternativesRole
};  // QString; QStringList, its own choice first

class DecisionModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;

  void setScan(std::shared_ptr<const Scan> scan);
  // The topics that can be overridden, with the choices that the reader knows; none: free text.
  void setChoices(const QMap<QString, QStringList>& choices) { choices_ = choices; }
  bool takesFreeText(const QModelIndex& index) const;

  int doubtful() const;  // number of decisions that their evidence does not settle
  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void overrideRequested(const QString& topic, const QString& choice);

 private:
  const Decision& at(const QModelIndex& index) const;

  std::shared_ptr<const Scan> scan_;
  std::vector<std::size_t> order_;  // of the rows among the scan's decisions
  QMap<QString, QStringList> choices_;
};

}  // namespace spokelab
