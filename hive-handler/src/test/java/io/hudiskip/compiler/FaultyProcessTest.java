/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import static io.hudiskip.compiler.Requests.equalTo;
import static io.hudiskip.compiler.Requests.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hudiskip.SkippingConf;
import io.hudiskip.compiler.CompilerUnavailableException.Reason;
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

  private PredicateCompilerClient client(String command, String... more) {
    String[] pairs = new String[more.length + 4];
    System.arraycopy(more, 0, pairs, 0, more.length);
    pairs[more.length] = SkippingConf.COMPILER_COMMAND;
    pairs[more.length + 1] = command;
    pairs[more.length + 2] = SkippingConf.COMPILER_START_TIMEOUT_MS;
    pairs[more.length + 3] = "1000";
    return PredicateCompilerClient.create(settings(pairs));
  }

  /** A shell script that counts its starts in the file {@code starts}. */
  private String script(String body) throws IOException {
    Path script = directory.resolve("compiler with blanks.sh");
    Files.write(
        script,
        ("#!/bin/sh\necho started >> '" + directory.resolve("starts") + "'\n" + body + "\n")
            .getBytes(StandardCharsets.UTF_8),
        java.nio.file.StandardOpenOption.CREATE);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    return '"' + script.toString() + '"';
  }

  private long starts() throws IOException {
    Path starts = directory.resolve("starts");
    return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
  }

  private static CompilerUnavailableException failure(PredicateCompilerClient client) {
    long start = System.nanoTime();
    CompilerUnavailableException failure =
        catchThrowableOfType(CompilerUnavailableException.class, () -> client.compile(equalTo(1)));
    assertThat(failure).as("the call must fail").isNotNull();
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .as("time of the failing call")
        .isLessThan(Duration.ofSeconds(5));
    return failure;
  }

  @Test
  void aCommandThatIsNotInstalledIsNamedWithWhatToDo() {
    try (PredicateCompilerClient client = client("hudi-skip-that-nobody-has")) {
      CompilerUnavailableException failure = failure(client);
      assertThat(failure.reason()).isEqualTo(Reason.NOT_INSTALLED);
      assertThat(failure)
          .hasMessageContaining("hudi-skip-that-nobody-has")
          .hasMessageContaining("Install")
          .hasMessageContaining(SkippingConf.COMPILER_COMMAND)
          .hasMessageContaining(SkippingConf.COMPILER_ADDRESS);
    }
  }

  @Test
  void aCommandThatDiesAtOnceIsQuotedWithItsLastWords() throws IOException {
    try (PredicateCompilerClient client =
        client(script("echo 'no module pycompiler' >&2; exit 3"))) {
      CompilerUnavailableException failure = failure(client);
      assertThat(failure.reason()).isEqualTo(Reason.START_FAILED);
      assertThat(failure)
          .hasMessageContaining("exit code 3")
          .hasMessageContaining("no module pycompiler");
    }
  }

  @Test
  void aCommandThatNeverGetsReadyIsEndedAtTheStartTimeout() throws IOException {
    try (PredicateCompilerClient client = client(script("exec sleep 300"))) {
      CompilerUnavailableException failure = failure(client);
      assertThat(failure.reason()).isEqualTo(Reason.START_FAILED);
      assertThat(failure).hasMessageContaining("1000 ms");
    }
  }

  @Test
  void aCommandThatSaysSomethingElseIsNoCompiler() throws IOException {
    for (String said :
        new String[] {"hello", "{}", "{\\\"address\\\": \\\"unix:relative\\\"}", "[1]", "null"}) {
      Files.deleteIfExists(directory.resolve("compiler with blanks.sh"));
      try (PredicateCompilerClient client =
          client(script("echo \"" + said + "\"; exec sleep 300"))) {
        CompilerUnavailableException failure = failure(client);
        assertThat(failure.reason()).as(said).isEqualTo(Reason.START_FAILED);
        assertThat(failure).hasMessageContaining("where it listens");
      }
    }
  }

  @Test
  void aCommandThatFloodsItsOutputNeitherBlocksNorFillsTheMemory() throws IOException {
    try (PredicateCompilerClient client =
        client(script("head -c 50000000 /dev/zero >&2; head -c 50000000 /dev/zero; exit 1"))) {
      assertThat(failure(client).reason()).isEqualTo(Reason.START_FAILED);
    }
  }

  @Test
  void restartsAreBoundedAndWhatFailedIsRemembered() throws IOException, InterruptedException {
    try (PredicateCompilerClient client =
        client(script("echo 'broken' >&2; exit 3"), SkippingConf.COMPILER_MAX_RESTARTS, "1")) {
      assertThat(failure(client).reason()).isEqualTo(Reason.START_FAILED);
      assertThat(failure(client).reason()).isEqualTo(Reason.START_FAILED);
      for (int i = 0; i < 5; i++) {
        CompilerUnavailableException failure = failure(client);
        assertThat(failure.reason()).isEqualTo(Reason.BACKING_OFF);
        assertThat(failure).hasMessageContaining("broken");
      }
      assertThat(starts()).as("one start and one restart").isEqualTo(2);
    }
  }

  @Test
  void aCompilerThatHangsIsEndedAfterThreeCallsAndStartedAgain() throws Exception {
    try (FaultyServer hanging = new FaultyServer((call, out) -> true);
        PredicateCompilerClient client =
            client(
                script("echo '{\"address\": \"" + hanging.address() + "\"}'; exec sleep 300"),
                SkippingConf.COMPILER_TIMEOUT_MS,
                "200")) {
      for (int i = 0; i < 3; i++) {
        assertThat(failure(client).reason()).isEqualTo(Reason.TIMEOUT);
      }
      assertThat(starts()).isEqualTo(1);
      hanging.become(FaultyServer::keepAll);
      client.compile(equalTo(1));
      assertThat(starts()).as("the hanging one was ended, the next one works").isEqualTo(2);
    }
  }
}
