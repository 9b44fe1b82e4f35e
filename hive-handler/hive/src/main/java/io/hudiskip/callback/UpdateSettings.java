// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.callback;

import io.hudiskip.hive.settings.CommandWords;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hudi.config.HoodieWriteConfig;

/** The settings of {@link IndexUpdateCallback}, read from the writer's options. */
final class UpdateSettings {
  static final String COMMAND = "hoodie.skipping.callback.command";

  /** More options of {@code hudi-skip index update}, in the form of {@link CommandWords}. */
  static final String OPTIONS = "hoodie.skipping.callback.options";

  /** Directory of the logs; by default a private temporary directory of the user. */
  static final String LOG_DIRECTORY = "hoodie.skipping.callback.log.dir";

  private static final String PREFIX = "hoodie.skipping.callback.";
  private static final List<String> KNOWN = Arrays.asList(COMMAND, OPTIONS, LOG_DIRECTORY);

  private UpdateSettings() {}

  /** Options of the writer that look like settings of the callback and are none, sorted. */
  static List<String> unknown(HoodieWriteConfig config) {
    return config.getProps().stringPropertyNames().stream()
        .filter(name -> name.startsWith(PREFIX) && !KNOWN.contains(name))
        .sorted()
        .collect(Collectors.toList());
  }

  /** The names of all settings, for messages. */
  static String known() {
    return String.join(", ", KNOWN);
  }

  /** The whole command that updates a table's index. */
  static List<String> command(HoodieWriteConfig config, String table) {
    List<String> command =
        new ArrayList<>(CommandWords.of(config.getProps().getProperty(COMMAND, "")));
    if (command.isEmpty()) {
      command.add("hudi-skip");
    }
    command.addAll(Arrays.asList("index", "update", "--after-commit"));
    command.addAll(CommandWords.of(config.getProps().getProperty(OPTIONS, "")));
    command.addAll(Arrays.asList("--", table));
    return command;
  }

  static Path logDirectory(HoodieWriteConfig config) {
    String logs = config.getProps().getProperty(LOG_DIRECTORY, "").trim();
    return logs.isEmpty()
        ? Paths.get(
            System.getProperty("java.io.tmpdir"), "hudi-skip-" + System.getProperty("user.name"))
        : Paths.get(logs);
  }
}
