// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import io.hudiskip.table.catalogue.PartitionCatalogues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;

/** Finds names with our prefix that no setting has: they would silently do nothing. */
public final class UnknownSettings {
  /** Also {@code hudi.skip.mode}, after the name of the command. */
  private static final Pattern OURS =
      Pattern.compile("hudi\\.skip[^.]*\\.(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private UnknownSettings() {}

  /**
   * Refuses names that the session has set. Those in {@code hive-site.xml} pass: a session cannot
   * change them, and they may be settings of a newer release, whose jar this server does not have
   * yet.
   *
   * @throws InvalidSettingException naming the setting and, if there is one, a similar name
   */
  public static void refuse(Configuration session) {
    for (String name : unknown(session)) {
      if (!isOfServer(session, name)) {
        throw new InvalidSettingException(
            objection(name, "session", ofSession())
                + " To go on without it, run SET "
                + name
                + "=");
      }
    }
  }

  /** What is wrong with the names in {@code hive-site.xml} and in a table's properties. */
  public static List<String> ofServerAndTable(Configuration session, Map<?, ?> tableProperties) {
    List<String> objections = new ArrayList<>();
    for (String name : unknown(session)) {
      if (isOfServer(session, name)) {
        objections.add(objection(name, "session", ofSession()));
      }
    }
    objections.addAll(ofTable(tableProperties));
    return objections;
  }

  /** What is wrong with the names in a table's properties. */
  public static List<String> ofTable(Map<?, ?> properties) {
    List<String> objections = new ArrayList<>();
    for (Object property : new TreeSet<>(properties.keySet())) {
      String name = property.toString();
      if (OURS.matcher(name).matches() && !SkippingConf.OF_TABLE.contains(name)) {
        objections.add("the table property " + objection(name, "table", SkippingConf.OF_TABLE));
      }
    }
    return objections;
  }

  /** The names that have a value and are no settings of a session. */
  private static Set<String> unknown(Configuration session) {
    Set<String> names = new TreeSet<>();
    for (Map.Entry<String, String> setting : session) {
      if (OURS.matcher(setting.getKey()).matches() && !StringUtils.isBlank(setting.getValue())) {
        names.add(setting.getKey());
      }
    }
    names.removeAll(ofSession());
    names.removeIf(UnknownSettings::isOfMissingCatalogue);
    return names;
  }

  private static List<String> ofSession() {
    List<String> names = new ArrayList<>(SkippingConf.OF_TABLE);
    names.remove(SkippingConf.COLUMNS);
    names.addAll(SkippingConf.OF_SESSION);
    names.addAll(PartitionCatalogues.settings());
    return names;
  }

  /** Only its jar knows the names of its settings. */
  private static boolean isOfMissingCatalogue(String name) {
    return name.startsWith(SkippingConf.CATALOGUE_PREFIX)
        && PartitionCatalogues.names().stream()
            .noneMatch(known -> name.startsWith(SkippingConf.CATALOGUE_PREFIX + known + '.'));
  }

  private static boolean isOfServer(Configuration session, String name) {
    String[] sources = session.getPropertySources(name);
    return sources != null && sources[0].endsWith(".xml");
  }

  private static String objection(String name, String owner, List<String> settings) {
    String own = withoutPrefix(name);
    String nearest =
        Collections.min(
            settings, Comparator.comparingInt(setting -> edits(own, withoutPrefix(setting))));
    boolean isSimilar = edits(own, withoutPrefix(nearest)) <= Math.max(2, own.length() / 3);
    return String.format(
        "%s does nothing: hudi-skip has no such setting of a %s%s",
        name,
        owner,
        isSimilar
            ? ". Did you mean " + nearest + "?"
            : ", but only " + String.join(", ", settings) + ".");
  }

  private static String withoutPrefix(String name) {
    Matcher ours = OURS.matcher(name);
    return ours.matches() ? ours.group(1).toLowerCase(Locale.ROOT) : name;
  }

  @SuppressWarnings("deprecation") // its successor is in a library that Hive need not have
  private static int edits(String one, String other) {
    return StringUtils.getLevenshteinDistance(one, other);
  }
}
