/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.filter.TypedFilter;
import java.io.Serializable;
import java.util.Arrays;
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

  /**
   * Binds an expression to a filter.
   *
   * @param fingerprint of the filter
   * @param expression a {@code HudiExpression} in Thrift's compact protocol
   */
  public PushedExpression(byte[] fingerprint, byte[] expression) {
    this.fingerprint = fingerprint.clone();
    this.expression = expression.clone();
  }

  /**
   * The expression that Hive pushed for exactly this filter.
   *
   * @return null when there is none, or one of another filter
   */
  static byte[] of(Configuration job, TypedFilter filter) {
    String serialized = job.get(TableScanDesc.FILTER_OBJECT_CONF_STR);
    if (serialized == null) {
      return null;
    }
    PushedExpression pushed =
        SerializationUtilities.deserializeObject(serialized, PushedExpression.class);
    return Arrays.equals(pushed.fingerprint, filter.fingerprint())
        ? pushed.expression.clone()
        : null;
  }
}
