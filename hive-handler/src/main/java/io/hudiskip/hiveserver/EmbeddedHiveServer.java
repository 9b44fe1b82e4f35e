/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hiveserver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * HiveServer2 with Tez's application master in its process, as {@code hudi-skip hiveserver} starts
 * it.
 *
 * <p>An application master registers metrics under fixed names and never gives them up. Without
 * this class the first one would be the last: Hive could not replace it after a failure, and every
 * later query would fail.
 */
public final class EmbeddedHiveServer {
  /** Named, not imported: the service is no dependency of the handler. */
  private static final String SERVER = "org.apache.hive.service.server.HiveServer2";

  private EmbeddedHiveServer() {}

  /** Starts HiveServer2 with its own command line. */
  public static void main(String[] arguments) throws ReflectiveOperationException {
    DefaultMetricsSystem.setMiniClusterMode(true); // a second name is numbered, not refused
    Method main = Class.forName(SERVER).getMethod("main", String[].class);
    try {
      main.invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("HiveServer2 cannot be started", e.getCause());
    }
  }
}
