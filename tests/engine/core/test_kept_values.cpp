// Values kept for later starts: they come back as they were, or not at all; the folder keeps its
// limit; several processes may use it.
#include <QtTest>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <numeric>
#include <vector>

#include "engine/core/output/kept_values.h"
#include "tests/test_main.h"

namespace test_kept_values {

using namespace spokelab;
namespace fs = std::filesystem;

namespace {

std::vector<double> numbers(std::size_t count, double first) {
  std::vector<double> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

ValueHash keyOf(const std::string& name) {
  return HashBuilder().add(std::string_view(name)).hash();
}

constexpr KeptLimits all{.bytes = 1'000'000, .minSeconds = 0};

// Values that follow from their name, so that every reader can check them.
void keepNamed(KeptValues& kept, const std::string& name, std::size_t count = 100) {
  const std::vector<double> values = numbers(count, double(name.size()));
  kept.keep<double>("test", name, keyOf(name), values, 1);
}
bool hasNamed(KeptValues& kept, const std::string& name, std::size_t count = 100) {
  std::vector<double> values(count);
  return kept.take("test", keyOf(name), std::span(values)) && values == numbers(count, double(name.size()));
}

}  // namespace

class TestKeptValues : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  int folders_ = 0;

  fs::path fresh() { return fs::path(folder_.path().toStdString()) / std::to_string(folders_++); }

 private slots:
  void hashesTellValuesApart() {
    // Blocks of a mebibyte, whole and in part, and what a byte or a length changes.
    for (const std::size_t count : {0, 1, 7, 4096, 200'000}) {
      std::vector<double> values = numbers(count, 1);
      const ValueHash before = hashOfBytes(std::as_bytes(std::span(values)));
      QVERIFY(before == hashOfBytes(std::as_bytes(std::span(values))));
      QCOMPARE(before.text().size(), std::size_t(32));
      values.push_back(0);
      QVERIFY(!(before == hashOfBytes(std::as_bytes(std::span(values)))));
      const ValueHash longer = hashOfBytes(std::as_bytes(std::span(values)));
      values[values.size() / 2] = -1;
      QVERIFY(!(longer == hashOfBytes(std::as_bytes(std::span(values)))));
    }
    const auto two = [](std::string_view a, std::string_view b) {
      return HashBuilder().add(a).add(b).hash();
    };
    QVERIFY(!(two("ab", "c") == two("a", "bc")) && !(two("a", "b") == two("b", "a")));
  }

  void comeBack() {
    const fs::path place = fresh();
    KeptValues first(place, all);
    first.setSubject(keyOf("points"));
    keepNamed(first, "weights");
    KeptValues later(place, all);
    QVERIFY(hasNamed(later, "weights") && !hasNamed(later, "others"));
    QCOMPARE(later.uses().size(), std::size_t(1));
    QVERIFY(later.uses()[0].savedSeconds > 0.5 && later.uses()[0].savedSeconds <= 1);
    QCOMPARE(keptUseText(later.uses()).substr(0, 7), std::string("weights"));
    const std::vector<KeptItem> items = later.list();
    QVERIFY(items.size() == 1 && items[0].what == "weights" && items[0].seconds == 1);
    QCOMPARE(later.listOf(keyOf("points")).size(), std::size_t(1));
    QVERIFY(later.listOf(keyOf("other points")).empty());
    struct stat status {};
    QCOMPARE(::stat(items[0].file.c_str(), &status), 0);
    QCOMPARE(int(status.st_mode & 0777), 0600);
    QCOMPARE(later.clear(), std::size_t(1));
    QVERIFY(later.list().empty());
  }

  void whatWasMadeFastIsNotKept() {
    KeptValues kept(fresh());
    kept.keep<double>("test", "fast", keyOf("fast"), numbers(10, 0), KeptLimits{}.minSeconds / 2);
    QVERIFY(kept.list().empty());
    KeptValues nowhere(fs::path{}, all);
    keepNamed(nowhere, "weights");
    QVERIFY(!hasNamed(nowhere, "weights") && nowhere.list().empty());
    QVERIFY(KeptValues::folderBeside({}).empty());
  }

  void damagedFilesAreRemoved() {
    // A byte of the numbers, one of the line, a lost end, another size, no file at all.
    const fs::path place = fresh();
    KeptValues kept(place, all);
    const auto damage = [&](const std::function<void(const fs::path&)>& change) {
      keepNamed(kept, "weights");
      const fs::path file = kept.list().at(0).file;
      change(file);
      const bool taken = hasNamed(kept, "weights");
      return !taken && !fs::exists(file);
    };
    const auto overwrite = [](std::streamoff at) {
      return [at](const fs::path& file) {
        std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
        out.seekp(at).put('!');
      };
    };
    QVERIFY(damage(overwrite(1500)));
    QVERIFY(damage(overwrite(3)));
    QVERIFY(damage([](const fs::path& file) { fs::resize_file(file, 1100); }));
    QVERIFY(damage([](const fs::path& file) { fs::resize_file(file, 0); }));
    keepNamed(kept, "weights");
    QVERIFY(!hasNamed(kept, "weights", 99));
    keepNamed(kept, "weights");
    QVERIFY(hasNamed(kept, "weights"));
    fs::create_symlink("/dev/zero", place / ("test-" + keyOf("link").text() + ".kept"));
    QVERIFY(!hasNamed(kept, "link"));
  }

  void folderKeepsItsLimit() {
    // 10 of 1824 bytes fit; the one that was used last stays although it is the oldest.
    KeptValues kept(fresh(), {.bytes = 18'500, .minSeconds = 0});
    const auto name = [](int i) { return std::string(std::size_t(i) + 1, 'x'); };
    for (int i = 0; i < 10; ++i) keepNamed(kept, name(i));
    QCOMPARE(kept.list().size(), std::size_t(10));
    const auto hoursAgo = [](int h) { return fs::file_time_type::clock::now() - std::chrono::hours(h); };
    for (const KeptItem& item : kept.list())
      fs::last_write_time(item.file, hoursAgo(1 + int(item.what.size())));
    QVERIFY(hasNamed(kept, name(9)));  // it was used longest ago
    keepNamed(kept, name(10));
    keepNamed(kept, name(11));
    QCOMPARE(kept.list().size(), std::size_t(10));
    QVERIFY(hasNamed(kept, name(9)) && hasNamed(kept, name(11)) && hasNamed(kept, name(0)));
    QVERIFY(!hasNamed(kept, name(8)) && !hasNamed(kept, name(7)));
    std::uint64_t bytes = 0;
    for (const KeptItem& item : kept.list()) bytes += item.bytes;
    QVERIFY(bytes <= 18'500);
    keepNamed(kept, "too large", 5000);
    QVERIFY(!hasNamed(kept, "too large", 5000) && kept.list().size() == 10);
  }

  void processesShareAFolder() {
    // Each writes and reads the same names, and removes what is over the limit, all at once.
    const fs::path place = fresh();
    const KeptLimits limits{.bytes = 12'000, .minSeconds = 0};
    constexpr int processes = 3, rounds = 60, names = 9;
    std::vector<pid_t> children;
    for (int p = 0; p < processes; ++p) {
      const pid_t child = ::fork();
      if (child == 0) {
        KeptValues kept(place, limits);
        bool good = true;
        for (int i = 0; i < rounds; ++i) {
          const std::string name(std::size_t(1 + (i * (p + 1)) % names), 'x');
          std::vector<double> values(100);
          if (kept.take("test", keyOf(name), std::span(values)))
            good = good && values == numbers(100, double(name.size()));
          else
            keepNamed(kept, name);
        }
        ::_exit(good ? 0 : 1);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) {
      int status = 0;
      QVERIFY(::waitpid(child, &status, 0) == child && WIFEXITED(status));
      QCOMPARE(WEXITSTATUS(status), 0);
    }
    KeptValues kept(place, limits);
    QVERIFY(!kept.list().empty());
    for (const KeptItem& item : kept.list()) QVERIFY(hasNamed(kept, item.what));
    keepNamed(kept, "last");
    for (fs::directory_iterator entry(place), end; entry != end; ++entry)
      QVERIFY2(entry->path().extension() == ".kept", entry->path().c_str());
  }

  void scopesNest() {
    QVERIFY(!KeptValues::ofThread());
    KeptValues kept(fresh(), all);
    {
      const KeptValuesScope outer(&kept);
      QCOMPARE(KeptValues::ofThread(), &kept);
      {
        const KeptValuesScope silent(nullptr);
        QVERIFY(!KeptValues::ofThread());
      }
      QCOMPARE(KeptValues::ofThread(), &kept);
    }
    QVERIFY(!KeptValues::ofThread());
  }
};

SPOKELAB_CORE_TEST(TestKeptValues)

}  // namespace test_kept_values

#include "test_kept_values.moc"
