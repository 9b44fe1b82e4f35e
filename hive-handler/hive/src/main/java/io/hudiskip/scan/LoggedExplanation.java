// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.compile.expression.ExplainedNode;
import io.hudiskip.compile.request.Compilation;
import io.hudiskip.index.IndexState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How a scan's files were selected, in the words of {@code hudi-skip explain}. The cases in {@code
 * tests/conformance/explain.json} check that the two agree.
 */
final class LoggedExplanation {
  private static final Pattern LINE_BREAKERS = Pattern.compile("[\\p{Cc}\\p{Zl}\\p{Zp}]");

  private final List<String> lines = new ArrayList<>();

  private LoggedExplanation() {}

  /**
   * Explains a selection.
   *
   * @param compiled the compiler's answer to a request to explain
   * @param nodes the expression's nodes in pre-order
   * @param files number of files of the table
   * @param kept number of files that are read
   * @param dynamicTerms number of terms whose values are known only at run time
   * @return lines of text, without a trailing line break
   */
  static String of(
      Compilation compiled,
      List<ExplainedNode> nodes,
      int files,
      int kept,
      IndexState index,
      int dynamicTerms) {
    LoggedExplanation text = new LoggedExplanation();
    text.line("filter  " + compiled.understood());
    text.line("files   " + kept + " of " + files + " kept");
    text.line("index   " + index.text());
    text.section("rewritten:", compiled.rewrites());
    text.heading(nodes, "files kept by each part:");
    int width = Integer.toString(files).length();
    for (ExplainedNode node : nodes) {
      String indent = String.join("", Collections.nCopies(node.depth(), "  "));
      text.line(String.format("  %" + width + "d  %s%s", node.filesKept(), indent, node.text()));
    }
    text.section("not used:", compiled.unusedTerms());
    if (dynamicTerms > 0) {
      text.lines.add("");
      text.line("left out, because their values are known only at run time: " + dynamicTerms);
    }
    return String.join("\n", text.lines);
  }

  private void section(String heading, List<String> entries) {
    heading(entries, heading);
    entries.forEach(entry -> line("  " + entry));
  }

  private void heading(List<?> below, String heading) {
    if (!below.isEmpty()) {
      lines.add("");
      line(heading);
    }
  }

  /** A literal must not forge a line of the log. */
  private void line(String text) {
    lines.add(LINE_BREAKERS.matcher(text).replaceAll(" "));
  }
}
