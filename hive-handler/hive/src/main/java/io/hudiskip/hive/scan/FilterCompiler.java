// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.scan;

import io.hudiskip.hive.compiler.CompilerUnavailableException;
import io.hudiskip.hive.compiler.SharedClients;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import io.hudiskip.hive.wire.Compilation;
import io.hudiskip.hive.wire.CompileCalls;
import io.hudiskip.hive.wire.TypedFilter;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compiles the filter of a scan with the predicate compiler. */
public final class FilterCompiler {
  private static final Logger LOG = LoggerFactory.getLogger(FilterCompiler.class);

  private FilterCompiler() {}

  /**
   * Compiles a non-empty filter, with a plan if a partition catalogue will be used.
   *
   * @param settings has the compiler's settings
   * @param scan has the scan's columns and types, as Hive sets them, and the table's settings
   * @param location root directory of the table
   * @throws CompilerUnavailableException when the compiler returns no expression
   */
  public static PushedExpression compile(
      Configuration settings, Configuration scan, TypedFilter filter, String location)
      throws CompilerUnavailableException {
    boolean needsPlan = !SkippingConf.of(scan).catalogue().equals(SkippingConf.NO_CATALOGUE);
    Compilation compiled =
        CompileCalls.compile(
            SharedClients.get(settings),
            scan,
            filter,
            needsPlan ? partitionColumns(scan, location) : null);
    return new PushedExpression(filter.fingerprint(), compiled.expression(), compiled.plan());
  }

  /** Null, for no plan, if unknown; the listing reports why there is none. */
  @Nullable
  private static List<String> partitionColumns(Configuration conf, String location) {
    try {
      return HudiTable.partitionFields(conf, location);
    } catch (UnreadableTableException e) {
      LOG.debug("Cannot determine the partition columns of {}", location, e);
      return null;
    }
  }
}
