# install_packages(WHAT FOLDER WHY): npm's packages of the HTML pages, in a folder of the build; WHY tells
# what went wrong, and is empty if they are there. A file that is newer but the same does not count, so that
# only a change needs the network.
function(install_packages what folder why)
  set(state "${what}")
  foreach(name package.json package-lock.json .npmrc)
    file(SHA256 ${CMAKE_CURRENT_SOURCE_DIR}/${name} hash)
    string(APPEND state " ${hash}")
  endforeach()
  set(${why} "" PARENT_SCOPE)
  if(EXISTS ${folder}/installed AND EXISTS ${folder}/node_modules)
    file(READ ${folder}/installed before)
    if(before STREQUAL state)
      return()
    endif()
  endif()
  message(STATUS "Fetching what the HTML pages are made of")
  file(COPY package.json package-lock.json .npmrc DESTINATION ${folder})
  # A network that swallows everything must not hold up a build for long that can do without.
  execute_process(COMMAND ${RAMPART_NPM} ${what} --prefer-offline --loglevel=error
                          --fetch-timeout=60000 --fetch-retries=2 --fetch-retry-mintimeout=2000
                  WORKING_DIRECTORY ${folder} RESULT_VARIABLE code TIMEOUT 300
                  OUTPUT_VARIABLE log ERROR_VARIABLE log)
  file(WRITE ${folder}/npm.log "${log}")
  if(NOT code EQUAL 0)
    if(NOT code MATCHES "^[0-9]+$")
      string(PREPEND log "${code}\n")  # no code, but why it ended
    endif()
    reason_in("${log}" reason)
    set(${why} "${reason}" PARENT_SCOPE)
    return()
  endif()
  file(WRITE ${folder}/installed "${state}")
endfunction()
