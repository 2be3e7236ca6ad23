// The elements of DICOM that are read or written, by the standard's names (part 6).
#pragma once

#include <cstdint>

namespace spokelab::dicom {

// clang-format off
inline constexpr std::uint32_t
    mediaSopClass = 0x00020002, characterSet = 0x00080005, imageType = 0x00080008, instanceDate = 0x00080012,
    instanceTime = 0x00080013, sopClass = 0x00080016, sopInstance = 0x00080018, studyDate = 0x00080020,
    contentDate = 0x00080023, studyTime = 0x00080030, contentTime = 0x00080033, accession = 0x00080050,
    modality = 0x00080060, manufacturer = 0x00080070, referringPhysician = 0x00080090,
    seriesDescription = 0x0008103E, modelName = 0x00081090, pixelPresentation = 0x00089205,
    volumetric = 0x00089206, volumeTechnique = 0x00089207, complexComponent = 0x00089208,
    acquisitionContrast = 0x00089209, patientName = 0x00100010, patientId = 0x00100020,
    patientBirthDate = 0x00100030, patientSex = 0x00100040, patientWeight = 0x00101030,
    scanningSequence = 0x00180020, sequenceVariant = 0x00180021, scanOptions = 0x00180022,
    acquisitionType = 0x00180023, sliceThickness = 0x00180050, repetitionTime = 0x00180080,
    echoTime = 0x00180081, echoNumbers = 0x00180086, sliceSpacing = 0x00180088, echoTrain = 0x00180091,
    deviceSerial = 0x00181000, softwareVersions = 0x00181020, triggerTime = 0x00181060,
    patientPosition = 0x00185100, effectiveEchoTime = 0x00189082, echoSequence = 0x00189114,
    cardiacSequence = 0x00189118, frameTypeSequence = 0x00189226, frameType = 0x00089007,
    studyUid = 0x0020000D, seriesUid = 0x0020000E, studyId = 0x00200010, seriesNumber = 0x00200011,
    acquisitionNumber = 0x00200012, instanceNumber = 0x00200013, imagePosition = 0x00200032,
    imageOrientation = 0x00200037, frameOfReference = 0x00200052, temporalPosition = 0x00200100,
    temporalPositions = 0x00200105, positionReference = 0x00201040, imageComments = 0x00204000,
    stackId = 0x00209056, inStackPosition = 0x00209057, frameContent = 0x00209111,
    planePosition = 0x00209113, planeOrientation = 0x00209116, temporalIndex = 0x00209128,
    triggerDelay = 0x00209153, frameAcquisition = 0x00209156, dimensionValues = 0x00209157,
    frameComments = 0x00209158, dimensionUid = 0x00209164, dimensionPointer = 0x00209165,
    groupPointer = 0x00209167, dimensionOrganization = 0x00209221, dimensionIndex = 0x00209222,
    temporalSequence = 0x00209310, temporalOffset = 0x0020930D, dimensionLabel = 0x00209421,
    samplesPerPixel = 0x00280002, photometric = 0x00280004, numberOfFrames = 0x00280008, rows = 0x00280010,
    columns = 0x00280011, pixelSpacing = 0x00280030, bitsAllocated = 0x00280100, bitsStored = 0x00280101,
    highBit = 0x00280102, pixelRepresentation = 0x00280103, burnedIn = 0x00280301,
    windowCenter = 0x00281050, windowWidth = 0x00281051, rescaleIntercept = 0x00281052,
    rescaleSlope = 0x00281053, rescaleType = 0x00281054, lossy = 0x00282110, pixelMeasures = 0x00289110,
    voiSequence = 0x00289132, valueSequence = 0x00289145, privateCreator = 0x00290010,
    ownAxes = 0x00291001, lutShape = 0x20500020, sharedGroups = 0x52009229, perFrameGroups = 0x52009230,
    pixelData = 0x7FE00010;
// clang-format on

inline constexpr const char* classicMr = "1.2.840.10008.5.1.4.1.1.4";
inline constexpr const char* enhancedMr = "1.2.840.10008.5.1.4.1.1.4.1";
inline constexpr const char* mediaDirectory = "1.2.840.10008.1.3.10";
inline constexpr const char* ownCreator = "SPOKELAB";

}  // namespace spokelab::dicom
