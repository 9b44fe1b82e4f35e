// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import static io.hudiskip.compile.client.Settings.settings;
import static io.hudiskip.compile.request.TestCalls.compile;
import static io.hudiskip.compile.request.TestCalls.equalTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.compile.request.TestCalls;
import io.hudiskip.hive.settings.SkippingConf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that are no compiler, or a broken one. */
@Timeout(60)
class FaultyProcessTest {
  @TempDir Path directory;

  private static PredicateCompilerClient client(String command) {
    SkippingConf conf =
        settings(SkippingConf.COMPILER_COMMAND, command, SkippingConf.COMPILER_TIMEOUT_MS, "200");
    return new PredicateCompilerClient(conf, new ChildEndpoint(conf, 1_000, 3));
  }

  /** A shell script that counts its starts in the file {@code starts}. */
  private String script(String body) throws IOException {
    Path script = directory.resolve("compiler with blanks.sh");
    Files.write(
        script,
        ("#!/bin/sh\necho started >> '" + directory.resolve("starts") + "'\n" + body + "\n")
            .getBytes(StandardCharsets.UTF_8));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return '"' + script.toString() + '"';
  }

  private long starts() throws IOException {
    Path starts = directory.resolve("starts");
    return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
  }

  private static CompilerUnavailableException failure(
      PredicateCompilerClient client, Reason reason) {
    long start = System.nanoTime();
    CompilerUnavailableException failure = TestCalls.failure(client, equalTo(1), reason);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .as("time of the failing call")
        .isLessThan(Duration.ofSeconds(5));
    return failure;
  }

  @Test
  void aMissingCommandIsNamedWithARemedy() {
    try (PredicateCompilerClient client = client("hudi-skip-that-nobody-has")) {
      assertThat(failure(client, Reason.NOT_INSTALLED))
          .hasMessageContaining("hudi-skip-that-nobody-has")
          .hasMessageContaining("Install")
          .hasMessageContaining(SkippingConf.COMPILER_COMMAND)
          .hasMessageContaining(SkippingConf.COMPILER_ADDRESS);
    }
  }

  @Test
  void aCommandThatDiesAtOnceIsReportedWithItsLastOutput() throws IOException {
    try (PredicateCompilerClient client =
        client(script("echo 'no module pycompiler' >&2; exit 3"))) {
      assertThat(failure(client, Reason.START_FAILED))
          .hasMessageContaining("exit code 3")
          .hasMessageContaining("no module pycompiler");
    }
  }

  @Test
  void aCommandThatNeverGetsReadyIsEndedAtTheStartTimeout() throws IOException {
    try (PredicateCompilerClient client = client(script("exec sleep 300"))) {
      assertThat(failure(client, Reason.START_FAILED)).hasMessageContaining("1000 ms");
    }
  }

  @Test
  void aCommandWithOtherOutputIsNoCompiler() throws IOException {
    for (String output :
        new String[] {"hello", "{}", "{\\\"address\\\": \\\"unix:relative\\\"}", "[1]", "null"}) {
      try (PredicateCompilerClient client =
          client(script("echo \"" + output + "\"; exec sleep 300"))) {
        assertThat(failure(client, Reason.START_FAILED))
            .hasMessageContaining("did not print its address");
      }
    }
  }

  @Test
  void aCommandThatFloodsItsOutputNeitherBlocksNorFillsTheMemory() throws IOException {
    try (PredicateCompilerClient client =
        client(script("head -c 50000000 /dev/zero >&2; head -c 50000000 /dev/zero; exit 1"))) {
      failure(client, Reason.START_FAILED);
    }
  }

  @Test
  void restartsAreBoundedAndReportTheFailure() throws IOException, InterruptedException {
    String broken = script("echo 'broken' >&2; exit 3");
    SkippingConf conf = settings(SkippingConf.COMPILER_COMMAND, broken);
    try (PredicateCompilerClient client =
        new PredicateCompilerClient(conf, new ChildEndpoint(conf, 1_000, 1))) {
      failure(client, Reason.START_FAILED);
      failure(client, Reason.START_FAILED);
      for (int i = 0; i < 5; i++) {
        assertThat(failure(client, Reason.BACKING_OFF)).hasMessageContaining("broken");
      }
      assertThat(starts()).as("one start and one restart").isEqualTo(2);
    }
  }

  @Test
  void aCompilerThatHangsIsEndedAfterThreeCallsAndStartedAgain() throws Exception {
    try (FaultyServer hanging = new FaultyServer((call, out) -> true);
        PredicateCompilerClient client =
            client(script("echo '{\"address\": \"" + hanging.address() + "\"}'; exec sleep 300"))) {
      for (int i = 0; i < 3; i++) {
        failure(client, Reason.TIMEOUT);
      }
      assertThat(starts()).isEqualTo(1);
      hanging.become(FaultyServer.keepingAll());
      compile(client, equalTo(1));
      assertThat(starts()).as("the hanging one was ended, the next one works").isEqualTo(2);
    }
  }
}
