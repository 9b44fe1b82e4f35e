// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.hive.settings.SkippingConf;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.annotation.Nullable;

/** The Python programs on this process's {@code PATH}. */
final class PythonPrograms {
  /** The last one is of any version, perhaps a newer one. */
  static final List<String> NAMES =
      Collections.unmodifiableList(
          Arrays.asList("python3.13", "python3.12", "python3.11", "python3.10", "python3"));

  private static final String IS_OLD = "import sys; sys.exit(sys.version_info < (3, 10))";
  private static final long PROBE_MILLIS = 5_000;

  private PythonPrograms() {}

  /**
   * The first one that is Python 3.10 or later.
   *
   * @throws CompilerUnavailableException when there is none; its message says what was found
   */
  static String find() throws CompilerUnavailableException {
    return find(NAMES);
  }

  /** The first of these programs that is Python 3.10 or later. */
  static String find(List<String> programs) throws CompilerUnavailableException {
    List<String> unsuitable = new ArrayList<>();
    for (String program : programs) {
      String problem = problem(program);
      if (problem == null) {
        return program;
      }
      unsuitable.add(program + " " + problem);
    }
    throw new CompilerUnavailableException(
        Reason.NOT_INSTALLED,
        String.format(
            "the predicate compiler needs Python 3.10 or later on the PATH of this process (%s)."
                + " Install it on this host, or set %s to the command hudi-skip of the Python"
                + " package, or %s to a running compiler",
            String.join(", ", unsuitable),
            SkippingConf.COMPILER_COMMAND,
            SkippingConf.COMPILER_ADDRESS),
        null);
  }

  /** Why a program cannot be used, or null. */
  @Nullable
  private static String problem(String program) throws CompilerUnavailableException {
    Process probe;
    try {
      probe =
          ProcessEnvironment.builder(Arrays.asList(program, "-I", "-S", "-c", IS_OLD))
              .redirectErrorStream(true)
              .redirectOutput(new File("/dev/null"))
              .start();
    } catch (IOException e) {
      return "is not there";
    }
    try {
      if (!probe.waitFor(PROBE_MILLIS, TimeUnit.MILLISECONDS)) {
        return "does not answer";
      }
      switch (probe.exitValue()) {
        case 0:
          return null;
        case 1:
          return "is older";
        default:
          return "fails with exit code " + probe.exitValue();
      }
    } catch (InterruptedException e) {
      throw CompilerUnavailableException.interrupted(e);
    } finally {
      probe.destroyForcibly();
    }
  }
}
