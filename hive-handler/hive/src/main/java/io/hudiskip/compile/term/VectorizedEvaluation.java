// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import io.hudiskip.compile.expression.TermEvaluator.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hive.common.type.DataTypePhysicalVariation;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.vector.LongColumnVector;
import org.apache.hadoop.hive.ql.exec.vector.VectorAssignRow;
import org.apache.hadoop.hive.ql.exec.vector.VectorExpressionDescriptor;
import org.apache.hadoop.hive.ql.exec.vector.VectorizationContext;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedBatchUtil;
import org.apache.hadoop.hive.ql.exec.vector.VectorizedRowBatch;
import org.apache.hadoop.hive.ql.exec.vector.expressions.VectorExpression;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Evaluates a term in vectorised mode, over batches of equal rows. Hive has two kinds of vector
 * expressions for a condition: one selects rows (a conjunct of WHERE), one computes a boolean
 * column (below NOT, CASE…).
 */
final class VectorizedEvaluation {
  private static final Logger LOG = LoggerFactory.getLogger(VectorizedEvaluation.class);

  /** Two rows, so that loops over rows iterate. */
  private static final int ROWS = 2;

  private final VectorExpression expression;
  private final boolean isFilter;
  private final VectorizedRowBatch batch;
  private final VectorAssignRow assignment;

  private VectorizedEvaluation(
      VectorExpression expression,
      boolean isFilter,
      VectorizedRowBatch batch,
      VectorAssignRow assignment) {
    this.expression = expression;
    this.isFilter = isFilter;
    this.batch = batch;
    this.assignment = assignment;
  }

  /**
   * Prepares a term.
   *
   * @param term a boolean expression over columns of these names; copied, since Hive changes it
   * @return one evaluation per way Hive can vectorise the term; none if it cannot, in which case
   *     the whole filter runs in row mode
   */
  static List<VectorizedEvaluation> of(
      ExprNodeDesc term, List<String> names, List<PrimitiveTypeInfo> types, HiveConf conf)
      throws HiveException {
    List<VectorizedEvaluation> evaluations = new ArrayList<>();
    for (VectorExpressionDescriptor.Mode mode : VectorExpressionDescriptor.Mode.values()) {
      VectorizationContext context =
          new VectorizationContext(
              "term",
              names,
              new ArrayList<TypeInfo>(types),
              Collections.nCopies(names.size(), DataTypePhysicalVariation.NONE),
              conf);
      VectorExpression expression;
      try {
        expression = context.getVectorExpression(term.clone(), mode);
      } catch (HiveException e) {
        // Hive's Vectorizer treats this as "not vectorisable", too.
        LOG.debug("A term has no vector expression in mode {}", mode, e);
        continue;
      }
      VectorExpression.doTransientInit(expression, conf);
      expression.init(conf);
      VectorAssignRow assignment = new VectorAssignRow();
      List<String> typeNames = new ArrayList<>();
      types.forEach(type -> typeNames.add(type.getTypeName()));
      assignment.init(typeNames);
      evaluations.add(
          new VectorizedEvaluation(
              expression,
              mode == VectorExpressionDescriptor.Mode.FILTER,
              batch(typeNames, context.getScratchColumnTypeNames()),
              assignment));
    }
    return evaluations;
  }

  private static VectorizedRowBatch batch(List<String> types, String[] scratchTypes) {
    List<String> all = new ArrayList<>(types);
    all.addAll(Arrays.asList(scratchTypes));
    VectorizedRowBatch batch = new VectorizedRowBatch(all.size());
    for (int i = 0; i < all.size(); i++) {
      batch.cols[i] = VectorizedBatchUtil.createColumnVector(all.get(i));
      batch.cols[i].init();
    }
    return batch;
  }

  /**
   * Whether every row of a batch of these values has this outcome, with the values stored per row
   * and as repeating, and beside a row of NULLs.
   */
  boolean agrees(Object[] row, Outcome outcome) throws HiveException {
    return agrees(row, outcome, false)
        && agrees(row, outcome, true)
        && agreesBesideNulls(row, outcome);
  }

  /** Vector expressions take other paths for batches with NULLs. */
  private boolean agreesBesideNulls(Object[] row, Outcome outcome) throws HiveException {
    batch.reset();
    assignment.assignRow(batch, 0, row);
    assignment.assignRow(batch, 1, new Object[row.length]);
    assignment.assignRow(batch, ROWS, row);
    batch.size = ROWS + 1;
    try {
      expression.evaluate(batch);
    } catch (HiveException | RuntimeException e) {
      // A user's function may not take NULL. Then such a batch fails the query, with any outcome.
      LOG.debug("A term cannot be evaluated for NULLs", e);
      return true;
    }
    if (isFilter) {
      boolean isTrue = outcome == Outcome.TRUE;
      return isSelected(0) == isTrue && isSelected(ROWS) == isTrue;
    }
    return outcome(0) == outcome && outcome(ROWS) == outcome;
  }

  private boolean isSelected(int row) {
    for (int i = 0; i < batch.size; i++) {
      if ((batch.selectedInUse ? batch.selected[i] : i) == row) {
        return true;
      }
    }
    return false;
  }

  private boolean agrees(Object[] row, Outcome outcome, boolean repeating) throws HiveException {
    batch.reset();
    for (int i = 0; i < ROWS; i++) {
      assignment.assignRow(batch, i, row);
    }
    for (int i = 0; i < row.length; i++) {
      batch.cols[i].isRepeating = repeating;
    }
    batch.size = ROWS;
    expression.evaluate(batch);
    if (isFilter) {
      return batch.size == (outcome == Outcome.TRUE ? ROWS : 0);
    }
    for (int i = 0; i < ROWS; i++) {
      if (outcome(i) != outcome) {
        return false;
      }
    }
    return true;
  }

  /** The computed outcome of a row of the batch. */
  private Outcome outcome(int row) {
    LongColumnVector result = (LongColumnVector) batch.cols[expression.getOutputColumnNum()];
    int place = result.isRepeating ? 0 : row;
    if (!result.noNulls && result.isNull[place]) {
      return Outcome.NULL;
    }
    return result.vector[place] == 1 ? Outcome.TRUE : Outcome.FALSE;
  }
}
