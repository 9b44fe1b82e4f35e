/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.places;

import io.hudiskip.kind.IndexKind;
import io.hudiskip.statistics.Content;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/** {@code cells}: the S2 cells in which a file's places lie; see {@code cells.py}. */
public final class CellsKind implements IndexKind {

  @Override
  public String name() {
    return "cells";
  }

  @Override
  public Set<Answer> answers() {
    return Collections.singleton(Answer.QUESTIONS);
  }

  @Override
  public Optional<Content> read(byte[] content) {
    return CellUnion.read(content).map(CellSet::new);
  }

  private static final class CellSet implements Content {
    private final CellUnion cells;

    CellSet(CellUnion cells) {
      this.cells = cells;
    }

    @Override
    public boolean mayMatch(byte[] question) {
      // Otherwise no wanted place is in the file: it would be in a cell of the question and in one
      // of the file's, and these would have a smallest cell in common.
      return CellUnion.read(question).map(cells::intersects).orElse(true);
    }
  }
}
