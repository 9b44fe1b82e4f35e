/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.index.IndexState;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.hudi.common.model.FileSlice;

/** Which file slices of a listing a filter can match, and how that was found. */
public final class FileSelection {
  private final BitSet kept;
  private final String source;
  private final IndexState index;
  private final String expression;
  private final int dynamicTerms;
  private final String explanation;

  /**
   * A selection.
   *
   * @param kept bit {@code i} is set when slice {@code i} of the listing has to be read
   * @param source {@code pushed} or {@code compiled}: where the expression came from
   * @param index which one it rests on
   * @param expression in words
   * @param dynamicTerms number of the filter's terms that were left out because their values are
   *     known only at run time
   * @param explanation how it was found, null unless it was asked for
   */
  FileSelection(
      BitSet kept,
      String source,
      IndexState index,
      String expression,
      int dynamicTerms,
      @Nullable String explanation) {
    this.kept = (BitSet) kept.clone();
    this.source = source;
    this.index = index;
    this.expression = expression;
    this.dynamicTerms = dynamicTerms;
    this.explanation = explanation;
  }

  /** Whether a slice of the listing has to be read. */
  public boolean keeps(int slice) {
    return kept.get(slice);
  }

  /** The slices of the listing that are kept, in its order. */
  List<FileSlice> of(List<FileSlice> listing) {
    return kept.stream().mapToObj(listing::get).collect(Collectors.toList());
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

  Optional<String> explanation() {
    return Optional.ofNullable(explanation);
  }
}
