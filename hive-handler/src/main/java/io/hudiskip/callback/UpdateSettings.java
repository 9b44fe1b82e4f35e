/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.callback;

import io.hudiskip.CommandWords;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.apache.hudi.config.HoodieWriteConfig;

/** The settings of {@link IndexUpdateCallback}, among the options of the writer. */
final class UpdateSettings {
  /** The command {@code hudi-skip}, in the form of {@link CommandWords}. */
  static final String COMMAND = "hoodie.skipping.callback.command";

  /** More options of {@code hudi-skip index update}, in the form of {@link CommandWords}. */
  static final String OPTIONS = "hoodie.skipping.callback.options";

  /** Directory of the logs; a private one of the user among the temporary files by default. */
  static final String LOG_DIRECTORY = "hoodie.skipping.callback.log.dir";

  private final List<String> command;
  private final List<String> options;
  private final Path logDirectory;

  private UpdateSettings(List<String> command, List<String> options, Path logDirectory) {
    this.command = command;
    this.options = options;
    this.logDirectory = logDirectory;
  }

  static UpdateSettings of(HoodieWriteConfig config) {
    Properties properties = config.getProps();
    List<String> command = CommandWords.of(properties.getProperty(COMMAND, ""));
    String logs = properties.getProperty(LOG_DIRECTORY, "").trim();
    return new UpdateSettings(
        command.isEmpty() ? Collections.singletonList("hudi-skip") : command,
        CommandWords.of(properties.getProperty(OPTIONS, "")),
        logs.isEmpty()
            ? Paths.get(
                System.getProperty("java.io.tmpdir"),
                "hudi-skip-" + System.getProperty("user.name"))
            : Paths.get(logs));
  }

  List<String> command() {
    return command;
  }

  List<String> options() {
    return options;
  }

  Path logDirectory() {
    return logDirectory;
  }
}
