// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import static io.hudiskip.conformance.Expressions.expression;
import static io.hudiskip.conformance.Expressions.leaf;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.conformance.Hex;
import io.hudiskip.index.BaseFile;
import io.hudiskip.index.StatisticsIndex;
import io.hudiskip.thrift.ExpressionOperator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Reads the index that the Python writer made, and finds in it what {@code expected.json} says. */
class GoldenIndexTest {
  private static final Path TABLE = ConformanceVectors.directory().resolve("index-v2");

  private static StatisticsIndex open() throws Exception {
    return LocalIndex.open(TABLE, new IndexCache(1 << 20));
  }

  private static JsonNode expected() throws Exception {
    return new ObjectMapper().readTree(Files.readAllBytes(TABLE.resolve("expected.json")));
  }

  @Test
  void theNewestManifestIsRead() throws Exception {
    JsonNode expected = expected();
    StatisticsIndex index = open();
    assertThat(index.generation()).isEqualTo(expected.get("generation").longValue());
    assertThat(index.instant()).isEqualTo(expected.get("instant").textValue());
    assertThat(index.live().get().files()).isEqualTo(expected.at("/live/files").longValue());
    assertThat(index.live().get().rows()).isEqualTo(expected.at("/live/rows").longValue());
    assertThat(index.live().get().bytes()).isEqualTo(expected.at("/live/bytes").longValue());
  }

  @TestFactory
  Stream<DynamicTest> boundsAndCountsAreThoseThatWereWritten() throws Exception {
    StatisticsIndex index = open();
    List<DynamicTest> tests = new ArrayList<>();
    JsonNode expected = expected();
    Iterator<Map.Entry<String, JsonNode>> columns = expected.get("columns").fields();
    while (columns.hasNext()) {
      Map.Entry<String, JsonNode> column = columns.next();
      for (JsonNode file : expected.get("files")) {
        String path = file.textValue();
        JsonNode row = column.getValue().path(path);
        tests.add(
            DynamicTest.dynamicTest(
                column.getKey() + " of " + path,
                () -> new Row(index, column.getKey(), path, row).check()));
      }
    }
    assertThat(tests).as("columns times files").hasSizeGreaterThan(20);
    return tests.stream();
  }

  /** What the index must say of one column in one file; a missing JSON node if nothing. */
  private static final class Row {
    private final StatisticsIndex index;
    private final String column;
    private final String path;
    private final JsonNode json;

    Row(StatisticsIndex index, String column, String path, JsonNode json) {
      this.index = index;
      this.column = column;
      this.path = path;
      this.json = json;
    }

    void check() throws Exception {
      if (json.isMissingNode()) {
        assertSkipped(false, ExpressionOperator.IS_NULL, "int", 1001);
        assertSkipped(false, ExpressionOperator.IS_NOT_NULL, "int", 1001);
        return;
      }
      String type = json.get("type").textValue();
      long size = json.get("file_size").longValue();
      JsonNode nulls = json.get("null_count");
      boolean allNull = nulls.equals(json.get("value_count"));
      boolean noNull = nulls.isNumber() && nulls.longValue() == 0;
      assertSkipped(noNull, ExpressionOperator.IS_NULL, type, size);
      assertSkipped(allNull, ExpressionOperator.IS_NOT_NULL, type, size);
      byte[] lower = Hex.decodeNullable(json.get("lower"));
      byte[] upper = Hex.decodeNullable(json.get("upper"));
      for (byte[] bound : new byte[][] {lower, upper}) {
        if (bound != null) {
          checkComparisons(type, size, lower, upper, bound);
        }
      }
    }

    /**
     * LT and LTEQ with the lower bound, GT and GTEQ with the upper one, expose every byte of them.
     */
    private void checkComparisons(
        String type, long size, byte[] lower, byte[] upper, byte[] literal) throws Exception {
      boolean mayHoldNaN =
          (type.equals("double") || type.equals("float")) && json.get("nan_count").asLong(-1) != 0;
      int toLower = lower == null || mayHoldNaN ? -1 : EncodedOrder.compare(lower, literal);
      int toUpper = upper == null || mayHoldNaN ? 1 : EncodedOrder.compare(upper, literal);
      assertSkipped(toLower >= 0, ExpressionOperator.LT, type, size, literal);
      assertSkipped(toLower > 0, ExpressionOperator.LTEQ, type, size, literal);
      assertSkipped(toUpper <= 0, ExpressionOperator.GT, type, size, literal);
      assertSkipped(toUpper < 0, ExpressionOperator.GTEQ, type, size, literal);
      assertSkipped(false, ExpressionOperator.LT, type, size + 1, literal);
      assertSkipped(false, ExpressionOperator.GT, type, size + 1, literal);
    }

    private void assertSkipped(
        boolean skipped, ExpressionOperator operator, String type, long size, byte[]... values)
        throws Exception {
      List<BaseFile> listing = Collections.singletonList(new BaseFile(path, size));
      HudiExpression test = expression(leaf(operator, column, type, values));
      assertThat(LocalIndex.kept(index, test, listing).isEmpty())
          .as("%s %s skips %s of %d bytes", operator, column, path, size)
          .isEqualTo(skipped);
    }
  }
}
