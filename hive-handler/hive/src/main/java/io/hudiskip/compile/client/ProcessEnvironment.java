// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The environment of the processes that this package starts. HiveServer2's own may name or contain
 * credentials: ticket caches, keystore passwords, keys of object stores. The compiler opens nothing
 * that needs them, so it gets only what programs and Python need to start.
 */
final class ProcessEnvironment {

  /** A trailing star makes it a prefix. */
  private static final List<String> PASSED_ON =
      Collections.unmodifiableList(
          Arrays.asList(
              "PATH",
              "HOME",
              "USER",
              "LOGNAME",
              "SHELL",
              "LANG",
              "LANGUAGE",
              "LC_*",
              "TZ",
              "TMPDIR",
              "LD_LIBRARY_PATH",
              "PYTHON*",
              "VIRTUAL_ENV",
              "CONDA_PREFIX",
              "HUDI_SKIP_*"));

  private ProcessEnvironment() {}

  /** A builder of a process whose environment has no other variables. */
  static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> !isPassedOn(name));
    return builder;
  }

  /** Whether processes get the variable of this name. */
  static boolean isPassedOn(String name) {
    return PASSED_ON.stream()
        .anyMatch(
            known ->
                known.endsWith("*")
                    ? name.startsWith(known.substring(0, known.length() - 1))
                    : name.equals(known));
  }
}
