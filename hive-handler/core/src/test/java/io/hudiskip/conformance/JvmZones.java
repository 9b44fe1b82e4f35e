// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.conformance;

import java.util.Arrays;
import java.util.List;
import java.util.TimeZone;

/** Runs a check in time zones on both sides of UTC, one with daylight saving time. */
public final class JvmZones {
  private static final List<String> ZONES =
      Arrays.asList("America/Los_Angeles", "UTC", "Asia/Kolkata");

  private JvmZones() {}

  /** A check that may throw. */
  @FunctionalInterface
  public interface Check {
    void run(String zone) throws Exception;
  }

  /** Runs the check once in each zone, and puts the JVM's own zone back. */
  public static void inEach(Check check) throws Exception {
    TimeZone before = TimeZone.getDefault();
    try {
      for (String zone : ZONES) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        check.run(zone);
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }
}
