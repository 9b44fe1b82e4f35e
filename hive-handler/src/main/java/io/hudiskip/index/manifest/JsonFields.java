/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.index.LiveTotals;
import io.hudiskip.index.SeenTimeline;
import java.util.ArrayList;
import java.util.List;

/** Fields of JSON objects that must be there and of the right type. */
public final class JsonFields {
  private JsonFields() {}

  /** A field that must be there. */
  public static JsonNode field(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = object.get(key);
    if (value == null) {
      throw new ManifestFormatException("it has no \"" + key + "\"");
    }
    return value;
  }

  /** A string. */
  public static String text(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = field(object, key);
    if (!value.isTextual()) {
      throw new ManifestFormatException("\"" + key + "\" is not a string");
    }
    return value.textValue();
  }

  /** A list of strings. */
  public static List<String> texts(JsonNode object, String key) throws ManifestFormatException {
    List<String> texts = new ArrayList<>();
    for (JsonNode value : array(object, key)) {
      if (!value.isTextual()) {
        throw new ManifestFormatException("\"" + key + "\" has what is not a string");
      }
      texts.add(value.textValue());
    }
    return texts;
  }

  /** A whole number of 0 or more. */
  public static long count(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = field(object, key);
    if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
      throw new ManifestFormatException("\"" + key + "\" is not a whole number of 0 or more");
    }
    return value.longValue();
  }

  /** A list. */
  public static JsonNode array(JsonNode object, String key) throws ManifestFormatException {
    JsonNode value = field(object, key);
    if (!value.isArray()) {
      throw new ManifestFormatException("\"" + key + "\" is not a list");
    }
    return value;
  }

  /** What an index, or a catalogue made of it, has seen of the timeline. */
  public static SeenTimeline seen(JsonNode root) throws ManifestFormatException {
    JsonNode timeline = field(root, "timeline");
    return new SeenTimeline(texts(timeline, "completed"), texts(timeline, "pending"));
  }

  /** How large the table was then. */
  public static LiveTotals live(JsonNode root) throws ManifestFormatException {
    JsonNode live = field(root, "live");
    return new LiveTotals(count(live, "files"), count(live, "rows"), count(live, "bytes"));
  }
}
