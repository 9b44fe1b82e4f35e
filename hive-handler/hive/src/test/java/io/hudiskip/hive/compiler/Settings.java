// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.compiler;

import io.hudiskip.hive.settings.SkippingConf;
import org.apache.hadoop.conf.Configuration;

/** Settings from pairs of key and value. */
final class Settings {
  private Settings() {}

  static SkippingConf settings(String... pairs) {
    return SkippingConf.of(configuration(pairs));
  }

  static Configuration configuration(String... pairs) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < pairs.length; i += 2) {
      conf.set(pairs[i], pairs[i + 1]);
    }
    return conf;
  }
}
