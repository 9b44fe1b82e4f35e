// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.hive.settings.SkippingConf;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The compiler that the bundle carries: a zip application of pure Python, without dependencies.
 *
 * <p>Each process gets a fresh copy, which takes a few milliseconds, so that it never runs a copy
 * of another version or of another user.
 */
final class BundledCompiler {
  private static final String ARCHIVE = "compiler.pyz";

  /**
   * Without the environment's variables and installed packages, so that what runs is what the jar
   * has; without compiled files, which have no place beside a zip.
   */
  private static final List<String> ISOLATED =
      Collections.unmodifiableList(Arrays.asList("-I", "-S", "-B"));

  private BundledCompiler() {}

  /**
   * The command that runs the compiler, which is copied to {@code directory}.
   *
   * @throws CompilerUnavailableException when there is no Python for it, or no copy can be made
   */
  static List<String> command(ProcessDirectory directory) throws CompilerUnavailableException {
    String python = PythonPrograms.find();
    Path copy = directory.file(ARCHIVE);
    try (InputStream archive = BundledCompiler.class.getResourceAsStream(ARCHIVE)) {
      if (archive == null) {
        throw new CompilerUnavailableException(
            Reason.NOT_INSTALLED,
            "this jar has no predicate compiler; use hive-handler-bundle.jar as `make` builds it,"
                + " or set "
                + SkippingConf.COMPILER_COMMAND,
            null);
      }
      Files.copy(archive, copy);
    } catch (IOException e) {
      throw new CompilerUnavailableException(
          Reason.START_FAILED, "cannot write the predicate compiler to " + copy, e);
    }
    List<String> command = new ArrayList<>();
    command.add(python);
    command.addAll(ISOLATED);
    command.add(copy.toString());
    return command;
  }
}
