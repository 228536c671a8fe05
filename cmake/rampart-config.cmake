# find_package(rampart) gives rampart::rampart and rampart::predict;
# find_package(rampart COMPONENTS predict) gives rampart::predict alone, and looks for no other
# library than that of the system's threads.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/rampart-predict-targets.cmake)
set(rampart_predict_FOUND TRUE)
if(NOT rampart_FIND_COMPONENTS STREQUAL "predict")
  # A static library leaves its own libraries to whoever links it.
  if("@RAMPART_PARALLEL@" STREQUAL "tbb")
    find_dependency(TBB)
  endif()
  find_dependency(fmt)
  find_dependency(nlohmann_json)
  find_dependency(ZLIB)
  find_dependency(LibLZMA)
  find_dependency(Boost)
  include(${CMAKE_CURRENT_LIST_DIR}/rampart-targets.cmake)
endif()
