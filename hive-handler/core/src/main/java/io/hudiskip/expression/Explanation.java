// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.expression;

import io.hudiskip.statistics.StatisticsTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** Lists the nodes of a program with the number of files each keeps. */
final class Explanation {

  private Explanation() {}

  static List<ExplainedNode> explain(
      Program program, StatisticsTable statistics, TermAnswers terms) {
    int[] filesKept = new int[program.size()];
    Evaluator.evaluate(
        program, statistics, terms, true, (kept, node) -> filesKept[node] = kept.cardinality());
    int[][] children = program.children();
    int[] depths = new int[program.size()];
    List<ExplainedNode> explained = new ArrayList<>(program.size());
    Deque<Integer> open = new ArrayDeque<>();
    open.push(program.size() - 1);
    while (!open.isEmpty()) {
      int node = open.pop();
      String text = Renderer.render(program.node(node));
      explained.add(new ExplainedNode(depths[node], text, filesKept[node]));
      for (int i = children[node].length - 1; i >= 0; i--) {
        depths[children[node][i]] = depths[node] + 1;
        open.push(children[node][i]);
      }
    }
    return Collections.unmodifiableList(explained);
  }
}
