/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.filter.TypedFilter;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;

/**
 * The compiled filter on its way from the compilation of a statement to the listing of its files.
 * Hive carries it beside the filter, and the two can part ways: shared work gives a scan the
 * filters of several and keeps the object of one, and MapReduce hands the object of one table to
 * the listing of the next. So it names the filter that it belongs to.
 */
public final class PushedExpression implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] fingerprint;
  private final byte[] expression;
  @Nullable private final byte[] plan;

  /**
   * Binds an expression to a filter.
   *
   * @param fingerprint of the filter
   * @param expression a {@code HudiExpression} in Thrift's compact protocol
   * @param plan of the partitions, a {@code PartitionPlan} in that protocol; null if there is none
   */
  public PushedExpression(byte[] fingerprint, byte[] expression, @Nullable byte[] plan) {
    this.fingerprint = fingerprint.clone();
    this.expression = expression.clone();
    this.plan = plan == null ? null : plan.clone();
  }

  /** What Hive pushed for exactly this filter; empty if that is nothing, or of another filter. */
  static Optional<PushedExpression> of(Configuration job, TypedFilter filter) {
    String serialized = job.get(TableScanDesc.FILTER_OBJECT_CONF_STR);
    if (serialized == null) {
      return Optional.empty();
    }
    PushedExpression pushed =
        SerializationUtilities.deserializeObject(serialized, PushedExpression.class);
    return Arrays.equals(pushed.fingerprint, filter.fingerprint())
        ? Optional.of(pushed)
        : Optional.empty();
  }

  byte[] expression() {
    return expression.clone();
  }

  Optional<byte[]> plan() {
    return Optional.ofNullable(plan).map(byte[]::clone);
  }
}
