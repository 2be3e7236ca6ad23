// Who was measured: nothing of it is written unless it is asked for.
#include <QtTest>

#include "engine/core/document.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/formats/patient/patient.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_patient {

using namespace spokelab;
namespace fs = std::filesystem;

namespace {

const char* const subject =
    "<subjectInformation><patientName>Doe^Jane</patientName><patientWeight_kg>61.5</patientWeight_kg>"
    "<patientID>ID-4711</patientID><patientBirthdate>1970-01-31</patientBirthdate>"
    "<patientGender>F</patientGender></subjectInformation>";

// Without runs of digits and dots as long as DICOM's unique identifiers: their digits are random.
std::string withoutIdentifiers(const std::string& bytes) {
  constexpr std::size_t shortest = 20;
  std::string rest, run;
  const auto keepShort = [&] {
    if (run.size() < shortest) rest += run;
    run.clear();
  };
  for (const char c : bytes)
    if ((c >= '0' && c <= '9') || c == '.') {
      run += c;
    } else {
      keepShort();
      rest += c;
    }
  keepShort();
  return rest;
}

}  // namespace

class TestPatient : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  std::shared_ptr<const Scan> scan_;
  std::shared_ptr<const Image> image_;

  std::string written(const char* name, const Patient& patient) const {
    const fs::path file = folder_.filePath(QString::fromUtf8(name)).toStdString();
    WriteOptions options;
    options.patient = patient;
    writeImage(*image_, file, options, {});
    std::string bytes = readDocument(file);
    if (fs::exists(file.string() + ".json")) bytes += readDocument(file.string() + ".json");
    return bytes;
  }

 private slots:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    SimulateOptions o;
    o.trajectory.matrix = {16, 16, 1};
    o.trajectory.shots = 4;
    o.coils = 1;
    const auto made = simulate(o, {});
    std::string header = test::headerText(test::spaceOf(*made), test::spaceOf(*made));
    const std::size_t at = header.find('>', header.find("<ismrmrdHeader")) + 1;
    header.insert(at, subject);
    const fs::path file = folder_.filePath("scan.h5").toStdString();
    test::writeVariant(file, header, test::acquisitionsOf(*made));
    scan_ = readScan(file, {}, {});
    auto image = makeImage(*scan_, 1, {0});
    std::fill(image->data.begin(), image->data.end(), cfloat(1, 0));
    image_ = image;
  }

  void theHeaderIsUnderstood() {
    const Patient patient = patientIn(scan_->header);
    QCOMPARE(patient.name, std::string("Doe^Jane"));
    QCOMPARE(patient.id, std::string("ID-4711"));
    QCOMPARE(patient.birthDate, std::string("1970-01-31"));
    QCOMPARE(patient.sex, std::string("F"));
    QCOMPARE(patient.weightKg, 61.5);
    QVERIFY(patientIn("{}").empty() && patientIn("").empty() && patientIn("<a></a>").empty());
  }

  void nothingIsWrittenUnasked() {
    for (const char* const name : {"a.nii", "a.h5", "a.dcm", "a.npy", "a.cfl", "a.png"}) {
      const std::string bytes = withoutIdentifiers(written(name, {}));
      for (const char* const secret : {"Doe", "4711", "1970", "61.5"})
        QVERIFY2(bytes.find(secret) == std::string::npos, name);
    }
    const fs::path again = folder_.filePath("again.h5").toStdString();
    writeScan(*scan_, again, {});
    QVERIFY(readDocument(again).find("Doe") == std::string::npos);
  }

  void askedForItIsKept() {
    for (const char* const name : {"b.nii", "b.h5", "b.dcm"}) {
      const std::string bytes = written(name, patientIn(scan_->header));
      for (const char* const kept : {"Doe^Jane", "ID-4711", "61.5"})
        QVERIFY2(bytes.find(kept) != std::string::npos, name);
    }
    QVERIFY(written("b.dcm", patientIn(scan_->header)).find("19700131") != std::string::npos);
  }
};

SPOKELAB_TEST(TestPatient)

}  // namespace test_patient

#include "test_patient.moc"
