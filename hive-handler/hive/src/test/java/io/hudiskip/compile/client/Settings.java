// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.settings.SkippingConf;
import org.apache.hadoop.conf.Configuration;

/** Settings of the compiler. */
public final class Settings {
  private Settings() {}

  /** The command hudi-skip, which starts the Python compiler. */
  public static String command() {
    String command = System.getProperty("hudiskip.command", "");
    assertThat(command)
        .as("system property hudiskip.command, the command hudi-skip; 'make test' sets it")
        .isNotBlank();
    return command;
  }

  static SkippingConf settings(String... pairs) {
    return SkippingConf.of(configuration(pairs));
  }

  /** From pairs of key and value. */
  public static Configuration configuration(String... pairs) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < pairs.length; i += 2) {
      conf.set(pairs[i], pairs[i + 1]);
    }
    return conf;
  }
}
