// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.kind.IndexKinds;
import io.hudiskip.compile.statistics.AllValues;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.conformance.Hex;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Statistics as the vector files write them: a list of files, each with its columns by name. */
final class JsonStatistics {

  private JsonStatistics() {}

  static StatisticsTable of(JsonNode files) {
    Map<String, ColumnStatistics[]> columns = new HashMap<>();
    for (int i = 0; i < files.size(); i++) {
      int file = i;
      files
          .get(i)
          .fields()
          .forEachRemaining(
              column ->
                  columns
                          .computeIfAbsent(
                              column.getKey(), first -> new ColumnStatistics[files.size()])[file] =
                      range(column.getValue()));
    }
    return StatisticsTable.of(files.size(), columns);
  }

  private static ColumnStatistics range(JsonNode json) {
    ColumnStatistics range =
        new ColumnStatistics(
            HiveType.parse(json.get("type").textValue()),
            Hex.decodeNullable(json.get("lower")),
            Hex.decodeNullable(json.get("upper")),
            count(json.get("null_count")),
            count(json.get("value_count")),
            count(json.get("nan_count")));
    if (json.hasNonNull("value_set")) {
      List<byte[]> values = new ArrayList<>();
      json.get("value_set").forEach(value -> values.add(Hex.decode(value.textValue())));
      range = range.with("values", new AllValues(values));
    }
    if (json.hasNonNull("bloom")) {
      range = with(range, "bloom", json.get("bloom"));
    }
    Iterator<Map.Entry<String, JsonNode>> contents = json.path("contents").fields();
    while (contents.hasNext()) {
      Map.Entry<String, JsonNode> content = contents.next();
      range = with(range, content.getKey(), content.getValue());
    }
    return range;
  }

  private static ColumnStatistics with(ColumnStatistics range, String kind, JsonNode content) {
    byte[] bytes = Hex.decode(content.textValue());
    return range.with(kind, IndexKinds.named(kind).get().read(bytes).get());
  }

  private static long count(JsonNode json) {
    return json == null || json.isNull() ? ColumnStatistics.UNKNOWN_COUNT : json.longValue();
  }
}
