/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.FilterTree;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;

/** Hive's filter of one table scan as a typed tree. */
public final class TypedFilter {
  private TypedFilter() {}

  /** Never fails: a filter that cannot be used is empty and has a reason. */
  public static TypedFilter of(ExprNodeDesc predicate) {
    throw new UnsupportedOperationException("being written: " + predicate);
  }

  /** Whether nothing is left that could skip a file; {@link #emptyReason()} says why. */
  public boolean isEmpty() {
    throw new UnsupportedOperationException("being written");
  }

  /** Why the filter is empty, for people; an empty string when it isn't. */
  public String emptyReason() {
    throw new UnsupportedOperationException("being written");
  }

  /** The tree as it goes to the compiler. */
  public FilterTree tree() {
    throw new UnsupportedOperationException("being written");
  }

  /** SHA-256, 32 bytes, over the tree. */
  public byte[] fingerprint() {
    throw new UnsupportedOperationException("being written");
  }
}
