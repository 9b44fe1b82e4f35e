/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.mode;

import io.hudiskip.InvalidSettingException;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings of a session that name a table as Hive does where Hudi calls it something else: {@link
 * QuerySettings} would not see them, and the query would read another state than was asked for.
 */
public final class MisnamedSettings {
  private static final Logger LOG = LoggerFactory.getLogger(MisnamedSettings.class);
  private static final String HUDI = "hoodie.";
  private static final Pattern CONSUME = Pattern.compile("(.+)(\\.consume\\..+)");

  private MisnamedSettings() {}

  /**
   * Refuses a setting that names a table by its Hive name alone, whatever it asks for.
   *
   * @param session its settings
   * @param hiveName database and name in Hive, which have no case
   * @param location the table's root directory
   * @throws InvalidSettingException naming the setting and the right one
   */
  public static void refuse(Configuration session, String hiveName, String location) {
    List<String> hudis = null;
    for (Map.Entry<String, String> setting : session.getPropsWithPrefix(HUDI).entrySet()) {
      Matcher consume = CONSUME.matcher(setting.getKey());
      String value = setting.getValue().trim();
      if (value.isEmpty() || !consume.matches() || !isNameOf(consume.group(1), hiveName)) {
        continue;
      }
      try {
        hudis = hudis == null ? HudiTable.names(session, location) : hudis;
      } catch (UnreadableTableException e) { // the listing says so
        LOG.debug("It is not known what Hudi calls {}", location, e);
        return;
      }
      if (!hudis.contains(consume.group(1))) {
        throw misnamed(setting.getKey(), value, consume, hiveName, hudis.get(hudis.size() - 1));
      }
    }
  }

  private static boolean isNameOf(String name, String hiveName) {
    return name.equalsIgnoreCase(hiveName)
        || name.equalsIgnoreCase(hiveName.substring(hiveName.indexOf('.') + 1));
  }

  private static InvalidSettingException misnamed(
      String key, String value, Matcher consume, String hiveName, String hudis) {
    return new InvalidSettingException(
        HUDI
            + key
            + "="
            + value
            + " names a table as Hive does, and Hudi calls "
            + hiveName
            + " "
            + hudis
            + ": SET "
            + HUDI
            + key
            + "= to take it back, and SET "
            + HUDI
            + hudis
            + consume.group(2)
            + "="
            + value
            + ". If it is for another table, which Hudi calls "
            + consume.group(1)
            + ", give "
            + hiveName
            + " another name in Hive");
  }
}
