// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.conformance.Hex;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.BitSet;

/**
 * Evaluates expressions for Python tests, which compare the answers with theirs: {@code
 * EvaluateCorpus INPUT OUTPUT}. A line of input is an object with the {@code expression} as hex
 * Thrift bytes and the statistics of {@code files}, as in the vector files; its line of output has
 * a 1 for each kept file and a 0 for the others.
 */
final class EvaluateCorpus {
  private static final ObjectMapper JSON = new ObjectMapper();

  private EvaluateCorpus() {}

  public static void main(String[] arguments) throws IOException, ExpressionFormatException {
    Path input = Paths.get(arguments[0]);
    Path output = Paths.get(arguments[1]);
    try (BufferedReader lines = Files.newBufferedReader(input, StandardCharsets.UTF_8);
        PrintWriter answers =
            new PrintWriter(Files.newBufferedWriter(output, StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answers.println(answer(JSON.readTree(line)));
      }
      if (answers.checkError()) {
        throw new IOException("could not write " + output);
      }
    }
  }

  private static String answer(JsonNode question) throws ExpressionFormatException {
    byte[] bytes = Hex.decode(question.get("expression").textValue());
    JsonNode files = question.get("files");
    BitSet kept = ExpressionDecoder.decode(bytes).evaluate(JsonStatistics.of(files));
    StringBuilder bits = new StringBuilder(files.size());
    for (int file = 0; file < files.size(); file++) {
      bits.append(kept.get(file) ? '1' : '0');
    }
    return bits.toString();
  }
}
