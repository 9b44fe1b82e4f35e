// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.places;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A planar polygon with an outer ring and holes, in Well-Known Text: {@code POLYGON((x y, x y, …),
 * (x y, …))}, each ring closed.
 *
 * <p>Points are tested by the even-odd rule over all rings, computed with doubles; a point on an
 * edge, by the doubles' arithmetic, counts as inside. No point outside the outer ring's bounding
 * box is inside.
 */
final class Polygon {
  private static final Pattern WKT =
      Pattern.compile("\\s*POLYGON\\s*\\((.*)\\)\\s*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern RING = Pattern.compile("\\s*\\(([^()]*)\\)\\s*(,|$)");
  private static final int MIN_POINTS = 4;

  private final List<double[][]> rings;

  private Polygon(List<double[][]> rings) {
    this.rings = Collections.unmodifiableList(rings);
  }

  /**
   * Parses Well-Known Text.
   *
   * @throws IllegalArgumentException if it is no polygon; the message says why
   */
  static Polygon parse(String wkt) {
    Matcher whole = WKT.matcher(wkt);
    if (!whole.matches()) {
      throw new IllegalArgumentException(
          "not a polygon in Well-Known Text, as POLYGON((lon lat, lon lat, …)): " + wkt);
    }
    String body = whole.group(1);
    Matcher ring = RING.matcher(body);
    List<double[][]> rings = new ArrayList<>();
    int end = 0;
    boolean more = true;
    while (more && ring.find() && ring.start() == end) {
      rings.add(ring(ring.group(1)));
      end = ring.end();
      more = !ring.group(2).isEmpty();
    }
    if (rings.isEmpty() || end != body.length() || more) {
      throw new IllegalArgumentException("cannot read the rings of the polygon: " + wkt);
    }
    return new Polygon(rings);
  }

  private static double[][] ring(String text) {
    String[] points = text.split(",", -1);
    double[][] ring = new double[points.length][];
    for (int i = 0; i < points.length; i++) {
      ring[i] = point(points[i].trim());
    }
    double[] first = ring[0];
    double[] last = ring[ring.length - 1];
    if (ring.length < MIN_POINTS || first[0] != last[0] || first[1] != last[1]) {
      throw new IllegalArgumentException(
          "a ring needs at least four points and must end with its first: " + text);
    }
    return ring;
  }

  private static double[] point(String text) {
    String[] coordinates = text.split("\\s+", -1);
    if (coordinates.length == 2) {
      try {
        double x = Double.parseDouble(coordinates[0]);
        double y = Double.parseDouble(coordinates[1]);
        if (Double.isFinite(x) && Double.isFinite(y)) {
          return new double[] {x, y};
        }
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(notAPoint(text), e);
      }
    }
    throw new IllegalArgumentException(notAPoint(text));
  }

  private static String notAPoint(String text) {
    return String.format(Locale.ROOT, "not a point, as 'lon lat': %s", text);
  }

  /** Whether a point lies inside or on the boundary; false for NaN. */
  boolean contains(double x, double y) {
    boolean inside = false;
    for (double[][] ring : rings) {
      for (int i = 1; i < ring.length; i++) {
        double[] a = ring[i - 1];
        double[] b = ring[i];
        if (isOn(a, b, x, y)) {
          return true;
        }
        if (crosses(a, b, x, y)) {
          inside = !inside;
        }
      }
    }
    return inside;
  }

  private static boolean isOn(double[] a, double[] b, double x, double y) {
    return x >= Math.min(a[0], b[0])
        && x <= Math.max(a[0], b[0])
        && y >= Math.min(a[1], b[1])
        && y <= Math.max(a[1], b[1])
        && (b[0] - a[0]) * (y - a[1]) == (b[1] - a[1]) * (x - a[0]);
  }

  /** Whether the edge crosses the ray from the point towards greater x. */
  private static boolean crosses(double[] a, double[] b, double x, double y) {
    if ((a[1] > y) == (b[1] > y) || x > Math.max(a[0], b[0])) {
      return false; // the second: beyond the edge, whatever the rounding
    }
    return x < Math.min(a[0], b[0]) || x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0];
  }
}
