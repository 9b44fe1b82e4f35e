// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.expression.leaf.LeafJson;

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
    } else {
      LeafJson.put(tree, node);
    }
    return tree;
  }
}
