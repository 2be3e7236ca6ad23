// Shared by tests that kill programs: the folder of the programs, chance, and the wisdom, from
// which no kill may take an entry away.
#pragma once

#include <unistd.h>

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <random>
#include <set>
#include <string>

#include "engine/nufft/tune/wisdom_file.h"
#include "tests/app/cli/folder_watch.h"

namespace spokelab::test {

class KilledRuns {
 protected:
  explicit KilledRuns(unsigned seed) : random_(seed) {}

  QTemporaryDir folder_;
  std::set<std::string> known_;  // keys of the wisdom

  std::filesystem::path root() const { return folder_.path().toStdString(); }
  std::filesystem::path at(const char* name) const { return root() / name; }
  int upTo(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }

  // Until something is written: one to `most` + 1 changes, each within ms, and up to some
  // microseconds more.
  void awaitChanges(const FolderWatch& watch, int most, int ms, int microseconds) {
    for (int n = upTo(most); n >= 0; --n) watch.wait(ms);
    ::usleep(useconds_t(upTo(microseconds)));
  }

  // Files that are half written, or were when their writer was killed.
  int temporaries() const {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root()))
      count += entry.path().filename().string().starts_with('.');
    return count;
  }

  // It can be read, and holds all that it ever held.
  void checkWisdom() {
    const WisdomContent wisdom = readWisdomFile(at("wisdom.json"));
    QVERIFY2(wisdom.usable(), wisdom.problem.c_str());
    for (const std::string& key : known_) QVERIFY2(wisdom.entries.contains(key), key.c_str());
    for (const auto& [key, value] : wisdom.entries) known_.insert(key);
  }

 private:
  std::mt19937 random_;
};

}  // namespace spokelab::test
