// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hudi.callback.HoodieWriteCommitCallback;
import org.apache.hudi.callback.common.HoodieWriteCommitCallbackMessage;
import org.apache.hudi.callback.util.HoodieCommitCallbackFactory;
import org.apache.hudi.config.HoodieWriteConfig;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The callback as Hudi creates and calls it; here it starts a shell script. */
class IndexUpdateCallbackTest {
  private static final long PATIENCE_SECONDS = 60;

  @TempDir private Path folder;
  private Properties options;
  private Path table;

  @BeforeEach
  void setOptions() {
    table = folder.resolve("a table");
    options = new Properties();
    options.setProperty("hoodie.write.commit.callback.on", "true");
    options.setProperty(
        "hoodie.write.commit.callback.class", "io.hudiskip.callback.IndexUpdateCallback");
    options.setProperty(UpdateSettings.LOG_DIRECTORY, folder.resolve("logs").toString());
  }

  @Test
  void theUpdateStartsWithTheConfiguredOptions() throws Exception {
    runs("printf '%s\\n' \"$@\"");
    options.setProperty(UpdateSettings.OPTIONS, "--index \"a b=none\"");
    commit();
    assertThat(logWith(8))
        .containsExactly(
            "index",
            "update",
            "--after-commit",
            "--index",
            "a b=none",
            "--",
            table.toString(),
            "end");
  }

  @Test
  void thePySparkOfTheUpdateIsNotTiedToTheDriver() throws Exception {
    Path seen = folder.resolve("seen");
    // The environment of this JVM cannot be changed, so a child is the driver.
    ProcessBuilder driver =
        new ProcessBuilder(
            System.getProperty("java.home") + "/bin/java",
            "-cp",
            System.getProperty("java.class.path"),
            Commit.class.getName(),
            table.toString(),
            folder.resolve("logs").toString(),
            script("env > '" + seen + ".part'; mv '" + seen + ".part' '" + seen + "'").toString());
    driver.environment().put("PYSPARK_GATEWAY_PORT", "1");
    driver.environment().put("PYSPARK_SUBMIT_ARGS", "--master yarn pyspark-shell");
    driver.environment().put("KEPT", "1");
    driver.inheritIO();
    assertThat(driver.start().waitFor()).as("exit code of the driver").isZero();
    await(() -> Files.exists(seen), "the update ran");
    assertThat(Files.readAllLines(seen))
        .as("environment of the update")
        .contains("KEPT=1")
        .noneMatch(line -> line.startsWith("PYSPARK_"));
  }

  /** A driver that commits once and exits immediately, so that the update must outlive it. */
  static final class Commit {
    private Commit() {}

    public static void main(String[] arguments) {
      Properties options = new Properties();
      options.setProperty(
          "hoodie.write.commit.callback.class", "io.hudiskip.callback.IndexUpdateCallback");
      options.setProperty(UpdateSettings.LOG_DIRECTORY, arguments[1]);
      options.setProperty(UpdateSettings.COMMAND, '"' + arguments[2] + '"');
      IndexUpdateCallbackTest.commit(arguments[0], options);
    }
  }

  @Test
  void theWriterDoesNotWait() throws Exception {
    Path go = folder.resolve("go");
    runs("while [ ! -e '" + go + "' ]; do sleep 0.1; done");
    commit();
    assertThat(logs()).as("the update waits for what comes after the commit").hasSize(1);
    Files.createFile(go);
    logWith(1);
  }

  @Test
  void aFailedUpdateLeavesItsOutputInTheLog() throws Exception {
    Path script = script("echo 'error: no index today' >&2; echo end; exit 1");
    options.setProperty(UpdateSettings.COMMAND, '"' + script.toString() + '"');
    commit();
    assertThat(logWith(2)).containsExactly("error: no index today", "end");
  }

  @Test
  void aMisspeltSettingIsNamed() {
    options.setProperty(UpdateSettings.COMMAND, "/opt/hudi-skip");
    options.setProperty("hoodie.skipping.callback.option", "--index day=none");
    HoodieWriteConfig config =
        HoodieWriteConfig.newBuilder().withPath(table.toString()).withProps(options).build();
    assertThat(UpdateSettings.unknown(config)).containsExactly("hoodie.skipping.callback.option");
  }

  @Test
  void withoutAPlaceForTheLogTheCommitStands() throws Exception {
    runs("true");
    Path file = Files.createFile(folder.resolve("file"));
    options.setProperty(UpdateSettings.LOG_DIRECTORY, file.resolve("logs").toString());
    assertThatCode(this::commit).doesNotThrowAnyException();
  }

  @Test
  void aLargeLogIsSetAside() throws Exception {
    runs("true");
    commit();
    logWith(1);
    Path log = logs().get(0);
    Files.write(log, new byte[(1 << 20) + 1]);
    commit();
    assertThat(logWith(1)).containsExactly("end");
    assertThat(logs()).as("the log and the one before").hasSize(2);
  }

  private void runs(String commands) throws IOException {
    options.setProperty(
        UpdateSettings.COMMAND, '"' + script(commands + "; echo end").toString() + '"');
  }

  private Path script(String commands) throws IOException {
    Path script = folder.resolve("hudi-skip");
    Files.write(script, ("#!/bin/sh\n" + commands + '\n').getBytes(StandardCharsets.UTF_8));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script;
  }

  private void commit() {
    commit(table.toString(), options);
  }

  private static void commit(String table, Properties options) {
    HoodieWriteConfig config =
        HoodieWriteConfig.newBuilder().withPath(table).withProps(options).build();
    HoodieWriteCommitCallback callback = HoodieCommitCallbackFactory.create(config);
    callback.call(
        new HoodieWriteCommitCallbackMessage("1", "a table", table, Collections.emptyList()));
  }

  private List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("logs"))) {
      return files
          .sorted(Comparator.comparingInt(log -> log.toString().length()))
          .collect(Collectors.toList());
    }
  }

  /** The lines of the log, once its last line reports that the script has ended. */
  private List<String> logWith(int lines) throws Exception {
    await(
        () -> {
          List<String> log = Files.readAllLines(logs().get(0));
          return log.size() >= lines && log.get(log.size() - 1).equals("end");
        },
        "the log has " + lines + " lines");
    return Files.readAllLines(logs().get(0));
  }

  private static void await(Callable<Boolean> condition, String what) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.call()) {
      assertThat(System.nanoTime()).as(what + " in time").isLessThan(deadline);
      Thread.sleep(20);
    }
  }
}
