/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.TableSchema;
import org.apache.hadoop.conf.Configuration;

/** What is sent to the predicate compiler for a filter. */
public final class CompileRequests {
  private CompileRequests() {}

  /** Request with the filter's fingerprint, tree and gated SearchArgument; the filter must not be empty. */
  public static CompileRequest of(Configuration conf, TypedFilter filter, TableSchema schema) {
    throw new UnsupportedOperationException("being written: " + conf + filter + schema);
  }
}
