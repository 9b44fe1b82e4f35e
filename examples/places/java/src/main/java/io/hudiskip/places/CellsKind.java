// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.places;

import io.hudiskip.compile.kind.IndexKind;
import io.hudiskip.compile.statistics.Content;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/** {@code cells}: the S2 cells that contain a file's places; see {@code cells.py}. */
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
      // Otherwise the file has no matching place: it would be in a cell of the question and one of
      // the file's, and these would share a smallest cell.
      return CellUnion.read(question).map(cells::intersects).orElse(true);
    }
  }
}
