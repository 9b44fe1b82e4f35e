// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.index.LiveTotals;
import io.hudiskip.index.SeenTimeline;
import java.util.ArrayList;
import java.util.List;

/** Reads required, typed fields of JSON objects. */
public final class JsonFields {
  private JsonFields() {}

  public static JsonNode field(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = object.get(key);
    if (value == null) {
      throw new ManifestFormatException("it lacks \"" + key + "\"");
    }
    return value;
  }

  public static String text(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = field(object, key);
    if (!value.isTextual()) {
      throw new ManifestFormatException("\"" + key + "\" is not a string");
    }
    return value.textValue();
  }

  public static List<String> texts(JsonNode object, String key) throws ManifestFormatException {
    List<String> texts = new ArrayList<>();
    for (JsonNode value : array(object, key)) {
      if (!value.isTextual()) {
        throw new ManifestFormatException("\"" + key + "\" contains a non-string");
      }
      texts.add(value.textValue());
    }
    return texts;
  }

  public static long count(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = field(object, key);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw new ManifestFormatException("\"" + key + "\" is not a non-negative integer");
    }
    return value.longValue();
  }

  public static JsonNode array(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = field(object, key);
    if (!value.isArray()) {
      throw new ManifestFormatException("\"" + key + "\" is not a list");
    }
    return value;
  }

  /** The part of the timeline that an index, or a catalogue built from it, has seen. */
  public static SeenTimeline seen(JsonNode root) throws ManifestFormatException {
    JsonNode timeline = field(root, "timeline");
    return new SeenTimeline(texts(timeline, "completed"), texts(timeline, "pending"));
  }

  public static LiveTotals live(JsonNode root) throws ManifestFormatException {
    JsonNode live = field(root, "live");
    return new LiveTotals(count(live, "files"), count(live, "rows"), count(live, "bytes"));
  }
}
