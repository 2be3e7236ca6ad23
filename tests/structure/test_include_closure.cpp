// Headers of whole machineries are seen by few sources; the shares are printed.
#include <QtTest>
#include <algorithm>

#include "tests/structure/include_closure.h"
#include "tests/structure/planted.h"
#include "tests/test_main.h"

namespace test_include_closure {

using namespace spokelab::structure;

class TestIncludeClosure : public QObject {
  Q_OBJECT

 private slots:
  void fewSourcesSeeTheMachinery() {
    constexpr double listed = 0.3, percent = 100;
    const auto sources = readSources(SPOKELAB_SOURCE_DIR);
    QVERIFY2(!sources.empty(), "no sources were read");
    const auto shares = seenShares(sources);
    std::vector<std::pair<double, std::string>> most;
    for (const auto& [header, share] : shares)
      if (share >= listed) most.emplace_back(share, header);
    for (const SeenBound& bound : seenBounds()) most.emplace_back(shares.at(bound.header), bound.header);
    std::sort(most.rbegin(), most.rend());
    for (const auto& [share, header] : most) qInfo("%5.1f %% see %s", percent * share, header.c_str());
    const auto messages = checkSeen(sources, seenBounds());
    QVERIFY2(messages.empty(), qPrintable(joined(messages)));
  }

  void aHeaderThatLeaksIsFound() {
    const std::vector<SeenBound> bounds{{"engine/a.h", 0.5}};
    std::vector<Source> sources{planted("engine/a.h", {"engine/b.h"}), planted("engine/b.h", {"engine/a.h"}),
                                planted("engine/one.cpp", {"engine/b.h"}), planted("cuda/two.cu")};
    QCOMPARE(seenShares(sources).at("engine/a.h"), 0.5);
    QVERIFY(checkSeen(sources, bounds).empty());
    sources.push_back(planted("app/three.cpp", {"engine/b.h"}));
    QCOMPARE(joined(checkSeen(sources, bounds)),
             QString("engine/a.h is seen by 66.7 % of the sources, 50.0 % at most; through engine/b.h"));
  }

  void aHeaderThatIsGoneIsFound() {
    QCOMPARE(joined(checkSeen({planted("engine/one.cpp")}, {{"engine/a.h", 1}})),
             QString("engine/a.h is missing"));
  }
};

SPOKELAB_TEST(TestIncludeClosure)

}  // namespace test_include_closure

#include "test_include_closure.moc"
