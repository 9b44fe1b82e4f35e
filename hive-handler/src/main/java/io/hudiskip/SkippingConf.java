/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@code hudi.skipping.*} settings: one immutable reading of a configuration.
 *
 * <p>Reading never fails. A number that is malformed or out of its range is replaced by the
 * default, an unknown mode by {@code off} (without skipping every answer is right); either is said
 * once in the log. Where a user can be told, {@link #requireKnown} is asked first.
 *
 * <p>The {@code compiler.*} settings name a program to run and an address to talk to, and {@code
 * catalogue.hbase.*} an address, so they must come from the server or the session and never from
 * the properties of a table, which belong to whoever created it.
 */
public final class SkippingConf {
  /** Prefix of every setting. */
  public static final String PREFIX = "hudi.skipping.";

  /** Prefix of the settings that are not read from table properties. */
  public static final String COMPILER_PREFIX = PREFIX + "compiler.";

  /**
   * A {@link SkippingMode}, default {@code on}; session and table property, the more cautious wins.
   */
  public static final String MODE = PREFIX + "mode";

  /**
   * Whether each scan is explained in the log, default {@code false}; session and table property,
   * {@code true} in either is enough.
   */
  public static final String EXPLAIN = PREFIX + "explain";

  /**
   * Command that starts the predicate compiler, default {@code hudi-skip}: words separated by
   * blanks, a word with blanks in double quotes.
   */
  public static final String COMPILER_COMMAND = COMPILER_PREFIX + "command";

  /**
   * Running compiler to use, {@code unix:/path} or {@code host:port}; empty (default): start our
   * own.
   */
  public static final String COMPILER_ADDRESS = COMPILER_PREFIX + "address";

  /** Milliseconds for one compilation, connecting included; default 2000. */
  public static final String COMPILER_TIMEOUT_MS = COMPILER_PREFIX + "timeout.ms";

  /** Milliseconds for the compiler to start; default 10000. */
  public static final String COMPILER_START_TIMEOUT_MS = COMPILER_PREFIX + "start.timeout.ms";

  /** Restarts of the compiler in 10 minutes; default 3. */
  public static final String COMPILER_MAX_RESTARTS = COMPILER_PREFIX + "max.restarts";

  /** Largest message to and from the compiler, in bytes; default 4194304. */
  public static final String COMPILER_MAX_MESSAGE_BYTES = COMPILER_PREFIX + "max.message.bytes";

  /** Compiled predicates that are kept; default 1000, 0 keeps none. */
  public static final String COMPILER_CACHE_ENTRIES = COMPILER_PREFIX + "cache.entries";

  /**
   * An {@link IndexLayout}, default {@code parquet}; session and table property, the session wins.
   */
  public static final String INDEX = PREFIX + "index";

  /**
   * A {@link ListingSource}, default {@code index}; session and table property, the session wins.
   */
  public static final String LISTING = PREFIX + "listing";

  /**
   * A {@link PartitionSource}, default {@code index}; session and table property, the session wins.
   */
  public static final String CATALOGUE = PREFIX + "catalogue";

  /** Prefix of the settings of the catalogue in HBase, which are not read from table properties. */
  public static final String HBASE_PREFIX = CATALOGUE + ".hbase.";

  /** HBase's ZooKeepers, {@code host:port} with commas between them. */
  public static final String HBASE_QUORUM = HBASE_PREFIX + "quorum";

  /** The HBase table that has the catalogue's rows; default {@code hudi_skip_partitions}. */
  public static final String HBASE_TABLE = HBASE_PREFIX + "table";

  /** Milliseconds for one look into HBase, connecting included; default 2000. */
  public static final String HBASE_TIMEOUT_MS = HBASE_PREFIX + "timeout.ms";

  /** Bytes of statistics that are kept in the JVM; default 268435456, 0 keeps none. */
  public static final String INDEX_CACHE_BYTES = PREFIX + "index.cache.bytes";

  private static final String MODES = "on, shadow or off";
  private static final String TRUTH_VALUES = "true or false";
  private static final String LAYOUTS = "parquet, metadata-table or auto";
  private static final String SOURCES = "index or files";
  private static final String CATALOGUES = "index or hbase";

  private static final Logger LOG = LoggerFactory.getLogger(SkippingConf.class);
  private static final int REPORTED_LIMIT = 1000;
  private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

  private final SkippingMode mode;
  private final boolean explain;
  private final IndexLayout index;
  private final ListingSource listing;
  private final PartitionSource catalogue;
  private final String hbaseQuorum;
  private final String hbaseTable;
  private final int hbaseTimeoutMillis;
  private final List<String> compilerCommand;
  private final String compilerAddress;
  private final int compilerTimeoutMillis;
  private final int compilerStartTimeoutMillis;
  private final int compilerMaxRestarts;
  private final int compilerMaxMessageBytes;
  private final int compilerCacheEntries;
  private final long indexCacheBytes;

  private SkippingConf(Configuration conf) {
    this.mode = mode(conf.get(MODE));
    this.explain = isTrue(conf.get(EXPLAIN));
    this.index = index(conf, Collections.emptyMap());
    this.listing = listing(conf, Collections.emptyMap());
    this.catalogue = catalogue(conf, Collections.emptyMap());
    this.hbaseQuorum = conf.get(HBASE_QUORUM, "").trim();
    String table = conf.get(HBASE_TABLE, "").trim();
    this.hbaseTable = table.isEmpty() ? "hudi_skip_partitions" : table;
    this.hbaseTimeoutMillis = integer(conf, HBASE_TIMEOUT_MS, 2_000, 1, 600_000);
    List<String> words = CommandWords.of(conf.get(COMPILER_COMMAND, ""));
    this.compilerCommand =
        words.isEmpty()
            ? Collections.singletonList("hudi-skip")
            : Collections.unmodifiableList(words);
    this.compilerAddress = conf.get(COMPILER_ADDRESS, "").trim();
    this.compilerTimeoutMillis = integer(conf, COMPILER_TIMEOUT_MS, 2_000, 1, 600_000);
    this.compilerStartTimeoutMillis = integer(conf, COMPILER_START_TIMEOUT_MS, 10_000, 1, 600_000);
    this.compilerMaxRestarts = integer(conf, COMPILER_MAX_RESTARTS, 3, 0, 1_000);
    this.compilerMaxMessageBytes =
        integer(conf, COMPILER_MAX_MESSAGE_BYTES, 4 << 20, 1 << 10, 1 << 28);
    this.compilerCacheEntries = integer(conf, COMPILER_CACHE_ENTRIES, 1_000, 0, 1_000_000);
    this.indexCacheBytes = number(conf, INDEX_CACHE_BYTES, 256L << 20, 0, Long.MAX_VALUE);
  }

  /**
   * Refuses a value that none of the settings with a list of values knows: {@link #MODE}, {@link
   * #EXPLAIN}, {@link #INDEX}, {@link #LISTING}, {@link #CATALOGUE}. A misspelt one would turn
   * skipping off in silence.
   *
   * @param owner whose settings these are, for the message: session or table
   * @param setting returns the text of a setting by its name, null or blank if it is not set
   * @throws InvalidSettingException naming the setting, its value and the values that there are
   */
  public static void requireKnown(String owner, UnaryOperator<String> setting) {
    requireKnown(owner, setting, MODE, text -> SkippingMode.named(text).isPresent(), MODES);
    requireKnown(owner, setting, EXPLAIN, text -> truthValue(text).isPresent(), TRUTH_VALUES);
    requireKnown(
        owner, setting, INDEX, text -> named(IndexLayout.class, text).isPresent(), LAYOUTS);
    requireKnown(
        owner, setting, LISTING, text -> named(ListingSource.class, text).isPresent(), SOURCES);
    requireKnown(
        owner,
        setting,
        CATALOGUE,
        text -> named(PartitionSource.class, text).isPresent(),
        CATALOGUES);
  }

  private static void requireKnown(
      String owner,
      UnaryOperator<String> setting,
      String name,
      Predicate<String> isKnown,
      String values) {
    String value = setting.apply(name);
    if (value != null && !value.trim().isEmpty() && !isKnown.test(value.trim())) {
      throw new InvalidSettingException(
          "the " + owner + "'s " + name + "=" + value + " is unknown: it has to be " + values);
    }
  }

  /** Reads the settings of {@code conf}. */
  public static SkippingConf of(Configuration conf) {
    return new SkippingConf(conf);
  }

  /**
   * The mode in which a table is read: the more cautious of the session's and the table's.
   *
   * @param conf configuration of the session or the job
   * @param tableProperties the table's own properties; {@code java.util.Properties} will do
   */
  public static SkippingMode mode(Configuration conf, Map<?, ?> tableProperties) {
    Object ofTable = tableProperties.get(MODE);
    return SkippingMode.moreCautious(
        mode(conf.get(MODE)), mode(ofTable == null ? null : ofTable.toString()));
  }

  /** {@link #MODE}. */
  public SkippingMode mode() {
    return mode;
  }

  /**
   * Whether the scans of a table are explained.
   *
   * @param conf configuration of the session or the job
   * @param tableProperties the table's own properties; {@code java.util.Properties} will do
   */
  public static boolean explain(Configuration conf, Map<?, ?> tableProperties) {
    Object ofTable = tableProperties.get(EXPLAIN);
    return isTrue(conf.get(EXPLAIN)) || isTrue(ofTable == null ? null : ofTable.toString());
  }

  /** {@link #EXPLAIN}. */
  public boolean explain() {
    return explain;
  }

  /**
   * Where the statistics of a table are taken from.
   *
   * @param conf configuration of the session or the job; what it says wins
   * @param tableProperties the table's own properties; {@code java.util.Properties} will do
   */
  public static IndexLayout index(Configuration conf, Map<?, ?> tableProperties) {
    return choice(conf, tableProperties, INDEX, IndexLayout.PARQUET, IndexLayout.PARQUET, LAYOUTS);
  }

  /** {@link #INDEX}. */
  public IndexLayout index() {
    return index;
  }

  /**
   * Where the files of a table are taken from.
   *
   * @param conf configuration of the session or the job; what it says wins
   * @param tableProperties the table's own properties; {@code java.util.Properties} will do
   */
  public static ListingSource listing(Configuration conf, Map<?, ?> tableProperties) {
    return choice(
        conf, tableProperties, LISTING, ListingSource.INDEX, ListingSource.FILES, SOURCES);
  }

  /** {@link #LISTING}. */
  public ListingSource listing() {
    return listing;
  }

  /**
   * What says which partitions of a table a filter can match.
   *
   * @param conf configuration of the session or the job; what it says wins
   * @param tableProperties the table's own properties; {@code java.util.Properties} will do
   */
  public static PartitionSource catalogue(Configuration conf, Map<?, ?> tableProperties) {
    return choice(
        conf, tableProperties, CATALOGUE, PartitionSource.INDEX, PartitionSource.INDEX, CATALOGUES);
  }

  /** {@link #CATALOGUE}. */
  public PartitionSource catalogue() {
    return catalogue;
  }

  /** {@link #HBASE_QUORUM}, empty if it is not set. */
  public String hbaseQuorum() {
    return hbaseQuorum;
  }

  /** {@link #HBASE_TABLE}. */
  public String hbaseTable() {
    return hbaseTable;
  }

  /** {@link #HBASE_TIMEOUT_MS}. */
  public int hbaseTimeoutMillis() {
    return hbaseTimeoutMillis;
  }

  /** Words of {@link #COMPILER_COMMAND}, at least one. */
  public List<String> compilerCommand() {
    return compilerCommand;
  }

  /** {@link #COMPILER_ADDRESS}, empty if there is none. */
  public String compilerAddress() {
    return compilerAddress;
  }

  /** {@link #COMPILER_TIMEOUT_MS}. */
  public int compilerTimeoutMillis() {
    return compilerTimeoutMillis;
  }

  /** {@link #COMPILER_START_TIMEOUT_MS}. */
  public int compilerStartTimeoutMillis() {
    return compilerStartTimeoutMillis;
  }

  /** {@link #COMPILER_MAX_RESTARTS}. */
  public int compilerMaxRestarts() {
    return compilerMaxRestarts;
  }

  /** {@link #COMPILER_MAX_MESSAGE_BYTES}. */
  public int compilerMaxMessageBytes() {
    return compilerMaxMessageBytes;
  }

  /** {@link #COMPILER_CACHE_ENTRIES}. */
  public int compilerCacheEntries() {
    return compilerCacheEntries;
  }

  /** {@link #INDEX_CACHE_BYTES}. */
  public long indexCacheBytes() {
    return indexCacheBytes;
  }

  /** A value that is equal for configurations with the same compiler settings. */
  public List<Object> compilerKey() {
    List<Object> key = new ArrayList<>();
    key.add(compilerCommand);
    key.add(compilerAddress);
    key.add(compilerTimeoutMillis);
    key.add(compilerStartTimeoutMillis);
    key.add(compilerMaxRestarts);
    key.add(compilerMaxMessageBytes);
    key.add(compilerCacheEntries);
    return Collections.unmodifiableList(key);
  }

  private static String sessionsFirst(
      Configuration conf, Map<?, ?> tableProperties, String setting) {
    String text = conf.get(setting, "").trim();
    Object ofTable = tableProperties.get(setting);
    return text.isEmpty() && ofTable != null ? ofTable.toString().trim() : text;
  }

  /**
   * The constant of an enum that session or table name, the session first.
   *
   * @param unset if they name none
   * @param unknown if it is none that there is, which is reported
   * @param values those that there are, for people
   */
  private static <E extends Enum<E>> E choice(
      Configuration conf,
      Map<?, ?> tableProperties,
      String setting,
      E unset,
      E unknown,
      String values) {
    String text = sessionsFirst(conf, tableProperties, setting);
    if (text.isEmpty()) {
      return unset;
    }
    Optional<E> named = named(unset.getDeclaringClass(), text);
    if (!named.isPresent()) {
      report(setting, text, unknown.toString(), values);
    }
    return named.orElse(unknown);
  }

  /** The constant of this name, in upper or lower case; empty if there is none. */
  private static <E extends Enum<E>> Optional<E> named(Class<E> type, String name) {
    return EnumSet.allOf(type).stream()
        .filter(constant -> constant.toString().equals(name.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  private static SkippingMode mode(@Nullable String text) {
    if (text == null || text.trim().isEmpty()) {
      return SkippingMode.ON;
    }
    Optional<SkippingMode> mode = SkippingMode.named(text.trim());
    if (!mode.isPresent()) {
      report(MODE, text, SkippingMode.OFF.toString(), MODES);
    }
    return mode.orElse(SkippingMode.OFF);
  }

  private static boolean isTrue(@Nullable String value) {
    if (value == null || value.trim().isEmpty()) {
      return false;
    }
    Optional<Boolean> truth = truthValue(value.trim());
    if (!truth.isPresent()) {
      report(EXPLAIN, value, "false", TRUTH_VALUES);
    }
    return truth.orElse(false);
  }

  private static Optional<Boolean> truthValue(String text) {
    switch (text.toLowerCase(Locale.ROOT)) {
      case "true":
        return Optional.of(true);
      case "false":
        return Optional.of(false);
      default:
        return Optional.empty();
    }
  }

  private static int integer(Configuration conf, String key, int byDefault, int least, int most) {
    return Math.toIntExact(number(conf, key, byDefault, least, most));
  }

  private static long number(
      Configuration conf, String key, long byDefault, long least, long most) {
    String text = conf.get(key, "").trim();
    if (text.isEmpty()) {
      return byDefault;
    }
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      LOG.debug("{} is not a number", key, e);
    }
    report(key, text, Long.toString(byDefault), "a whole number from " + least + " to " + most);
    return byDefault;
  }

  private static void report(String key, String value, String used, String expected) {
    // Bounded, because a session can bring any number of values.
    if (REPORTED.size() < REPORTED_LIMIT && REPORTED.add(key + '=' + value)) {
      LOG.warn("{}={} is not {}; {} is used", key, value, expected, used);
    }
  }
}
