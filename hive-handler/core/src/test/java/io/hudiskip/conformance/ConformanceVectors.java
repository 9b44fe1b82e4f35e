// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.ThrowingConsumer;

/** The vector files that hold the Java and the Python implementation to one behaviour. */
public final class ConformanceVectors {
  private static final String DIRECTORY = "hudiskip.conformance.dir";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  private ConformanceVectors() {}

  /** The directory that both languages' tests read. */
  public static Path directory() {
    String directory = System.getProperty(DIRECTORY);
    assertThat(directory).as("system property " + DIRECTORY).isNotNull();
    return Paths.get(directory);
  }

  /** The vectors under a key of a file; fails the test if the file or list is missing or empty. */
  public static List<JsonNode> load(String file, String key) throws IOException {
    Path path = directory().resolve(file);
    assertThat(path).as("vector file").isRegularFile();
    List<JsonNode> vectors = new ArrayList<>();
    JSON.readTree(Files.readAllBytes(path)).path(key).forEach(vectors::add);
    assertThat(vectors).as("\"%s\" of %s", key, path).isNotEmpty();
    return vectors;
  }

  /** One test for each vector under a key of a file. */
  public static Stream<DynamicTest> tests(String file, String key, ThrowingConsumer<JsonNode> check)
      throws IOException {
    return load(file, key).stream()
        .map(
            vector -> {
              String name = vector.has("name") ? vector.get("name").textValue() : vector.toString();
              return DynamicTest.dynamicTest(name, () -> check.accept(vector));
            });
  }
}
