/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.callback;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of {@code hudi-skip index update --after-commit}. The option makes it leave this
 * process's session, so that what ends the driver does not end it, and has at most one run of a
 * table at work and one waiting, over all drivers of the machine: a run that finds another waiting
 * ends at once, since that one will see the same commit.
 */
final class UpdateProcess {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateProcess.class);

  /** With these a PySpark takes the driver's JVM, or its options, for its own. */
  private static final List<String> PYSPARK_OF_THE_DRIVER =
      Arrays.asList(
          "PYSPARK_GATEWAY_PORT",
          "PYSPARK_GATEWAY_SECRET",
          "PYSPARK_SUBMIT_ARGS",
          "_PYSPARK_DRIVER_CONN_INFO_PATH");

  private final Process process;
  private final String table;
  private final Path log;

  private UpdateProcess(Process process, String table, Path log) {
    this.process = process;
    this.table = table;
    this.log = log;
  }

  /**
   * Starts a run and does not wait for it.
   *
   * @param table root of the table, as Hudi names it
   * @throws IOException when the command cannot be run, or has no place for its log
   */
  static UpdateProcess start(UpdateSettings settings, String table) throws IOException {
    Path log = UpdateLog.of(settings.logDirectory(), table);
    List<String> command = new ArrayList<>(settings.command());
    command.addAll(Arrays.asList("index", "update", "--after-commit"));
    command.addAll(settings.options());
    command.add("--");
    command.add(table);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeAll(PYSPARK_OF_THE_DRIVER);
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new UpdateProcess(builder.start(), table, log);
  }

  /** Where it writes what it does. */
  Path log() {
    return log;
  }

  /** Has a failure logged here too, if this JVM lives long enough to see it. */
  void reportFailure() {
    Thread thread = new Thread(this::awaitEnd, "hudi-skip index update of " + table);
    thread.setDaemon(true);
    thread.start();
  }

  private void awaitEnd() {
    try {
      int exit = process.waitFor();
      if (exit != 0) {
        LOG.warn(
            "hudi-skip index update {} ended with exit code {}, see {}. Queries stay right and read new files"
                + " whole",
            table,
            exit,
            log);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
