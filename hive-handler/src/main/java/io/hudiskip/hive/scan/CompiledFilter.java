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
import io.hudiskip.plan.PartitionPlan;
import io.hudiskip.plan.PlanDecoder;
import io.hudiskip.plan.PlanFormatException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;

/** The expression of a scan's filter, and where it came from. Immutable. */
final class CompiledFilter {
  private final HudiExpression expression;
  private final Optional<byte[]> plan;
  private final String source;

  private CompiledFilter(HudiExpression expression, Optional<byte[]> plan, String source) {
    this.expression = expression;
    this.plan = plan;
    this.source = source;
  }

  /**
   * The expression that was pushed with the filter, else what the compiler makes of it now.
   *
   * @throws KeepAllFilesException when there is neither
   */
  static CompiledFilter of(JobConf job, TypedFilter filter, Path root)
      throws KeepAllFilesException {
    if (filter.isEmpty()) {
      throw new KeepAllFilesException(filter.emptyReason());
    }
    Optional<PushedExpression> pushed = PushedExpression.of(job, filter);
    return pushed.isPresent()
        ? of(pushed.get(), filter, "pushed")
        : of(compile(job, filter, root), filter, "compiled");
  }

  private static CompiledFilter of(PushedExpression bytes, TypedFilter filter, String source)
      throws KeepAllFilesException {
    return new CompiledFilter(decode(bytes.expression(), filter), bytes.plan(), source);
  }

  private static PushedExpression compile(JobConf job, TypedFilter filter, Path root)
      throws KeepAllFilesException {
    try {
      return FilterCompiler.compile(job, job, filter, root.toString());
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

  /**
   * Which partitions the filter can match.
   *
   * @throws PlanFormatException when the compiler has sent no plan, or none that can be used
   */
  PartitionPlan plan() throws PlanFormatException {
    return PlanDecoder.decode(
        plan.orElseThrow(() -> new PlanFormatException("the filter has no plan of partitions")));
  }

  /** {@code pushed} or {@code compiled}. */
  String source() {
    return source;
  }
}
