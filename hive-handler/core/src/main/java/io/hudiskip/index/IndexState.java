// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Which index a selection of files is based on, for people and programs. Immutable. */
public final class IndexState {
  private final String text;
  private final Map<String, String> fields;

  private IndexState(String text, Map<String, String> fields) {
    this.text = text;
    this.fields = fields;
  }

  /** {@code instant} is the last instant that the index has seen. */
  public static IndexState of(long generation, String instant) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("generation", Long.toString(generation));
    fields.put("instant", instant);
    return new IndexState(
        "generation " + generation + ", instant " + instant, Collections.unmodifiableMap(fields));
  }

  public static IndexState none(String reason) {
    return of("none: " + reason);
  }

  /** Statistics other than of this project's index; {@code text} says which, for display. */
  public static IndexState of(String text) {
    return new IndexState(text, Collections.singletonMap("index", text));
  }

  /** One line. */
  public String text() {
    return text;
  }

  /** The same as ordered fields. */
  public Map<String, String> fields() {
    return fields;
  }
}
