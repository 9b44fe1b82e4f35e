/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.TableSchema;
import io.hudiskip.thrift.hudi_skippingConstants;
import org.apache.hadoop.conf.Configuration;

/** What is sent to the predicate compiler for a filter. */
public final class CompileRequests {
  private CompileRequests() {}

  /**
   * Builds a request: the filter's fingerprint, its tree, its SearchArgument as far as the tree
   * bears it out, and the table's schema.
   *
   * @param conf what Hive's SearchArgument builder reads its settings from
   * @param filter a filter that is not empty, read from expression nodes that have not been changed
   *     since
   * @param schema the table's columns
   * @throws IllegalArgumentException if the filter is empty
   */
  public static CompileRequest of(Configuration conf, TypedFilter filter, TableSchema schema) {
    FilterTerm root =
        filter.root().orElseThrow(() -> new IllegalArgumentException("the filter is empty"));
    return new CompileRequest()
        .setProtocolVersion(hudi_skippingConstants.PROTOCOL_VERSION)
        .setFingerprint(filter.fingerprint())
        .setSearchArgument(SearchArgumentGate.pass(conf, root))
        .setFilter(filter.tree())
        .setSchema(schema);
  }
}
