// Results of this session, newest first: what they were made with, which one is shown, which one is
// compared with.
#pragma once

#include <QAbstractListModel>
#include <QString>

#include <memory>
#include <vector>

#include "engine/recon/reconstruction.h"

namespace spokelab {

struct HistoryEntry {
  int id = 0;
  QString scan;  // its name
  std::shared_ptr<const Reconstruction> result;
  std::weak_ptr<const Scan> source{};  // the scan itself, while it is open
};

enum HistoryRole { ResultIdRole = Qt::UserRole + 100 };

class HistoryModel : public QAbstractListModel {
  Q_OBJECT

 public:
  using QAbstractListModel::QAbstractListModel;

  void add(
      const HistoryEntry& entry);  // the oldest that is neither shown nor reference goes when there are many
  // newest first; none of them is shown or reference
  void setEntries(std::vector<HistoryEntry> entries);
  void setShown(int id);      // 0: none
  void setReference(int id);  // 0: none
  // Normalised root mean square difference of the shown result to the reference, or negative.
  void setDifference(double difference);

  const HistoryEntry* find(int id) const;
  const std::vector<HistoryEntry>& entries() const { return entries_; }  // newest first
  const HistoryEntry* newest() const { return entries_.empty() ? nullptr : &entries_.front(); }
  int shown() const { return shown_; }
  int reference() const { return reference_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

 private:
  void changed();

  std::vector<HistoryEntry> entries_;
  int shown_ = 0, reference_ = 0;
  double difference_ = -1;
};

}  // namespace spokelab
