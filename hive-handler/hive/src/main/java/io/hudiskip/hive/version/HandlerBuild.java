// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.version;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** What this jar was built from, as Maven wrote it. */
public final class HandlerBuild {
  private static final String RESOURCE = "build.properties";
  private static final Properties PROPERTIES = read();

  private HandlerBuild() {}

  /** The release of the handler. */
  public static String version() {
    return PROPERTIES.getProperty("version");
  }

  /** The release of Hive that it was compiled with. */
  public static String hive() {
    return PROPERTIES.getProperty("hive");
  }

  /** The release of Hudi that it contains. */
  public static String hudi() {
    return PROPERTIES.getProperty("hudi");
  }

  private static Properties read() {
    Properties properties = new Properties();
    try (InputStream in = HandlerBuild.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + RESOURCE);
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }
}
