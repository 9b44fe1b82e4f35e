// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF.DeferredJavaObject;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF.DeferredObject;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFDateFormat;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFFromUnixTime;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFToUnixTimeStamp;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How far a time zone can shift Hive's results for a moment, and so how much the predicate compiler
 * widens results of the same functions in UTC. Covers one zone of each set of rules that the JVM
 * has, at every clock change since 1901.
 */
class ZonedFunctionsTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration OFFSET = Duration.ofHours(18);
  private static final String PATTERN = "yyyy-MM-dd HH:mm:ss";
  private static final DateTimeFormatter WRITTEN = DateTimeFormatter.ofPattern(PATTERN);
  private static final Instant FIRST = Instant.parse("1901-01-02T00:00:00Z");
  private static final Instant LAST = Instant.parse("2100-12-31T00:00:00Z");

  private final HiveConf conf = new HiveConf();

  @BeforeEach
  void startSession() {
    SessionState.setCurrentSessionState(new SessionState(conf));
  }

  @AfterEach
  void endSession() {
    SessionState.detachSession();
  }

  @ParameterizedTest
  @ValueSource(strings = {"DATETIME", "SIMPLE"})
  void noZoneMovesAMomentFurtherThanTheCompilerAllowsFor(String formatter) throws Exception {
    HiveConf session = SessionState.getSessionConf();
    HiveConf.setVar(session, HiveConf.ConfVars.HIVE_DATETIME_FORMATTER, formatter);
    int moments = 0;
    Map<ZoneRules, String> zones = new HashMap<>();
    ZoneId.getAvailableZoneIds().forEach(zone -> zones.put(ZoneId.of(zone).getRules(), zone));
    for (String zone : zones.values()) {
      HiveConf.setVar(session, HiveConf.ConfVars.HIVE_LOCAL_TIME_ZONE, zone);
      moments += check(zone);
    }
    assertThat(moments).as("moments of all zones").isGreaterThan(100_000);
  }

  private static int check(String zone) throws HiveException {
    GenericUDF dateFormat = new GenericUDFDateFormat();
    GenericUDF unixTimestamp = new GenericUDFToUnixTimeStamp();
    GenericUDF fromUnixtime = new GenericUDFFromUnixTime();
    ObjectInspector timestamps = PrimitiveObjectInspectorFactory.javaTimestampObjectInspector;
    ObjectInspector pattern =
        PrimitiveObjectInspectorFactory.getPrimitiveWritableConstantObjectInspector(
            TypeInfoFactory.stringTypeInfo, new Text(PATTERN));
    dateFormat.initialize(new ObjectInspector[] {timestamps, pattern});
    unixTimestamp.initialize(new ObjectInspector[] {timestamps});
    fromUnixtime.initialize(
        new ObjectInspector[] {PrimitiveObjectInspectorFactory.javaLongObjectInspector, pattern});
    List<LocalDateTime> moments = moments(ZoneId.of(zone).getRules());
    for (LocalDateTime moment : moments) {
      long second = moment.toEpochSecond(ZoneOffset.UTC);
      Timestamp wall = Timestamp.ofEpochSecond(second);
      Object text = dateFormat.evaluate(deferred(wall, new Text(PATTERN)));
      isNear("date_format", zone, moment, LocalDateTime.parse(text.toString(), WRITTEN), DAY);
      long seconds = ((LongWritable) unixTimestamp.evaluate(deferred(wall))).get();
      isNear("unix_timestamp", zone, moment, utc(seconds), OFFSET);
      Object shown = fromUnixtime.evaluate(deferred(second, new Text(PATTERN)));
      isNear("from_unixtime", zone, moment, LocalDateTime.parse(shown.toString(), WRITTEN), OFFSET);
    }
    return moments.size();
  }

  /** Around each change of the clocks, by the wall and in UTC. */
  private static List<LocalDateTime> moments(ZoneRules rules) {
    List<LocalDateTime> moments = new ArrayList<>();
    moments.add(utc(FIRST.getEpochSecond()));
    ZoneOffsetTransition change = rules.nextTransition(FIRST);
    while (change != null && change.getInstant().isBefore(LAST)) {
      LocalDateTime before = change.getDateTimeBefore();
      LocalDateTime after = change.getDateTimeAfter();
      moments.add(before.minusSeconds(1));
      moments.add(before);
      moments.add(before.plus(change.getDuration().dividedBy(2)));
      moments.add(after.minusSeconds(1));
      moments.add(after);
      moments.add(utc(change.getInstant().getEpochSecond()));
      moments.add(utc(change.getInstant().getEpochSecond() - 1));
      change = rules.nextTransition(change.getInstant());
    }
    return moments;
  }

  private static void isNear(
      String function, String zone, LocalDateTime moment, LocalDateTime found, Duration most) {
    Duration moved = Duration.between(moment, found).abs();
    if (moved.compareTo(most) > 0) {
      throw new AssertionError(
          function + " of " + moment + " in " + zone + " is as of " + found + " in UTC");
    }
  }

  private static LocalDateTime utc(long second) {
    return LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
  }

  private static DeferredObject[] deferred(Object... values) {
    DeferredObject[] deferred = new DeferredObject[values.length];
    for (int i = 0; i < values.length; i++) {
      deferred[i] = new DeferredJavaObject(values[i]);
    }
    return deferred;
  }
}
