/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.index.LiveTotals;
import io.hudiskip.index.SeenTimeline;
import io.hudiskip.index.manifest.JsonFields;
import io.hudiskip.index.manifest.ManifestFormatException;
import io.hudiskip.plan.KeyLayout;
import io.hudiskip.plan.PlanFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a catalogue says of itself: of which state of the table it has the partitions. Immutable.
 */
public final class CatalogueGeneration {
  private static final int FORMAT_VERSION = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KeyLayout layout;
  private final long unkeyed;
  private final LiveTotals live;
  private final SeenTimeline seen;

  private CatalogueGeneration(KeyLayout layout, long unkeyed, LiveTotals live, SeenTimeline seen) {
    this.layout = layout;
    this.unkeyed = unkeyed;
    this.live = live;
    this.seen = seen;
  }

  /**
   * Reads the document that was published with the partitions ({@code docs/scan-plans.md}).
   *
   * @throws CatalogueUnavailableException when it is damaged or of another version
   */
  public static CatalogueGeneration parse(byte[] document) throws CatalogueUnavailableException {
    try {
      JsonNode root = JSON.readTree(document);
      if (JsonFields.count(root, "format_version") != FORMAT_VERSION) {
        throw new CatalogueUnavailableException(
            "the catalogue has format version " + root.get("format_version"));
      }
      List<String> names = new ArrayList<>();
      List<String> types = new ArrayList<>();
      for (JsonNode column : JsonFields.array(root, "columns")) {
        names.add(JsonFields.text(column, "name"));
        types.add(JsonFields.text(column, "type"));
      }
      return new CatalogueGeneration(
          KeyLayout.of(names, types),
          JsonFields.count(root, "unkeyed"),
          JsonFields.live(root),
          JsonFields.seen(root));
    } catch (IOException | ManifestFormatException | PlanFormatException e) {
      throw new CatalogueUnavailableException(
          "the catalogue's document cannot be read: " + e.getMessage(), e);
    }
  }

  /** How the keys of its partitions are made. */
  public KeyLayout layout() {
    return layout;
  }

  /** How many of its partitions have no key. */
  public long unkeyed() {
    return unkeyed;
  }

  /** The table's files then, counted. */
  public LiveTotals live() {
    return live;
  }

  /** After which instants these were the table's partitions that had files. */
  public SeenTimeline seen() {
    return seen;
  }
}
