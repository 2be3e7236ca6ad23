// The engine inside a program whose numbers have a decimal comma: files are read and written as
// ever.
#include <QtTest>

#include <clocale>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/header/mrd_header.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/comma_locale.h"
#include "tests/test_main.h"

using namespace spokelab;

class TestCommaLocale : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (!test::takeCommaLocale())
      QSKIP("no locale with a decimal comma can be made: install the package locales");
    QCOMPARE(std::strtod("220,5", nullptr), 220.5);  // the C library's functions follow it
  }
  void cleanupTestCase() { std::setlocale(LC_ALL, "C"); }

  void aScanKeepsItsGeometry() {
    SimulateOptions options;
    options.trajectory.matrix = {32, 32, 1};
    Scan scan = *simulate(options, {});
    scan.geometry.fov = {220.5, 180.25, 2.5};
    const QTemporaryDir folder;
    const std::string file = folder.filePath("scan.h5").toStdString();
    writeScan(scan, file, {});
    const auto read = readScan(file, {}, {});
    QVERIFY2(read->header.find("220.5") != std::string::npos, read->header.c_str());
    for (std::size_t d = 0; d < 3; ++d) QCOMPARE(read->geometry.fov[d], scan.geometry.fov[d]);
    QCOMPARE(std::string(std::setlocale(LC_NUMERIC, nullptr)).substr(0, 2), std::string("de"));
  }

  void aHeadersFractionsAreRead() {
    const std::string space =
        "<matrixSize><x>64</x><y>64</y><z>1</z></matrixSize>"
        "<fieldOfView_mm><x>220.5</x><y>220.5</y><z>2.5</z></fieldOfView_mm>";
    const std::string xml =
        "<?xml version=\"1.0\"?><ismrmrdHeader xmlns=\"http://www.ismrm.org/ISMRMRD\">"
        "<experimentalConditions><H1resonanceFrequency_Hz>63500000</H1resonanceFrequency_Hz>"
        "</experimentalConditions><encoding><encodedSpace>" +
        space + "</encodedSpace><reconSpace>" + space +
        "</reconSpace><encodingLimits></encodingLimits><trajectory>radial</trajectory></encoding>"
        "</ismrmrdHeader>";
    const MrdHeader header = parseMrdHeader(xml, "Cannot read it");
    QCOMPARE(header.encodings.front().recon.fov[0], 220.5);
    QCOMPARE(header.encodings.front().recon.fov[2], 2.5);
  }

  void textsHavePoints() {
    QCOMPARE(numberText(0.00308), std::string("0.00308"));
    QCOMPARE(exactNumberText(220.5), std::string("220.5"));
    QCOMPARE(leadingNumber(" 2593.906 MHz"), 2593.906);
    QCOMPARE(parseDocument("[220.5]", "", "")[0].get<double>(), 220.5);
    QCOMPARE(parseDocument("[220.5]", "", "").dump(), std::string("[220.5]"));
  }
};

SPOKELAB_TEST(TestCommaLocale)
#include "test_comma_locale.moc"
