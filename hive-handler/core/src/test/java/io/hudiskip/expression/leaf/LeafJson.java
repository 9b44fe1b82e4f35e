// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression.leaf;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.conformance.Hex;
import io.hudiskip.expression.Node;
import io.hudiskip.expression.ReadColumn;
import java.util.Collections;
import java.util.List;

/** What the vector files say of a leaf beside its operator. */
public final class LeafJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private LeafJson() {}

  /** Adds what a leaf has to its operator; nothing for a constant. */
  public static void put(ObjectNode tree, Node node) {
    if (node instanceof TermLeaf) {
      TermLeaf leaf = (TermLeaf) node;
      tree.put("term", leaf.term()).put("outcomes", leaf.outcomes());
      putColumns(tree, leaf.columns());
    } else if (node instanceof QuestionLeaf) {
      QuestionLeaf leaf = (QuestionLeaf) node;
      tree.put("kind", leaf.kind()).put("question", Hex.encode(leaf.question()));
      putColumns(tree, leaf.asked());
    } else if (node instanceof StatisticsLeaf) {
      putColumn(tree, "", node.columns().get(0));
      if (node instanceof ColumnPairLeaf) {
        putColumn(tree, "other_", node.columns().get(1));
      } else if (node instanceof RangesLeaf) {
        putRanges(tree, ((RangesLeaf) node).ranges());
      } else if (node instanceof ComparisonLeaf) {
        putValues(tree, Collections.singletonList(((ComparisonLeaf) node).value()));
      } else if (node instanceof MembershipLeaf) {
        putValues(tree, ((MembershipLeaf) node).values());
      }
    }
  }

  private static void putColumns(ObjectNode tree, List<ReadColumn> columns) {
    ArrayNode array = tree.putArray("term_columns");
    for (ReadColumn column : columns) {
      array.addObject().put("name", column.name()).put("type", column.type().toString());
    }
  }

  private static void putColumn(ObjectNode tree, String prefix, ReadColumn column) {
    tree.put(prefix + "column", column.name()).put(prefix + "type", column.type().toString());
  }

  private static void putValues(ObjectNode tree, List<byte[]> values) {
    ArrayNode hex = tree.putArray("values");
    values.forEach(value -> hex.add(Hex.encode(value)));
  }

  private static void putRanges(ObjectNode tree, List<ValueRange> ranges) {
    ArrayNode ends = JSON.arrayNode();
    byte[] bounds = new byte[ranges.size()];
    for (int i = 0; i < bounds.length; i++) {
      ValueRange range = ranges.get(i);
      ends.add(range.low() == null ? "" : Hex.encode(range.low()));
      ends.add(range.high() == null ? "" : Hex.encode(range.high()));
      int low = range.low() == null ? 0 : range.lowIncluded() ? 3 : 1;
      int high = range.high() == null ? 0 : range.highIncluded() ? 12 : 4;
      bounds[i] = (byte) (low | high);
    }
    tree.put("bounds", Hex.encode(bounds));
    if (!ends.isEmpty()) {
      tree.set("values", ends);
    }
  }
}
