#include "engine/scan/formats/acquisitions/bruker/bruker_acquisitions.h"

#include <ismrmrd/xml.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <sstream>

#include "engine/core/array.h"
#include "engine/core/c_locale.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/hdf5/hdf5_arena.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path& file) {
  constexpr std::uint64_t maxBytes = 64u << 20;
  const FileBytes bytes(file, copyBrukerAgain);
  if (bytes.size() > maxBytes)
    bytes.fail("it has " + bytesText(double(bytes.size())) + ", as no parameters have");
  std::string text(bytes.size(), '\0');
  bytes.read(0, text);
  return text;
}

BrukerFiles parametersBeside(const fs::path& data) {
  const auto read = [&](const char* name) {
    const fs::path file = data.parent_path() / name;
    return BrukerParameters(textOf(file), "Cannot read " + file.string());
  };
  return {read("acqp"), read("method")};
}

bool hasTrajectory(const fs::path& data) {
  std::error_code failed;
  return fs::is_regular_file(data.parent_path() / "traj", failed);
}

template <class Integer>
Integer loaded(const char* from, bool bigEndian) {
  Integer value;
  if (!bigEndian) {
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  char turned[sizeof value];
  std::reverse_copy(from, from + sizeof value, turned);
  std::memcpy(&value, turned, sizeof value);
  return value;
}

std::uint16_t sizeOf(double value) {
  constexpr double most = 65535;
  return std::uint16_t(std::lround(std::clamp(value, 0.0, most)));
}

}  // namespace

BrukerAcquisitions::BrukerAcquisitions(const fs::path& data)
    : bytes_(data, copyBrukerAgain),
      files_(parametersBeside(data)),
      layout_(brukerLayout(files_, data, hasTrajectory(data), "Cannot read " + data.string())) {
  const std::int64_t promised = layout_.readouts();
  count_ = std::min(promised, std::int64_t(bytes_.size() / layout_.blockBytes));
  if (count_ == 0)
    bytes_.fail("it holds no readout: " + bytesText(double(bytes_.size())) + ", and a readout has " +
                bytesText(double(layout_.blockBytes)));
  if (count_ < promised)
    remarks_.push_back("The file holds " + std::to_string(count_) + " of " + std::to_string(promised) +
                       " readouts, as after an interrupted scan or an incomplete copy");
  else if (layout_.stored > 0 && layout_.stored != promised)
    remarks_.push_back("ACQ_jobs says that " + std::to_string(layout_.stored) +
                       " readouts are stored, and the loops of acqp count " + std::to_string(promised));
  if (!layout_.cartesian) readTrajectory(data.parent_path() / "traj");
  makeHeader();
}

// The points of all readouts; or, of a stack, of one partition, in two or three columns.
void BrukerAcquisitions::readTrajectory(const fs::path& file) {
  const FileBytes bytes(file, copyBrukerAgain);
  const std::uint64_t numbers = bytes.size() / sizeof(double);
  struct Form {
    std::int64_t shots;
    int columns;
  };
  std::vector<Form> forms{{layout_.lines(), layout_.dims}};
  if (layout_.partitions > 1) forms = {{layout_.shots(), 3}, {layout_.shots(), 2}, {layout_.lines(), 3}};
  const auto samplesOf = [&](const Form& f) {
    const auto perSample = std::uint64_t(f.shots) * std::uint64_t(f.columns);
    return numbers % perSample == 0 ? std::int64_t(numbers / perSample) : 0;
  };
  const auto fits = [&](const Form& f) { return samplesOf(f) == layout_.samples; };
  auto form = std::find_if(forms.begin(), forms.end(), fits);
  if (form == forms.end())
    form = std::find_if(forms.begin(), forms.end(), [&](const Form& f) { return samplesOf(f) > 0; });
  if (form == forms.end())
    bytes.fail("it holds " + std::to_string(numbers) + " numbers, which are not " +
               std::to_string(forms.front().shots) + " shots in " + std::to_string(layout_.dims) +
               " dimensions");
  trajectoryShots_ = form->shots;
  trajectoryColumns_ = form->columns;
  columns_ = layout_.partitions > 1 && form->shots < layout_.lines() ? 2 : layout_.dims;
  trajectorySamples_ = samplesOf(*form);
  if (2 * trajectorySamples_ < layout_.samples)
    bytes.fail("it holds " + countText(trajectorySamples_, "point") + " a shot, and readouts have " +
               countText(layout_.samples, "sample"));
  trajectory_.resize(numbers);
  bytes.read(0, {reinterpret_cast<char*>(trajectory_.data()), numbers * sizeof(double)});
  if (trajectorySamples_ != layout_.samples)
    remarks_.push_back("The trajectory has " + std::to_string(trajectorySamples_) +
                       " points a shot, and readouts " + std::to_string(layout_.samples) +
                       " samples: what is longer is cut at its end");
}

void BrukerAcquisitions::makeHeader() {
  const BrukerParameters &acqp = files_.acqp, &method = files_.method;
  constexpr double hertzPerMegahertz = 1e6;
  ISMRMRD::IsmrmrdHeader h;
  ISMRMRD::AcquisitionSystemInformation system;
  system.systemVendor = std::string("Bruker");
  if (const std::string station = acqp.word("ACQ_station"); !station.empty()) system.systemModel = station;
  system.receiverChannels = static_cast<unsigned short>(layout_.receivers);
  h.acquisitionSystemInformation = system;
  ISMRMRD::MeasurementInformation measurement;
  measurement.protocolName = acqp.word("ACQ_protocol_name");
  h.measurementInformation = measurement;
  const double megahertz = acqp.number("BF1").value_or(0);
  h.experimentalConditions.H1resonanceFrequency_Hz =
      megahertz > 0 && megahertz < hertzPerMegahertz ? long(megahertz * hertzPerMegahertz) : 0;

  ISMRMRD::Encoding e{};
  const bool volume = layout_.dims == 3;
  const auto sizes = [&](const char* name, const char* other) {
    const char* const list = method.has(name) ? name : other;
    return ISMRMRD::MatrixSize(sizeOf(double(method.count(list, 0, 1))),
                               sizeOf(double(method.count(list, 1, 1))),
                               volume ? sizeOf(double(method.count(list, 2, 1))) : std::uint16_t(1));
  };
  const auto length = [&](std::size_t axis) {
    const double mm = method.number("PVM_Fov", axis).value_or(0);
    return float(mm > 0 ? mm : 0);
  };
  const float thickness = float(std::max(0.0, method.number("PVM_SliceThick").value_or(0)));
  e.reconSpace.matrixSize = sizes("PVM_Matrix", "PVM_EncMatrix");
  e.reconSpace.fieldOfView_mm = {length(0), length(1), volume ? length(2) : thickness};
  e.encodedSpace = e.reconSpace;
  e.trajectory = ISMRMRD::TrajectoryType::CARTESIAN;
  const auto limit = [](std::int64_t count) {
    return ISMRMRD::Limit(0, sizeOf(double(count - 1)), sizeOf(double(count / 2)));
  };
  const std::int64_t lines =
      layout_.cartesian ? method.count("PVM_EncMatrix", 1, layout_.lines()) : layout_.shots();
  if (layout_.cartesian) {
    e.encodedSpace.matrixSize = sizes("PVM_EncMatrix", "PVM_Matrix");
    e.encodedSpace.matrixSize.x = sizeOf(double(layout_.samples));
    const auto widened = [&](std::size_t axis) {
      constexpr double most = 32;
      return float(std::clamp(method.number("PVM_AntiAlias", axis).value_or(1), 1.0, most));
    };
    auto& fov = e.encodedSpace.fieldOfView_mm;
    fov = {fov.x * widened(0), fov.y * widened(1), fov.z * (volume ? widened(2) : 1)};
    if (volume) e.encodingLimits.kspace_encoding_step_2 = limit(method.count("PVM_EncMatrix", 2, 1));
  } else {
    e.trajectory = layout_.spiral ? ISMRMRD::TrajectoryType::SPIRAL : ISMRMRD::TrajectoryType::RADIAL;
    if (layout_.partitions > 1) e.encodingLimits.kspace_encoding_step_2 = limit(layout_.partitions);
  }
  e.encodingLimits.kspace_encoding_step_1 = limit(lines);
  h.encoding.push_back(e);

  ISMRMRD::SequenceParameters sequence;
  const auto times = [&](const char* name, std::int64_t count) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
      if (const auto ms = method.number(name, std::size_t(i)); ms && *ms > 0) values.push_back(float(*ms));
    return values;
  };
  if (const auto tr = times("PVM_RepetitionTime", 1); !tr.empty()) sequence.TR = tr;
  auto te = times("EffectiveTE", layout_.echoes);
  if (te.empty()) te = times("PVM_EchoTime", 1);
  if (!te.empty()) sequence.TE = te;
  if (const auto angle = acqp.number("ACQ_flip_angle"); angle && *angle > 0)
    sequence.flipAngle_deg = std::vector<float>{float(*angle)};
  h.sequenceParameters = sequence;
  ISMRMRD::UserParameters user;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) user.userParameterString.push_back({name, value});
  };
  add("sequence", acqp.word("PULPROG"));
  add("software", acqp.word("ACQ_sw_version"));
  add("nucleus", acqp.word("NUCLEUS"));
  if (megahertz > 0) user.userParameterDouble.push_back({"frequency_Hz", megahertz * hertzPerMegahertz});
  h.userParameters = user;
  std::ostringstream text;
  const CLocale decimalPoints;
  ISMRMRD::serialize(h, text);
  xml_ = text.str();
}

// ACQ_grad_matrix [slice][read, phase, slice][x, y, z]; offsets in mm along them.
void BrukerAcquisitions::placeSlice(AcquisitionHead& head, std::int64_t slice) const {
  constexpr double tolerance = 1e-2;
  constexpr std::size_t axes = 3;
  std::array<std::array<double, axes>, axes> rows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  bool unit = true;
  for (std::size_t row = 0; row < axes; ++row) {
    std::array<double, axes> read{};
    double squares = 0;
    for (std::size_t d = 0; d < axes; ++d) {
      read[d] = files_.acqp.number("ACQ_grad_matrix", std::size_t(slice) * axes * axes + row * axes + d)
                    .value_or(0);
      squares += read[d] * read[d];
    }
    unit = unit && std::abs(squares - 1) < tolerance;
    rows[row] = read;
  }
  if (!unit) rows = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const std::array<const char*, axes> names{"ACQ_read_offset", "ACQ_phase1_offset", "ACQ_slice_offset"};
  for (std::size_t row = 0; row < axes; ++row) {
    const double offset = files_.acqp.number(names[row], std::size_t(slice)).value_or(0);
    for (std::size_t d = 0; d < axes; ++d) head.position[d] += float(offset * rows[row][d]);
  }
  for (std::size_t d = 0; d < axes; ++d) {
    head.read_dir[d] = float(rows[0][d]);
    head.phase_dir[d] = float(rows[1][d]);
    head.slice_dir[d] = float(rows[2][d]);
  }
}

AcquisitionHead BrukerAcquisitions::headOf(std::int64_t readout) const {
  constexpr double microsecondsPerSecond = 1e6;
  const BrukerLayout::Place place = layout_.placeOf(readout);
  const BrukerParameters& method = files_.method;
  AcquisitionHead head{};
  head.version = 1;
  head.scan_counter = std::uint32_t(readout + 1);
  head.number_of_samples = std::uint16_t(layout_.samples);
  head.available_channels = head.active_channels = std::uint16_t(layout_.receivers);
  const double bandwidth = method.number("PVM_EffSWh").value_or(0);
  head.sample_time_us = bandwidth > 0 ? float(microsecondsPerSecond / bandwidth) : 0;
  const auto order = files_.acqp.number("ACQ_obj_order", std::size_t(place.object));
  const bool sorted = order && *order >= 0 && *order < double(layout_.objects);
  const std::int64_t object = sorted ? std::int64_t(*order) : place.object;
  head.idx.slice = sizeOf(double(object / layout_.echoes));
  head.idx.contrast = sizeOf(double(object % layout_.echoes));
  head.idx.repetition = sizeOf(double(place.repetition));
  placeSlice(head, object / layout_.echoes);
  const auto step = [&](const char* name, std::int64_t at, std::int64_t count) {
    const auto given = method.number(name, std::size_t(at));
    return sizeOf(given ? *given + double(count / 2) : double(at));
  };
  if (!layout_.cartesian) {
    head.trajectory_dimensions = std::uint16_t(columns_);
    head.idx.kspace_encode_step_1 = sizeOf(double(place.line % layout_.shots()));
    if (layout_.partitions > 1)
      head.idx.kspace_encode_step_2 = step("PVM_EncSteps2", place.line / layout_.shots(), layout_.partitions);
    if (trajectorySamples_ < layout_.samples)
      head.discard_post = std::uint16_t(layout_.samples - trajectorySamples_);
    return head;
  }
  head.center_sample = std::uint16_t(layout_.samples / 2);
  const std::int64_t first = layout_.dims == 3
                                 ? files_.acqp.count("ACQ_size", 1, method.count("PVM_EncMatrix", 1, 1))
                                 : layout_.lines();
  head.idx.kspace_encode_step_1 =
      step("PVM_EncSteps1", place.line % first, method.count("PVM_EncMatrix", 1, first));
  if (layout_.dims == 3)
    head.idx.kspace_encode_step_2 =
        step("PVM_EncSteps2", place.line / first, method.count("PVM_EncMatrix", 2, layout_.lines() / first));
  return head;
}

void BrukerAcquisitions::readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = headOf(begin + std::int64_t(i));
}

void BrukerAcquisitions::readArray(const std::string& name, std::vector<char>&) const {
  bytes_.fail("it holds no array " + name);
}

// [channel, sample] pairs, as they lie in the file.
void BrukerAcquisitions::takeSamples(std::int64_t readout, std::vector<char>& bytes, float* values) const {
  const std::size_t numbers = std::size_t(layout_.receivers) * std::size_t(layout_.samples) * 2;
  const auto size = std::size_t(layout_.valueBytes());
  bytes.resize(numbers * size);
  bytes_.read(std::uint64_t(readout) * layout_.blockBytes, bytes);
  const auto convert = [&]<class Number>(Number) {
    for (std::size_t i = 0; i < numbers; ++i)
      values[i] = float(loaded<Number>(bytes.data() + i * size, layout_.bigEndian));
  };
  switch (layout_.number) {
    case BrukerNumber::int16:
      return convert(std::int16_t{});
    case BrukerNumber::int32:
      return convert(std::int32_t{});
    case BrukerNumber::float32:
      return convert(float{});
    case BrukerNumber::float64:
      return convert(double{});
  }
}

void BrukerAcquisitions::read(AcquisitionMember member, std::int64_t begin,
                              const std::vector<AcquisitionHead>& heads, std::span<char> place,
                              const Use& use) const {
  Buffer<float> own;
  float* values = roomIn(place, member, heads, own);
  std::vector<char> bytes;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::int64_t readout = begin + std::int64_t(i);
    const AcquisitionHead head = headOf(readout);
    // The parent sends the heads back; they must match the file.
    if (floatsOf(head, member) != floatsOf(heads[i], member))
      bytes_.fail("its readouts changed while it was read");
    if (member == AcquisitionMember::data) {
      takeSamples(readout, bytes, values);
    } else if (!layout_.cartesian) {
      const std::int64_t shot = layout_.placeOf(readout).line % trajectoryShots_;
      const double* const points = trajectory_.data() + shot * trajectorySamples_ * trajectoryColumns_;
      for (std::int64_t s = 0; s < layout_.samples; ++s) {  // behind its end: discarded
        const double* const point = points + std::min(s, trajectorySamples_ - 1) * trajectoryColumns_;
        std::transform(point, point + columns_, values + s * columns_, [](double k) { return float(k); });
      }
    }
    use(i, values);
    values += floatsOf(head, member);
  }
}

}  // namespace spokelab
