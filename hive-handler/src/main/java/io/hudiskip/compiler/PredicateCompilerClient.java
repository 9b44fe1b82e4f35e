/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.CompileResponse;
import org.apache.hadoop.conf.Configuration;

/** Client of the predicate compiler; thread-safe. */
public final class PredicateCompilerClient implements AutoCloseable {
  private PredicateCompilerClient() {}

  /** The client for a configuration; the same one for equal compiler settings. */
  public static PredicateCompilerClient shared(Configuration conf) {
    throw new UnsupportedOperationException("being written: " + conf);
  }

  /** Compiles a filter. */
  public CompileResponse compile(CompileRequest request) throws CompilerUnavailableException {
    throw new CompilerUnavailableException(
        CompilerUnavailableException.Reason.CLOSED, "being written: " + request);
  }

  @Override
  public void close() {}
}
