// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import static io.hudiskip.compile.client.Settings.settings;
import static io.hudiskip.compile.request.TestCalls.compile;
import static io.hudiskip.compile.request.TestCalls.equalTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.hive.settings.SkippingConf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The compiler that the jar carries, with this machine's Python. */
@Timeout(60)
class BundledCompilerTest {
  @TempDir Path programs;

  @Test
  void withoutASettingTheJarsOwnCompilerAnswers() throws Exception {
    SkippingConf conf = settings(SkippingConf.COMPILER_TIMEOUT_MS, "30000");
    ChildEndpoint endpoint = new ChildEndpoint(conf);
    try (PredicateCompilerClient client = new PredicateCompilerClient(conf, endpoint)) {
      assertThat(compile(client, equalTo(7))).isNotEmpty();
    }
  }

  @Test
  void onlyItsOwnerCanReachTheCopyThatIsRun() throws Exception {
    Path copy;
    try (ProcessDirectory directory = ProcessDirectory.create()) {
      List<String> command = BundledCompiler.command(directory);
      copy = Paths.get(command.get(command.size() - 1));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.getParent())))
          .isEqualTo("rwx------");
      assertThat(command).as("neither the environment nor packages change it").contains("-I", "-S");
      try (ProcessDirectory other = ProcessDirectory.create()) {
        assertThat(BundledCompiler.command(other))
            .as("each process has a copy")
            .isNotEqualTo(command);
      }
    }
    assertThat(copy.getParent()).as("removed with its process").doesNotExist();
  }

  @Test
  void aProgramThatIsOldOrBrokenOrHangsIsPassedOver() throws Exception {
    List<String> names =
        Arrays.asList(
            programs.resolve("missing").toString(),
            program("old", "exit 1"),
            program("broken", "echo no such version >&2; exit 127"),
            program("good", "exit 0"));
    assertThat(PythonPrograms.find(names)).endsWith("good");
  }

  @Test
  void withoutAnyPythonTheMessageSaysWhatWasTriedAndWhatToDo() throws Exception {
    List<String> names = Arrays.asList("python-nobody-has", program("old", "exit 1"));
    CompilerUnavailableException failure =
        catchThrowableOfType(CompilerUnavailableException.class, () -> PythonPrograms.find(names));
    assertThat(failure.reason()).isEqualTo(Reason.NOT_INSTALLED);
    assertThat(failure)
        .hasMessageContaining("Python 3.10 or later")
        .hasMessageContaining("python-nobody-has is not there")
        .hasMessageContaining("old is older")
        .hasMessageContaining(SkippingConf.COMPILER_COMMAND);
  }

  private String program(String name, String body) throws IOException {
    Path program = programs.resolve(name);
    Files.write(program, ("#!/bin/sh\n" + body + "\n").getBytes(StandardCharsets.UTF_8));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program.toString();
  }
}
