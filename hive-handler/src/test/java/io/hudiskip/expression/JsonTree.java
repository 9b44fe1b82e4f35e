/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.conformance.Hex;
import java.util.Collections;
import java.util.List;

/** Decoded expressions as the vector files write them, without reasons, whose wording is free. */
final class JsonTree {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private JsonTree() {}

  static JsonNode of(Program program) {
    return of(program, program.children(), program.size() - 1);
  }

  /** A vector's tree in the one form that {@link #of} gives: empty lists are left out. */
  static JsonNode withoutReasons(JsonNode vector) {
    ObjectNode tree = vector.deepCopy();
    tree.remove("reason");
    if (tree.path("values").isEmpty()) {
      tree.remove("values");
    }
    if (tree.has("children")) {
      ArrayNode children = tree.putArray("children");
      vector.get("children").forEach(child -> children.add(withoutReasons(child)));
    }
    return tree;
  }

  private static ObjectNode of(Program program, int[][] children, int index) {
    Node node = program.node(index);
    ObjectNode tree = JSON.objectNode().put("op", node.operator().name());
    if (node instanceof Connective) {
      ArrayNode below = tree.putArray("children");
      for (int child : children[index]) {
        below.add(of(program, children, child));
      }
    } else if (node instanceof TermLeaf) {
      TermLeaf leaf = (TermLeaf) node;
      tree.put("term", leaf.term()).put("outcomes", leaf.outcomes());
      ArrayNode columns = tree.putArray("term_columns");
      for (ReadColumn column : leaf.columns()) {
        columns.addObject().put("name", column.name()).put("type", column.type().toString());
      }
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
    return tree;
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
