// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.compile.client.CompilerUnavailableException;
import io.hudiskip.compile.expression.ExpressionFormatException;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.plan.PartitionPlan;
import io.hudiskip.compile.plan.PlanFormatException;
import io.hudiskip.compile.request.TypedFilter;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.compile.wire.PlanDecoder;
import io.hudiskip.scan.savings.join.JoinValues;
import io.hudiskip.table.source.KeepAllFilesException;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The expression of a scan's filter, and its origin. Immutable. */
final class CompiledFilter {
  private static final Logger LOG = LoggerFactory.getLogger(CompiledFilter.class);

  private final HudiExpression expression;
  private final Optional<byte[]> plan;
  private final String source;

  private CompiledFilter(HudiExpression expression, Optional<byte[]> plan, String source) {
    this.expression = expression;
    this.plan = plan;
    this.source = source;
  }

  /** The expression of the scan's own filter, and the values of joins. */
  static CompiledFilter of(JobConf job, ScanFilter filter, Path root) throws KeepAllFilesException {
    JoinValues joins = filter.joins();
    if (joins.isEmpty()) {
      return of(job, filter.typed(), root);
    }
    CompiledFilter own;
    try {
      own = of(job, filter.typed(), root);
    } catch (KeepAllFilesException e) {
      LOG.debug("Only values of joins choose the files of {}", root, e);
      return new CompiledFilter(joins.and(Optional.empty()), Optional.empty(), "joins");
    }
    return new CompiledFilter(joins.and(Optional.of(own.expression)), own.plan, own.source);
  }

  /** The expression pushed with the filter, or else compiled now. */
  private static CompiledFilter of(JobConf job, TypedFilter filter, Path root)
      throws KeepAllFilesException {
    if (filter.isEmpty()) {
      throw new KeepAllFilesException(filter.emptyReason());
    }
    Optional<PushedExpression> pushed = PushedExpression.of(job, filter);
    try {
      PushedExpression bytes =
          pushed.isPresent()
              ? pushed.get()
              : PushedExpression.compile(job, job, filter, root.toString());
      return new CompiledFilter(
          decoded(bytes, filter), bytes.plan(), pushed.isPresent() ? "pushed" : "compiled");
    } catch (CompilerUnavailableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  /**
   * The expression of a filter.
   *
   * @throws KeepAllFilesException when it is of another filter or version
   */
  static HudiExpression decoded(PushedExpression bytes, TypedFilter filter)
      throws KeepAllFilesException {
    try {
      HudiExpression expression = ExpressionDecoder.decode(bytes.expression());
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

  /** The partitions that the filter can match. */
  PartitionPlan plan() throws PlanFormatException {
    return PlanDecoder.decode(
        plan.orElseThrow(() -> new PlanFormatException("the filter has no plan of partitions")));
  }

  String source() {
    return source;
  }
}
