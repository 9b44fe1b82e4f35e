// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.compile.client.CompilerUnavailableException;
import io.hudiskip.compile.client.SharedClients;
import io.hudiskip.compile.filter.Complement;
import io.hudiskip.compile.request.Compilation;
import io.hudiskip.compile.request.CompileCalls;
import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.UnreadableTableException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A compiled filter on its way from statement compilation to the file listing. Hive carries it
 * beside the filter, but the two can diverge: shared work gives a scan the filters of several and
 * the object of one, and MapReduce passes one table's object to the listing of the next. So it
 * identifies its filter.
 */
public final class PushedExpression implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(PushedExpression.class);

  private final byte[] fingerprint;
  private final byte[] expression;
  @Nullable private final byte[] plan;

  /** Of the filter's {@link Complement}; null if it is not needed or not allowed. */
  @Nullable private final PushedExpression complement;

  /**
   * Binds an expression to a filter.
   *
   * @param expression a {@code HudiExpression} in Thrift's compact protocol
   * @param plan a {@code PartitionPlan} in that protocol, or null
   */
  public PushedExpression(byte[] fingerprint, byte[] expression, @Nullable byte[] plan) {
    this(fingerprint, expression, plan, null);
  }

  private PushedExpression(
      byte[] fingerprint,
      byte[] expression,
      @Nullable byte[] plan,
      @Nullable PushedExpression complement) {
    this.fingerprint = fingerprint.clone();
    this.expression = expression.clone();
    this.plan = plan == null ? null : plan.clone();
    this.complement = complement;
  }

  /** A copy with the expression of the filter's {@link Complement}. */
  public PushedExpression with(PushedExpression ofComplement) {
    return new PushedExpression(fingerprint, expression, plan, ofComplement);
  }

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

  /**
   * Compiles a filter's {@link Complement}.
   *
   * @param settings as for {@link #compile}, like {@code scan}
   * @return empty if nothing is known of it
   */
  public static Optional<PushedExpression> compileComplement(
      Configuration settings, Configuration scan, ExprNodeDesc filter) {
    TypedFilter complement = TypedFilter.of(Complement.of(filter));
    if (complement.isEmpty()) { // as of a filter with values known only at run time
      return Optional.empty();
    }
    try {
      Compilation compiled =
          CompileCalls.compile(SharedClients.get(settings), scan, complement, null);
      return Optional.of(
          new PushedExpression(complement.fingerprint(), compiled.expression(), null));
    } catch (CompilerUnavailableException e) {
      LOG.debug("The complement of the filter is not compiled", e);
      return Optional.empty();
    }
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

  /** What Hive pushed for exactly this filter; empty if nothing, or for another filter. */
  static Optional<PushedExpression> of(Configuration job, TypedFilter filter) {
    return of(job).filter(pushed -> pushed.isOf(filter));
  }

  /** What Hive pushed, for whichever filter. */
  static Optional<PushedExpression> of(Configuration job) {
    return Optional.ofNullable(job.get(TableScanDesc.FILTER_OBJECT_CONF_STR))
        .map(text -> SerializationUtilities.deserializeObject(text, PushedExpression.class));
  }

  boolean isOf(TypedFilter filter) {
    return Arrays.equals(fingerprint, filter.fingerprint());
  }

  /** The expression of the filter's complement, if it is this one. */
  Optional<PushedExpression> complement(TypedFilter filter) {
    return Optional.ofNullable(complement).filter(pushed -> pushed.isOf(filter));
  }

  byte[] expression() {
    return expression.clone();
  }

  Optional<byte[]> plan() {
    return Optional.ofNullable(plan).map(byte[]::clone);
  }
}
