# spokelab_glob(VARIABLE pattern…): the files that match here and in all folders below, sorted; new files are
# noticed at the next build.
function(spokelab_glob variable)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARGN})
  list(SORT sources)
  set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

# spokelab_has_source(VARIABLE file…): true if one of the files is a C++ or CUDA source (a folder that only
# has headers, or nothing yet, gets no target).
function(spokelab_has_source variable)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.(cpp|cu)$")
  if(sources)
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()
