// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.compile.plan.KeyLayout;
import io.hudiskip.compile.plan.PlanFormatException;
import io.hudiskip.index.LiveTotals;
import io.hudiskip.index.SeenTimeline;
import io.hudiskip.index.manifest.JsonFields;
import io.hudiskip.index.manifest.ManifestFormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The table state that a catalogue's partitions belong to. Immutable. */
public final class CatalogueGeneration {
  private static final int FORMAT_VERSION = 2;
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
   * Reads the document published with the partitions ({@code docs/inside/formats.md}).
   *
   * @throws CatalogueUnavailableException when it is damaged or of another version
   */
  public static CatalogueGeneration parse(byte[] document) throws CatalogueUnavailableException {
    try {
      JsonNode root = JSON.readTree(document);
      if (JsonFields.count(root, "format_version") != FORMAT_VERSION) {
        throw new CatalogueUnavailableException(
            "the catalogue has the unsupported format version " + root.get("format_version"));
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
          "cannot read the catalogue's document: " + e.getMessage(), e);
    }
  }

  public KeyLayout layout() {
    return layout;
  }

  public long unkeyed() {
    return unkeyed;
  }

  /** The table's totals at that state. */
  public LiveTotals live() {
    return live;
  }

  /** The instants after which these were the table's partitions with files. */
  public SeenTimeline seen() {
    return seen;
  }
}
