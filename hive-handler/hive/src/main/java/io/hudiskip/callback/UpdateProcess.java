// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.callback;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hudi.config.HoodieWriteConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of {@code hudi-skip index update --after-commit}. With that option, the run leaves this
 * process's session, so it survives the driver. Per table, one run works and at most one waits,
 * across all drivers of the machine: a further run exits at once, since the waiting one will see
 * the same commit.
 */
final class UpdateProcess {
  private static final Logger LOG = LoggerFactory.getLogger(UpdateProcess.class);

  /** These make PySpark use the driver's JVM or its options. */
  private static final List<String> PYSPARK_OF_THE_DRIVER =
      Arrays.asList(
          "PYSPARK_GATEWAY_PORT",
          "PYSPARK_GATEWAY_SECRET",
          "PYSPARK_SUBMIT_ARGS",
          "_PYSPARK_DRIVER_CONN_INFO_PATH");

  private UpdateProcess() {}

  /**
   * Starts a run without waiting for it. A failure is also logged here, if this JVM lives long
   * enough to see it.
   *
   * @return the run's log
   * @throws IOException when the command cannot be run, or its log cannot be created
   */
  static Path start(HoodieWriteConfig config, String table) throws IOException {
    Path log = UpdateLog.of(UpdateSettings.logDirectory(config), table);
    ProcessBuilder builder = new ProcessBuilder(UpdateSettings.command(config, table));
    builder.environment().keySet().removeAll(PYSPARK_OF_THE_DRIVER);
    builder.redirectInput(new File("/dev/null"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Process process = builder.start();
    Thread thread =
        new Thread(() -> awaitEnd(process, table, log), "hudi-skip index update of " + table);
    thread.setDaemon(true);
    thread.start();
    return log;
  }

  private static void awaitEnd(Process process, String table, Path log) {
    try {
      int exit = process.waitFor();
      if (exit != 0) {
        LOG.warn(
            "hudi-skip index update {} failed with exit code {}; see {}. Queries stay correct, but"
                + " read new files in full",
            table,
            exit,
            log);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
