// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import io.hudiskip.table.catalogue.PartitionCatalogues;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/**
 * The {@code hudi.skipping.*} settings: one immutable reading of a configuration.
 *
 * <p>Reading never fails. A malformed value is replaced, with one warning in the log, by a safe
 * one: an unknown mode by {@code off}, a number out of range by its default. {@link #requireKnown}
 * refuses unknown values where a user can see the error.
 *
 * <p>{@code compiler.*} and {@code catalogue.*} name programs to run and servers to connect to.
 * They come from the server or the session, never from a table, whose properties any owner may set.
 */
public final class SkippingConf {
  /** Prefix of every setting. */
  public static final String PREFIX = "hudi.skipping.";

  /** Prefix of the compiler's settings, which are not read from table properties. */
  public static final String COMPILER_PREFIX = PREFIX + "compiler.";

  /** {@link SkippingMode}; of session and table, the more cautious wins. */
  public static final String MODE = PREFIX + "mode";

  /** Whether to explain each scan in the log; {@code true} in session or table is enough. */
  public static final String EXPLAIN = PREFIX + "explain";

  /** Whether to tell the session what its queries read; of the session only. */
  public static final String MESSAGES = PREFIX + "messages";

  /** {@link StatisticsSource}; the session overrides the table. */
  public static final String INDEX = PREFIX + "index";

  /** {@link ListingSource}; the session overrides the table. */
  public static final String LISTING = PREFIX + "listing";

  /** {@link Switch} of skipping by values of joins; the session overrides the table. */
  public static final String JOINS = PREFIX + "joins";

  /** {@link Switch} of answering counts of rows; the session overrides the table. */
  public static final String COUNTS = PREFIX + "counts";

  /** {@link Switch} of skipping by ORDER BY and LIMIT; the session overrides the table. */
  public static final String TOP_K = PREFIX + "topk";

  /**
   * {@link #NO_CATALOGUE} or the name of an installed {@link
   * io.hudiskip.table.catalogue.PartitionCatalogue}; the session overrides the table.
   */
  public static final String CATALOGUE = PREFIX + "catalogue";

  /** Prefix of the settings of partition catalogues, which are not read from table properties. */
  public static final String CATALOGUE_PREFIX = CATALOGUE + ".";

  /** The value of {@link #CATALOGUE} for none. */
  public static final String NO_CATALOGUE = "index";

  /**
   * Command that starts the compiler, as {@link CommandWords}; empty for the compiler in the
   * handler's jar.
   */
  public static final String COMPILER_COMMAND = COMPILER_PREFIX + "command";

  /** A running compiler, {@code unix:/path} or {@code host:port}; empty starts one. */
  public static final String COMPILER_ADDRESS = COMPILER_PREFIX + "address";

  /** Milliseconds for one compilation, connecting included. */
  public static final String COMPILER_TIMEOUT_MS = COMPILER_PREFIX + "timeout.ms";

  /** Bytes of statistics cached per JVM; 0 caches none. */
  public static final String INDEX_CACHE_BYTES = PREFIX + "index.cache.bytes";

  /** Which columns a table has; of the table only. */
  public static final String COLUMNS = PREFIX + "columns";

  /** The settings that a table's properties may have. */
  public static final List<String> OF_TABLE =
      Collections.unmodifiableList(
          Arrays.asList(MODE, EXPLAIN, INDEX, LISTING, JOINS, COUNTS, TOP_K, CATALOGUE, COLUMNS));

  /** The settings that a job takes from the session alone. */
  public static final List<String> OF_SESSION =
      Collections.unmodifiableList(
          Arrays.asList(
              COMPILER_COMMAND,
              COMPILER_ADDRESS,
              COMPILER_TIMEOUT_MS,
              INDEX_CACHE_BYTES,
              MESSAGES));

  private static final Setting<SkippingMode> MODES =
      Setting.choice(MODE, SkippingMode.ON, SkippingMode.OFF, SkippingMode.values());
  private static final Setting<Boolean> EXPLAINS = Setting.flag(EXPLAIN);
  private static final Setting<Boolean> MESSAGE_FLAGS =
      Setting.choice(MESSAGES, true, true, true, false);
  private static final Setting<StatisticsSource> STATISTICS =
      Setting.choice(
          INDEX, StatisticsSource.AUTO, StatisticsSource.PARQUET, StatisticsSource.values());
  private static final Setting<ListingSource> LISTINGS =
      Setting.choice(LISTING, ListingSource.INDEX, ListingSource.FILES, ListingSource.values());
  private static final Setting<Switch> JOIN_SWITCH =
      Setting.choice(JOINS, Switch.ON, Switch.OFF, Switch.values());
  private static final Setting<Switch> COUNT_SWITCH = Setting.switchedOff(COUNTS);
  private static final Setting<Switch> TOP_K_SWITCH = Setting.switchedOff(TOP_K);
  private static final Setting<Long> TIMEOUT =
      Setting.number(COMPILER_TIMEOUT_MS, 2_000, 1, 600_000);
  private static final Setting<Long> CACHE =
      Setting.number(INDEX_CACHE_BYTES, 256L << 20, 0, Long.MAX_VALUE);

  private final SkippingMode mode;
  private final boolean explain;
  private final boolean messages;
  private final StatisticsSource index;
  private final ListingSource listing;
  private final Switch joins;
  private final Switch counts;
  private final Switch topK;
  private final String catalogue;
  private final List<String> compilerCommand;
  private final String compilerAddress;
  private final int compilerTimeoutMillis;
  private final long indexCacheBytes;

  private SkippingConf(Configuration conf, Map<?, ?> table) {
    this.mode =
        SkippingMode.moreCautious(MODES.read(conf.get(MODE)), MODES.read(text(table, MODE)));
    this.explain = EXPLAINS.read(conf.get(EXPLAIN)) || EXPLAINS.read(text(table, EXPLAIN));
    this.messages = MESSAGE_FLAGS.read(conf.get(MESSAGES));
    this.index = STATISTICS.read(sessionFirst(conf, table, INDEX));
    this.listing = LISTINGS.read(sessionFirst(conf, table, LISTING));
    this.joins = JOIN_SWITCH.read(sessionFirst(conf, table, JOINS));
    this.counts = COUNT_SWITCH.read(sessionFirst(conf, table, COUNTS));
    this.topK = TOP_K_SWITCH.read(sessionFirst(conf, table, TOP_K));
    String name = sessionFirst(conf, table, CATALOGUE);
    this.catalogue = name.isEmpty() ? NO_CATALOGUE : name.toLowerCase(Locale.ROOT);
    this.compilerCommand =
        Collections.unmodifiableList(CommandWords.of(conf.get(COMPILER_COMMAND, "")));
    this.compilerAddress = conf.get(COMPILER_ADDRESS, "").trim();
    this.compilerTimeoutMillis = Math.toIntExact(TIMEOUT.read(conf.get(COMPILER_TIMEOUT_MS)));
    this.indexCacheBytes = CACHE.read(conf.get(INDEX_CACHE_BYTES));
  }

  /** The settings of a session or a job. */
  public static SkippingConf of(Configuration conf) {
    return of(conf, Collections.emptyMap());
  }

  /** The settings of a session's queries of a table. */
  public static SkippingConf of(Configuration session, Map<?, ?> tableProperties) {
    return new SkippingConf(session, tableProperties);
  }

  /**
   * Refuses unknown values: a misspelled mode would silently turn skipping off.
   *
   * @param owner of the settings, for the message: session or table
   * @param setting returns the text of a setting by its name, null or blank if it is not set
   * @throws InvalidSettingException naming the setting, its value and the values that exist
   */
  public static void requireKnown(String owner, UnaryOperator<String> setting) {
    for (Setting<?> choice :
        Arrays.asList(
            MODES,
            EXPLAINS,
            MESSAGE_FLAGS,
            STATISTICS,
            LISTINGS,
            JOIN_SWITCH,
            COUNT_SWITCH,
            TOP_K_SWITCH)) {
      choice.requireKnown(owner, setting.apply(choice.name()));
    }
  }

  /**
   * Refuses a catalogue that is not installed. For new properties of a table: a query goes on
   * without the catalogue, so that a missing jar fails none.
   *
   * @throws InvalidSettingException naming the installed ones
   */
  public static void requireInstalledCatalogue(Map<String, String> tableProperties) {
    String name = text(tableProperties, CATALOGUE);
    if (!name.isEmpty()
        && !name.equalsIgnoreCase(NO_CATALOGUE)
        && !PartitionCatalogues.names().contains(name.toLowerCase(Locale.ROOT))) {
      String installed = String.join(", ", PartitionCatalogues.names());
      throw new InvalidSettingException(
          "table",
          CATALOGUE,
          name,
          "index or the name of a partition catalogue whose jar is on the class path; installed: "
              + (installed.isEmpty() ? "none" : installed));
    }
  }

  private static String sessionFirst(Configuration conf, Map<?, ?> table, String name) {
    String session = conf.get(name, "").trim();
    return session.isEmpty() ? text(table, name) : session;
  }

  private static String text(Map<?, ?> properties, String name) {
    Object value = properties.get(name);
    return value == null ? "" : value.toString().trim();
  }

  public SkippingMode mode() {
    return mode;
  }

  public boolean explain() {
    return explain;
  }

  /** Whether the session is told what its queries read. */
  public boolean messages() {
    return messages;
  }

  public StatisticsSource index() {
    return index;
  }

  public ListingSource listing() {
    return listing;
  }

  public Switch joins() {
    return joins;
  }

  public Switch counts() {
    return counts;
  }

  public Switch topK() {
    return topK;
  }

  public String catalogue() {
    return catalogue;
  }

  /** Words of {@link #COMPILER_COMMAND}, none for the compiler in the handler's jar. */
  public List<String> compilerCommand() {
    return compilerCommand;
  }

  /** {@link #COMPILER_ADDRESS}, empty if there is none. */
  public String compilerAddress() {
    return compilerAddress;
  }

  public int compilerTimeoutMillis() {
    return compilerTimeoutMillis;
  }

  public long indexCacheBytes() {
    return indexCacheBytes;
  }

  /** Equal for configurations that use the same compiler. */
  public List<Object> compilerKey() {
    return Arrays.asList(compilerCommand, compilerAddress, compilerTimeoutMillis);
  }
}
