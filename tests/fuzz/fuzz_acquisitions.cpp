// Any acquisitions behind a sound header text: everything that the reader decides about headers,
// trajectories and samples. HDF5 itself is not in it: the program leaves that to a child process.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "engine/core/error.h"
#include "engine/scan/check/check_scan.h"
#include "engine/scan/read/read_ismrmrd.h"

namespace {

using namespace spokelab;

// Takes numbers from the fuzzer's bytes; zeros at their end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  template <class T>
  T take() {
    T value{};
    const std::size_t n = std::min(sizeof value, size_ - at_);
    std::memcpy(&value, data_ + at_, n);
    at_ += n;
    return value;
  }
  std::size_t left() const { return size_ - at_; }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

std::string headerText(Bytes& bytes) {
  const auto number = [&](const char* tag, int n) {
    return std::string("<") + tag + ">" + std::to_string(n) + "</" + tag + ">";
  };
  const auto space = [&](const char* name) {
    std::string text = std::string("<") + name + "><matrixSize>";
    for (const char* axis : {"x", "y", "z"}) text += number(axis, bytes.take<std::uint8_t>() % 40);
    text += "</matrixSize><fieldOfView_mm>";
    for (const char* axis : {"x", "y", "z"}) text += number(axis, bytes.take<std::uint8_t>());
    return text + "</fieldOfView_mm></" + name + ">";
  };
  std::string text =
      "<ismrmrdHeader "
      "xmlns=\"http://www.ismrm.org/ISMRMRD\"><experimentalConditions><H1resonanceFrequency_Hz>0"
      "</H1resonanceFrequency_Hz></experimentalConditions>";
  const int encodings = 1 + bytes.take<std::uint8_t>() % 2;
  for (int e = 0; e < encodings; ++e)
    text += "<encoding>" + space("encodedSpace") + space("reconSpace") +
            "<encodingLimits></encodingLimits><trajectory>other</trajectory></encoding>";
  return text + "</ismrmrdHeader>";
}

class MemorySource final : public AcquisitionSource {
 public:
  explicit MemorySource(Bytes bytes) : bytes_(bytes) {
    xml_ = headerText(bytes_);
    constexpr std::size_t mostAcquisitions = 24;
    constexpr int mostSamples = 32, mostChannels = 3;
    const std::size_t count = bytes_.take<std::uint8_t>() % mostAcquisitions;
    for (std::size_t i = 0; i < count; ++i) {
      AcquisitionHead head{};
      const auto shape = bytes_.take<std::uint8_t>();
      if (shape & 1) {
        head = bytes_.take<AcquisitionHead>();  // anything at all
      } else {
        head.flags = bytes_.take<std::uint32_t>();
        head.read_dir[0] = head.phase_dir[1] = head.slice_dir[2] = 1;
        head.idx.repetition = bytes_.take<std::uint8_t>() % 3;
        head.idx.slice = bytes_.take<std::uint8_t>() % 3;
        head.idx.kspace_encode_step_2 = bytes_.take<std::uint8_t>() % 4;
        head.discard_pre = bytes_.take<std::uint8_t>();
        head.sample_time_us = 4;
      }
      head.number_of_samples = std::uint16_t(bytes_.take<std::uint8_t>() % mostSamples);
      head.active_channels = std::uint16_t(bytes_.take<std::uint8_t>() % (mostChannels + 1));
      head.trajectory_dimensions = std::uint16_t(shape & 2 ? 2 : bytes_.take<std::uint8_t>() % 6);
      heads_.push_back(head);
    }
  }
  const std::string& xml() const override { return xml_; }
  const std::vector<AcquisitionHead>& heads() const override { return heads_; }
  std::map<std::string, std::string> overrides() {
    static const std::vector<std::pair<const char*, const char*>> some = {
        {"axes", "yx"},       {"fov-shift", "position"}, {"fov-shift", "3,-4"},
        {"frames", "merge"},  {"oversampling", "keep"},  {"k-unit", "1/m"},
        {"reversed", "flip"}, {"third-dimension", "kz"}, {"read-frames", "0"},
        {"matrix", "16x16"},  {"discard", "ignore"},     {"third-dimension", "density-weight"}};
    std::map<std::string, std::string> chosen;
    const auto which = bytes_.take<std::uint16_t>();
    for (std::size_t i = 0; i < some.size(); ++i)
      if ((which >> i) & 1 && (which & 0xf000) == 0xf000) chosen[some[i].first] = some[i].second;
    return chosen;
  }

  void read(AcquisitionMember member, const std::vector<std::int64_t>& wanted, const std::string&,
            const Progress&, const Use& use) override {
    std::vector<float> values;
    for (std::size_t p = 0; p < wanted.size(); ++p) {
      values.assign(std::size_t(floatsOf(heads_.at(std::size_t(wanted[p])), member)), 0);
      for (float& v : values) {
        // mostly plain numbers; now and then any bits
        const auto small = bytes_.take<std::int8_t>();
        v = small == -128 ? bytes_.take<float>() : float(small) / 8;
      }
      use(p, values.data());
    }
  }

 private:
  Bytes bytes_;
  std::string xml_;
  std::vector<AcquisitionHead> heads_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    MemorySource source(Bytes(data, size));
    ReadOptions options;
    options.overrides = source.overrides();
    Decisions decisions(options, "Cannot read the fuzzer's bytes");
    const auto scan = readAcquisitions(source, "fuzz.h5", decisions, Progress());
    validate(*scan);
    (void)checkScan(*scan, Progress());
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
