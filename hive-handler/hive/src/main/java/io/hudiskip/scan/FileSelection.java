// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.index.IndexState;
import io.hudiskip.table.source.KeepAllFilesException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.hudi.common.model.FileSlice;

/** The candidate slices that a filter can match, and how they were found. */
public final class FileSelection {
  /** The source where only the paths of partitions are known. */
  static final String PARTITIONS = "partitions";

  private final BitSet kept;
  private final String source;
  private final IndexState index;
  private final String expression;
  private final int dynamicTerms;
  private final String explanation;
  private final String reason;

  /**
   * Creates a selection.
   *
   * @param kept bit {@code i} is set when candidate {@code i} must be read
   * @param source origin of the expression, as the log has it
   * @param dynamicTerms number of terms dropped because their values are known only at run time
   */
  FileSelection(
      BitSet kept,
      String source,
      IndexState index,
      String expression,
      int dynamicTerms,
      @Nullable String explanation) {
    this(kept, source, index, expression, dynamicTerms, explanation, null);
  }

  private FileSelection(
      BitSet kept,
      String source,
      IndexState index,
      String expression,
      int dynamicTerms,
      @Nullable String explanation,
      @Nullable String reason) {
    this.kept = (BitSet) kept.clone();
    this.source = source;
    this.index = index;
    this.expression = expression;
    this.dynamicTerms = dynamicTerms;
    this.explanation = explanation;
    this.reason = reason;
  }

  /** All of {@code slices} candidates, for a reason. */
  static FileSelection all(int slices, KeepAllFilesException reason) {
    BitSet kept = new BitSet();
    kept.set(0, slices);
    return new FileSelection(
        kept,
        "none",
        IndexState.none(reason.getMessage()),
        "",
        reason.dynamicTerms(),
        null,
        reason.getMessage());
  }

  /** The slices that another selection keeps, too; this one if they are all of its own. */
  FileSelection among(FileSelection other) {
    BitSet both = (BitSet) kept.clone();
    both.and(other.kept);
    return both.equals(kept)
        ? this
        : new FileSelection(
            both,
            other.source,
            index,
            expression + "; " + other.expression,
            dynamicTerms,
            explanation);
  }

  public boolean keeps(int slice) {
    return kept.get(slice);
  }

  List<FileSlice> of(List<FileSlice> candidates) {
    return kept.stream().mapToObj(candidates::get).collect(Collectors.toList());
  }

  String source() {
    return source;
  }

  IndexState index() {
    return index;
  }

  String expression() {
    return expression;
  }

  int dynamicTerms() {
    return dynamicTerms;
  }

  /** Why all are kept, whatever the filter; empty if it was applied. */
  Optional<String> reason() {
    return Optional.ofNullable(reason);
  }

  Optional<String> explanation() {
    return Optional.ofNullable(explanation);
  }
}
