// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessEnvironmentTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "KRB5CCNAME",
        "KRB5_KTNAME",
        "HADOOP_TOKEN_FILE_LOCATION",
        "HADOOP_CREDSTORE_PASSWORD",
        "AWS_SECRET_ACCESS_KEY",
        "GOOGLE_APPLICATION_CREDENTIALS",
        "PATHS"
      })
  void theCompilerGetsNoCredentials(String name) {
    assertThat(ProcessEnvironment.isPassedOn(name)).isFalse();
  }

  @Test
  void theCompilerGetsWhatProgramsNeedToStartAndNothingElse() throws Exception {
    assertThat(System.getenv().keySet())
        .as("this JVM's environment")
        .anyMatch(name -> !ProcessEnvironment.isPassedOn(name));
    Process process = ProcessEnvironment.builder(Collections.singletonList("env")).start();
    List<String> names;
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      names =
          output
              .lines()
              .filter(line -> line.contains("="))
              .map(line -> line.substring(0, line.indexOf('=')))
              .collect(Collectors.toList());
    }
    assertThat(names).contains("PATH").allMatch(ProcessEnvironment::isPassedOn);
  }
}
