// libspokelab_dicom.so: DICOM files by DCMTK (OFFIS).
#include "dcmtk/config/osconfig.h"

#include "dcmtk/dcmdata/dcdicent.h"
#include "dcmtk/dcmdata/dcdict.h"
#include "dcmtk/dcmdata/dcrledrg.h"
#include "dcmtk/dcmdata/dctk.h"
#include "dcmtk/dcmjpeg/djdecode.h"
#include "dcmtk/dcmjpls/djdecode.h"
#include "dcmtk/oflog/oflog.h"

#include <cmath>
#include <cstdio>
#include <memory>

#include "engine/core/error.h"
#include "engine/scan/formats/images/dicom/dicom_tags.h"
#include "engine/scan/formats/images/dicom/dicom_tree.h"

namespace spokelab {
namespace {

constexpr int maxDepth = 8;
constexpr std::uint32_t maxTextBytes = 1 << 20, laterBytes = 4096;
const char* const copyAgain = "Copy the file again, or export it again";

void require(const OFCondition& done) {
  if (done.bad()) throw Error("", std::string("DCMTK says: ") + done.text(), copyAgain);
}

// Implicit files name no types: adds those of the read elements if there is no dictionary.
void addToDictionary() {
  struct Known {
    std::uint32_t tag;
    DcmEVR vr;
  };
  using namespace dicom;
  constexpr Known known[] = {{mediaSopClass, EVR_UI},
                             {imageType, EVR_CS},
                             {sopClass, EVR_UI},
                             {sopInstance, EVR_UI},
                             {seriesDescription, EVR_LO},
                             {complexComponent, EVR_CS},
                             {acquisitionType, EVR_CS},
                             {sliceThickness, EVR_DS},
                             {echoTime, EVR_DS},
                             {sliceSpacing, EVR_DS},
                             {triggerTime, EVR_DS},
                             {effectiveEchoTime, EVR_FD},
                             {echoSequence, EVR_SQ},
                             {cardiacSequence, EVR_SQ},
                             {frameTypeSequence, EVR_SQ},
                             {frameType, EVR_CS},
                             {seriesUid, EVR_UI},
                             {seriesNumber, EVR_IS},
                             {imagePosition, EVR_DS},
                             {imageOrientation, EVR_DS},
                             {acquisitionNumber, EVR_IS},
                             {instanceNumber, EVR_IS},
                             {temporalPosition, EVR_IS},
                             {stackId, EVR_SH},
                             {inStackPosition, EVR_UL},
                             {frameContent, EVR_SQ},
                             {planePosition, EVR_SQ},
                             {planeOrientation, EVR_SQ},
                             {temporalIndex, EVR_UL},
                             {triggerDelay, EVR_FD},
                             {frameAcquisition, EVR_US},
                             {temporalSequence, EVR_SQ},
                             {temporalOffset, EVR_FD},
                             {samplesPerPixel, EVR_US},
                             {photometric, EVR_CS},
                             {numberOfFrames, EVR_IS},
                             {rows, EVR_US},
                             {columns, EVR_US},
                             {pixelSpacing, EVR_DS},
                             {bitsAllocated, EVR_US},
                             {bitsStored, EVR_US},
                             {highBit, EVR_US},
                             {pixelRepresentation, EVR_US},
                             {rescaleIntercept, EVR_DS},
                             {rescaleSlope, EVR_DS},
                             {pixelMeasures, EVR_SQ},
                             {valueSequence, EVR_SQ},
                             {sharedGroups, EVR_SQ},
                             {perFrameGroups, EVR_SQ},
                             {pixelData, EVR_px},
                             {0x00020000, EVR_UL},
                             {0x00020001, EVR_OB},
                             {0x00020003, EVR_UI},
                             {0x00020010, EVR_UI},
                             {0x00020012, EVR_UI},
                             {0x00020013, EVR_SH}};
  DcmDataDictionary& dictionary = dcmDataDict.wrlock();
  for (const Known& k : known)
    if (!dictionary.findEntry(DcmTagKey(k.tag >> 16, k.tag & 0xffff), nullptr))
      dictionary.addEntry(new DcmDictEntry(Uint16(k.tag >> 16), Uint16(k.tag & 0xffff), DcmVR(k.vr), "Known",
                                           1, DcmVariableVM, "DICOM", OFFalse, nullptr));
  dcmDataDict.wrunlock();
}

template <class Number>
void append(std::string& text, Number value) {
  constexpr std::size_t longest = 40;
  char one[longest];
  std::snprintf(one, longest, "%.17g", double(value));
  text += (text.empty() ? "" : "\\") + std::string(one);
}

DicomItem treeOf(DcmItem& item, int depth);

void takeElement(DcmElement& element, DicomItem& into, int depth) {
  const DcmTag& tag = element.getTag();
  DicomElement e;
  e.tag = std::uint32_t(tag.getGTag()) << 16 | tag.getETag();
  if (e.tag == dicom::pixelData || element.getLength() > maxTextBytes) return;
  switch (element.ident()) {
    case EVR_SQ: {
      if (depth >= maxDepth) return;
      auto& sequence = static_cast<DcmSequenceOfItems&>(element);
      for (DcmObject* one = sequence.nextInContainer(nullptr); one; one = sequence.nextInContainer(one))
        e.items.push_back(treeOf(static_cast<DcmItem&>(*one), depth + 1));
      e.vr = {'S', 'Q', '\0'};
      break;
    }
    case EVR_US: {
      Uint16 value = 0;
      for (unsigned long i = 0; i < element.getVM() && element.getUint16(value, i).good(); ++i)
        append(e.text, value);
      break;
    }
    case EVR_UL: {
      Uint32 value = 0;
      for (unsigned long i = 0; i < element.getVM() && element.getUint32(value, i).good(); ++i)
        append(e.text, value);
      break;
    }
    case EVR_FD: {
      Float64 value = 0;
      for (unsigned long i = 0; i < element.getVM() && element.getFloat64(value, i).good(); ++i)
        append(e.text, value);
      break;
    }
    case EVR_FL: {
      Float32 value = 0;
      for (unsigned long i = 0; i < element.getVM() && element.getFloat32(value, i).good(); ++i)
        append(e.text, value);
      break;
    }
    case EVR_UN:
    case EVR_UNKNOWN: {  // texts of ours that another program wrote again
      if (e.tag != dicom::privateCreator && e.tag != dicom::ownAxes) return;
      Uint8* bytes = nullptr;
      if (element.getUint8Array(bytes).bad() || !bytes) return;
      e.text.assign(reinterpret_cast<const char*>(bytes), element.getLength());
      break;
    }
    default: {
      OFString text;
      if (!element.isaString() || element.getOFStringArray(text, OFFalse).bad()) return;
      e.text = std::string(text.c_str(), text.size());
    }
  }
  into.elements.push_back(std::move(e));
}

DicomItem treeOf(DcmItem& item, int depth) {
  DicomItem tree;
  for (DcmObject* one = item.nextInContainer(nullptr); one; one = item.nextInContainer(one))
    takeElement(static_cast<DcmElement&>(*one), tree, depth);
  return tree;
}

void putItem(DcmItem& to, const DicomItem& from) {
  for (const DicomElement& e : from.elements) {
    const DcmTag tag(Uint16(e.tag >> 16), Uint16(e.tag & 0xffff), DcmVR(e.vr.data()));
    if (std::string_view(e.vr.data()) != "SQ") {
      if (e.text.empty())
        require(to.insertEmptyElement(tag));
      else
        require(to.putAndInsertString(tag, e.text.c_str()));
      continue;
    }
    auto sequence = std::make_unique<DcmSequenceOfItems>(tag);
    for (const DicomItem& item : e.items) {
      auto one = std::make_unique<DcmItem>();
      putItem(*one, item);
      require(sequence->append(one.get()));
      static_cast<void>(one.release());
    }
    require(to.insert(sequence.get()));
    static_cast<void>(sequence.release());
  }
}

// DCMTK, quiet and with its decoders, until the program ends.
struct Toolkit {
  Toolkit() {
    OFLog::configure(OFLogger::OFF_LOG_LEVEL);
    addToDictionary();
    DcmRLEDecoderRegistration::registerCodecs();
    DJDecoderRegistration::registerCodecs();
    DJLSDecoderRegistration::registerCodecs();
  }
  ~Toolkit() {
    DJLSDecoderRegistration::cleanup();
    DJDecoderRegistration::cleanup();
    DcmRLEDecoderRegistration::cleanup();
  }
  Toolkit(const Toolkit&) = delete;
  Toolkit& operator=(const Toolkit&) = delete;
};

class Module final : public DicomModule {
 public:
  DicomItem read(const std::string& file) override {
    DcmFileFormat format;
    require(format.loadFile(file.c_str(), EXS_Unknown, EGL_noChange, laterBytes));
    DicomItem tree = treeOf(*format.getDataset(), 0);
    OFString media;
    if (format.getMetaInfo()->findAndGetOFString(DCM_MediaStorageSOPClassUID, media).good())
      tree.put(dicom::mediaSopClass, "UI", std::string(media.c_str(), media.size()));
    return tree;
  }

  std::vector<float> pixels(const std::string& file, std::int64_t frame) override {
    open(file);
    const std::uint64_t count = std::uint64_t(columns_) * rows_;
    const auto first = std::uint64_t(frame) * count;
    if (frame < 0 || count == 0 || first + count > values_)
      throw Error("", "it ends before its pixels do", copyAgain);
    std::vector<float> out(count);
    const auto convert = [&](const auto* stored) {
      for (std::uint64_t i = 0; i < count; ++i) out[i] = float(numberOf(std::uint32_t(stored[first + i])));
    };
    if (words_)
      convert(words_);
    else
      convert(bytes_);
    return out;
  }

  void write(const std::string& file, const DicomItem& content, const DicomPixels& pixels) override {
    DcmFileFormat format;
    DcmDataset& dataset = *format.getDataset();
    putItem(dataset, content);
    require(dataset.putAndInsertUint16Array(DcmTag(0x7FE0, 0x0010, DcmVR(EVR_OW)), pixels.words.data(),
                                            static_cast<unsigned long>(pixels.words.size())));
    require(format.saveFile(file.c_str(), EXS_LittleEndianExplicit, EET_ExplicitLength, EGL_recalcGL,
                            EPD_noChange));
  }

 private:
  // The file whose pixels are asked for frame by frame.
  void open(const std::string& file) {
    if (format_ && file == file_) return;
    format_.reset();
    words_ = nullptr;
    bytes_ = nullptr;
    values_ = 0;
    auto format = std::make_unique<DcmFileFormat>();
    require(format->loadFile(file.c_str()));
    DcmDataset& dataset = *format->getDataset();
    Uint16 rows = 0, columns = 0, allocated = 0, stored = 0, high = 0, sign = 0, samples = 1;
    dataset.findAndGetUint16(DCM_Rows, rows);
    dataset.findAndGetUint16(DCM_Columns, columns);
    dataset.findAndGetUint16(DCM_BitsAllocated, allocated);
    dataset.findAndGetUint16(DCM_BitsStored, stored);
    dataset.findAndGetUint16(DCM_HighBit, high);
    dataset.findAndGetUint16(DCM_PixelRepresentation, sign);
    dataset.findAndGetUint16(DCM_SamplesPerPixel, samples);
    if (samples != 1) throw Error("", "its pixels are colours", "Export the images themselves");
    if ((allocated != 8 && allocated != 16) || stored == 0 || stored > allocated || high + 1 < stored ||
        high >= allocated)
      throw Error("",
                  "its pixels have " + std::to_string(stored) + " of " + std::to_string(allocated) +
                      " bits, where 8 or 16 are read",
                  "Export it with 16 bits");
    const OFCondition unpacked = dataset.chooseRepresentation(EXS_LittleEndianExplicit, nullptr);
    if (unpacked.bad())
      throw Error(
          "", std::string("its compressed pixels cannot be unpacked (DCMTK says: ") + unpacked.text() + ")",
          "Export it uncompressed");
    unsigned long count = 0;
    if (allocated == 16) {
      const Uint16* words = nullptr;
      require(dataset.findAndGetUint16Array(DCM_PixelData, words, &count));
      words_ = words;
    } else {
      const Uint8* bytes = nullptr;
      const Uint16* pairs = nullptr;
      if (dataset.findAndGetUint8Array(DCM_PixelData, bytes, &count).bad()) {  // stored as words
        require(dataset.findAndGetUint16Array(DCM_PixelData, pairs, &count));
        bytes = reinterpret_cast<const Uint8*>(pairs);
        count *= 2;
      }
      bytes_ = bytes;
    }
    values_ = words_ || bytes_ ? count : 0;
    rows_ = rows;
    columns_ = columns;
    shift_ = unsigned(high + 1 - stored);
    stored_ = stored;
    isSigned_ = sign == 1;
    format_ = std::move(format);
    file_ = file;
  }

  double numberOf(std::uint32_t word) const {
    const std::uint32_t mask = (std::uint32_t(1) << stored_) - 1, value = (word >> shift_) & mask;
    if (!isSigned_ || !(value >> (stored_ - 1))) return double(value);
    return double(value) - double(mask) - 1;
  }

  Toolkit toolkit_;  // first, as it outlives what it decoded
  std::unique_ptr<DcmFileFormat> format_;
  std::string file_;
  const Uint16* words_ = nullptr;
  const Uint8* bytes_ = nullptr;
  std::uint64_t values_ = 0;
  std::uint32_t rows_ = 0, columns_ = 0;
  unsigned shift_ = 0, stored_ = 16;
  bool isSigned_ = false;
};

}  // namespace
}  // namespace spokelab

spokelab::DicomModule* spokelabDicomModule() {
  static spokelab::Module module;
  return &module;
}
