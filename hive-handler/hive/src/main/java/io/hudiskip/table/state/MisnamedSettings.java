// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import io.hudiskip.hive.settings.InvalidSettingException;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects session settings that use a table's Hive name where Hudi has another: {@link
 * QuerySettings} would ignore them, and the query would read the wrong state.
 */
public final class MisnamedSettings {
  private static final Logger LOG = LoggerFactory.getLogger(MisnamedSettings.class);
  private static final String HUDI = "hoodie.";
  private static final Pattern CONSUME = Pattern.compile("(.+)(\\.consume\\..+)");

  private MisnamedSettings() {}

  /**
   * Rejects settings that name a table only by its Hive name, whatever they request.
   *
   * @param hiveName database and name in Hive, case-insensitive
   * @throws InvalidSettingException naming the setting and its replacement
   */
  public static void refuse(Configuration session, String hiveName, String location) {
    List<String> hudiNames = null;
    for (Map.Entry<String, String> setting : session.getPropsWithPrefix(HUDI).entrySet()) {
      Matcher consume = CONSUME.matcher(setting.getKey());
      String value = setting.getValue().trim();
      if (value.isEmpty() || !consume.matches() || !isNameOf(consume.group(1), hiveName)) {
        continue;
      }
      try {
        hudiNames = hudiNames == null ? HudiTable.names(session, location) : hudiNames;
      } catch (UnreadableTableException e) { // the listing reports it
        LOG.debug("Cannot read Hudi's name of {}", location, e);
        return;
      }
      if (!hudiNames.contains(consume.group(1))) {
        String hudiName = hudiNames.get(hudiNames.size() - 1);
        throw new InvalidSettingException(
            String.format(
                "hoodie.%1$s=%2$s uses the table's name in Hive, %3$s, but Hudi calls the table %4$s:"
                    + " run SET hoodie.%1$s= and then SET hoodie.%4$s%5$s=%2$s. If you meant the"
                    + " table that Hudi calls %6$s, rename the Hive table %3$s",
                setting.getKey(), value, hiveName, hudiName, consume.group(2), consume.group(1)));
      }
    }
  }

  private static boolean isNameOf(String name, String hiveName) {
    return name.equalsIgnoreCase(hiveName)
        || name.equalsIgnoreCase(hiveName.substring(hiveName.indexOf('.') + 1));
  }
}
