// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hiveserver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * HiveServer2 with Tez's application master in its process, as {@code hudi-skip hiveserver} starts
 * it.
 *
 * <p>An application master registers metrics under fixed names and never releases them. Without
 * this class, Hive could not replace it after a failure, and every later query would fail.
 */
public final class EmbeddedHiveServer {
  /** By name: the service is not a dependency of the handler. */
  private static final String SERVER = "org.apache.hive.service.server.HiveServer2";

  private EmbeddedHiveServer() {}

  public static void main(String[] arguments) throws ReflectiveOperationException {
    DefaultMetricsSystem.setMiniClusterMode(true); // numbers duplicate names instead of failing
    Method main = Class.forName(SERVER).getMethod("main", String[].class);
    try {
      main.invoke(null, (Object) arguments);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("cannot start HiveServer2", e.getCause());
    }
  }
}
