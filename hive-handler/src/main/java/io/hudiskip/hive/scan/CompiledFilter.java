/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.compiler.CompilerUnavailableException;
import io.hudiskip.expression.ExpressionFormatException;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.decoder.ExpressionDecoder;
import io.hudiskip.filter.TypedFilter;
import java.util.Arrays;
import org.apache.hadoop.mapred.JobConf;

/** The expression of a scan's filter, and where it came from. Immutable. */
final class CompiledFilter {
  private final HudiExpression expression;
  private final String source;

  private CompiledFilter(HudiExpression expression, String source) {
    this.expression = expression;
    this.source = source;
  }

  /**
   * The expression that was pushed with the filter, else what the compiler makes of it now.
   *
   * @throws KeepAllFilesException when there is neither
   */
  static CompiledFilter of(JobConf job, TypedFilter filter) throws KeepAllFilesException {
    if (filter.isEmpty()) {
      throw new KeepAllFilesException(filter.emptyReason());
    }
    byte[] pushed = PushedExpression.of(job, filter);
    return pushed == null
        ? new CompiledFilter(decode(compile(job, filter), filter), "compiled")
        : new CompiledFilter(decode(pushed, filter), "pushed");
  }

  private static byte[] compile(JobConf job, TypedFilter filter) throws KeepAllFilesException {
    try {
      return FilterCompiler.compile(job, job, filter);
    } catch (CompilerUnavailableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  private static HudiExpression decode(byte[] bytes, TypedFilter filter)
      throws KeepAllFilesException {
    try {
      HudiExpression expression = ExpressionDecoder.decode(bytes);
      if (!Arrays.equals(expression.fingerprint(), filter.fingerprint())) {
        throw new KeepAllFilesException("the compiled expression belongs to another filter");
      }
      return expression;
    } catch (ExpressionFormatException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  HudiExpression expression() {
    return expression;
  }

  /** {@code pushed} or {@code compiled}. */
  String source() {
    return source;
  }
}
