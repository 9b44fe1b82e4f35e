/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.conformance.Hex;
import io.hudiskip.expression.decoder.ExpressionDecoder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.BitSet;

/**
 * Evaluates expressions for the Python tests, which compare the answers with their own: {@code
 * EvaluateCorpus INPUT OUTPUT}. A line of the input is an object with the {@code expression}, hex
 * of its Thrift bytes, and the statistics of {@code files}, as the vector files have them; its line
 * of the output has a 1 for each file that is kept and a 0 for each that is not.
 */
final class EvaluateCorpus {
  private static final ObjectMapper JSON = new ObjectMapper();

  private EvaluateCorpus() {}

  public static void main(String[] arguments) throws IOException, ExpressionFormatException {
    run(Paths.get(arguments[0]), Paths.get(arguments[1]));
  }

  static void run(Path input, Path output) throws IOException, ExpressionFormatException {
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
