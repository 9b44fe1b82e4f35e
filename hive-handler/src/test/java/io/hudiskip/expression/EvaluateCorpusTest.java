/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import static io.hudiskip.encoding.ValueEncoding.encodeInteger;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.conformance.Expressions;
import io.hudiskip.conformance.Hex;
import io.hudiskip.thrift.ExpressionOperator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluateCorpusTest {

  @Test
  void answersEachLineWithABitForEachFile(@TempDir Path directory) throws Exception {
    String below3 =
        Hex.encode(
            Expressions.serialize(
                Expressions.message(
                    Expressions.leaf(ExpressionOperator.LT, "a", "int", encodeInteger(3)))));
    String from = "{\"a\": {\"type\": \"int\", \"lower\": \"%s\", \"upper\": null}}";
    String from2 = String.format(from, Hex.encode(encodeInteger(2)));
    String from3 = String.format(from, Hex.encode(encodeInteger(3)));
    String line = "{\"expression\": \"%s\", \"files\": [%s]}\n";
    Path input = directory.resolve("asked");
    Files.write(
        input,
        (String.format(line, below3, from2 + ", " + from3 + ", {}")
                + String.format(line, below3, ""))
            .getBytes(StandardCharsets.UTF_8));
    Path output = directory.resolve("answered");
    EvaluateCorpus.main(new String[] {input.toString(), output.toString()});
    assertThat(Files.readAllLines(output)).containsExactly("101", "");
  }
}
