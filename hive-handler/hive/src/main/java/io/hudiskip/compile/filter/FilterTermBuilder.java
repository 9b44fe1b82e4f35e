// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDescUtils;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicListDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicValueDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeFieldDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeSubQueryDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFInBloomFilter;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFMacro;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/**
 * Builds {@link FilterTerm}s from Hive's expression nodes.
 *
 * <p>ANDs and ORs are flattened without recursion, since a filter may chain thousands. The rest is
 * only as deep as people write it, and recursion ends at {@link #MAX_DEPTH}.
 */
public final class FilterTermBuilder {
  /** Leaves room for an IN list of thousands. */
  private static final int MAX_TERMS = 20_000;

  /** Levels after flattening. */
  private static final int MAX_DEPTH = 100;

  /** Hive may share nodes, so a small graph can be a huge tree. */
  private static final int MAX_VISITS = 200_000;

  private int terms;
  private int visits;
  private int dynamicTerms;

  /**
   * The conjuncts of a filter without the synthetic ones.
   *
   * <p>Tez adds and later removes conjuncts for joins ({@code id IN (RS[7])}, BETWEEN of dynamic
   * values, Bloom filters). These and subqueries are dropped: a filter without one of its conjuncts
   * is weaker, so it keeps every file that the whole filter keeps.
   */
  public List<FilterTerm> conjuncts(ExprNodeDesc predicate) throws FilterLimitException {
    return terms(conjunctNodes(predicate), 0);
  }

  /**
   * The conjuncts of a filter as Hive's own nodes, synthetic ones included.
   *
   * @param predicate not changed
   */
  public static List<ExprNodeDesc> conjunctsOf(ExprNodeDesc predicate) throws FilterLimitException {
    return new FilterTermBuilder().flatten(predicate, GenericUDFOPAnd.class);
  }

  /** How many synthetic conjuncts {@link #conjuncts} has dropped. */
  public int dynamicTerms() {
    return dynamicTerms;
  }

  /**
   * The filter without its synthetic conjuncts, for Hive's evaluator.
   *
   * @param predicate not changed; the result shares its nodes
   * @return empty when the filter exceeds a limit or has only synthetic conjuncts
   */
  public static Optional<ExprNodeDesc> withoutSynthetic(ExprNodeDesc predicate) {
    List<ExprNodeDesc> conjuncts;
    try {
      conjuncts = new FilterTermBuilder().conjunctNodes(predicate);
    } catch (FilterLimitException e) {
      return Optional.empty();
    }
    return conjuncts.size() > 1
        ? Optional.of(ExprNodeDescUtils.and(conjuncts))
        : conjuncts.stream().findFirst();
  }

  private List<ExprNodeDesc> conjunctNodes(ExprNodeDesc predicate) throws FilterLimitException {
    List<ExprNodeDesc> conjuncts = new ArrayList<>();
    for (ExprNodeDesc conjunct : flatten(predicate, GenericUDFOPAnd.class)) {
      if (isSynthetic(conjunct)) {
        dynamicTerms++;
      } else {
        conjuncts.add(conjunct);
      }
    }
    return conjuncts;
  }

  /** The whole filter, with synthetic terms as OPAQUE. */
  static FilterTerm whole(ExprNodeDesc predicate) throws FilterLimitException {
    return new FilterTermBuilder().term(predicate, 0);
  }

  /** AND of terms; a single term stands for itself. */
  public static FilterTerm and(List<FilterTerm> conjuncts) {
    return conjuncts.size() == 1
        ? conjuncts.get(0)
        : FilterTerm.function(FunctionNames.AND, TypeInfoFactory.booleanTypeInfo, conjuncts, null);
  }

  private FilterTerm term(ExprNodeDesc node, int depth) throws FilterLimitException {
    visit();
    countTerm();
    if (depth > MAX_DEPTH) {
      throw new FilterLimitException("the filter is nested deeper than " + MAX_DEPTH + " levels");
    }
    if (node instanceof ExprNodeColumnDesc) {
      return column((ExprNodeColumnDesc) node);
    }
    if (node instanceof ExprNodeConstantDesc) {
      return constant((ExprNodeConstantDesc) node);
    }
    if (node instanceof ExprNodeFieldDesc) {
      return field((ExprNodeFieldDesc) node, depth);
    }
    if (node instanceof ExprNodeGenericFuncDesc) {
      return call((ExprNodeGenericFuncDesc) node, depth);
    }
    if (isDynamic(node)) {
      return FilterTerm.opaque("value known only at run time", node.getTypeInfo());
    }
    return FilterTerm.opaque("expression of kind " + node.getClass().getSimpleName(), null);
  }

  private static FilterTerm column(ExprNodeColumnDesc node) {
    if (node.getIsPartitionColOrVirtualCol()) {
      return FilterTerm.opaque("virtual or partition column", node.getTypeInfo());
    }
    if (node.getColumn().indexOf('.') >= 0) {
      // The name could be mistaken for a nested field.
      return FilterTerm.opaque("column with a dot in its name", node.getTypeInfo());
    }
    return FilterTerm.column(node.getColumn().toLowerCase(Locale.ROOT), node);
  }

  private FilterTerm constant(ExprNodeConstantDesc node) throws FilterLimitException {
    TypeInfo type = node.getTypeInfo();
    Optional<FilterTerm> literal = HiveLiterals.of(type, node.getValue(), node);
    if (literal.isPresent()) {
      return literal.get();
    }
    if (type instanceof StructTypeInfo && node.getValue() instanceof List) {
      Optional<List<FilterTerm>> fields = fields((StructTypeInfo) type, (List<?>) node.getValue());
      if (fields.isPresent()) {
        return FilterTerm.function(FunctionNames.STRUCT, type, fields.get(), node);
      }
    }
    return FilterTerm.opaque("constant of type " + type.getTypeName(), type);
  }

  /** Empty if one of the values has no literal. */
  private Optional<List<FilterTerm>> fields(StructTypeInfo type, List<?> values)
      throws FilterLimitException {
    List<TypeInfo> types = type.getAllStructFieldTypeInfos();
    if (types.size() != values.size()) {
      return Optional.empty();
    }
    List<FilterTerm> fields = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      countTerm();
      Optional<FilterTerm> literal = HiveLiterals.of(types.get(i), values.get(i), null);
      if (!literal.isPresent()) {
        return Optional.empty();
      }
      fields.add(literal.get());
    }
    return Optional.of(fields);
  }

  private FilterTerm field(ExprNodeFieldDesc node, int depth) throws FilterLimitException {
    if (Boolean.TRUE.equals(node.getIsList())) {
      return FilterTerm.opaque("field of an array of structs", node.getTypeInfo());
    }
    if (node.getFieldName().indexOf('.') >= 0) {
      return FilterTerm.opaque("field with a dot in its name", node.getTypeInfo());
    }
    return FilterTerm.field(
        node.getFieldName().toLowerCase(Locale.ROOT), term(node.getDesc(), depth + 1), node);
  }

  private FilterTerm call(ExprNodeGenericFuncDesc node, int depth) throws FilterLimitException {
    GenericUDF udf = node.getGenericUDF();
    TypeInfo type = node.getTypeInfo();
    if (udf instanceof GenericUDFOPAnd || udf instanceof GenericUDFOPOr) {
      return logical(node, depth);
    }
    if (udf instanceof GenericUDFInBloomFilter) {
      return FilterTerm.opaque("Bloom filter known only at run time", type);
    }
    if (udf instanceof GenericUDFMacro) {
      return FilterTerm.opaque("macro", type); // all macros are of one class
    }
    Optional<String> name = FunctionNames.of(node);
    if (!name.isPresent()) {
      return FilterTerm.opaque("function whose class cannot be loaded", type);
    }
    if (!FunctionRegistry.isDeterministic(udf) || FunctionRegistry.isRuntimeConstant(udf)) {
      return FilterTerm.opaque("function " + name.get() + " is not deterministic", type);
    }
    if (name.get().equals(FunctionNames.BETWEEN)) {
      return between(node, depth);
    }
    return FilterTerm.function(name.get(), type, terms(node.getChildren(), depth), node);
  }

  private FilterTerm logical(ExprNodeGenericFuncDesc node, int depth) throws FilterLimitException {
    boolean conjunction = node.getGenericUDF() instanceof GenericUDFOPAnd;
    List<ExprNodeDesc> operands =
        flatten(node, conjunction ? GenericUDFOPAnd.class : GenericUDFOPOr.class);
    if (operands.isEmpty()) {
      return FilterTerm.opaque("AND or OR without operands", node.getTypeInfo());
    }
    if (operands.size() == 1) {
      return term(operands.get(0), depth);
    }
    return FilterTerm.function(
        conjunction ? FunctionNames.AND : FunctionNames.OR,
        node.getTypeInfo(),
        terms(operands, depth),
        node);
  }

  /** Hive's BETWEEN takes a NOT flag as its first operand. */
  private FilterTerm between(ExprNodeGenericFuncDesc node, int depth) throws FilterLimitException {
    List<ExprNodeDesc> operands = node.getChildren();
    Object inverted =
        operands.size() == 4 && operands.get(0) instanceof ExprNodeConstantDesc
            ? ((ExprNodeConstantDesc) operands.get(0)).getValue()
            : null;
    if (!(inverted instanceof Boolean)) {
      return FilterTerm.opaque("BETWEEN of an unknown form", node.getTypeInfo());
    }
    boolean negated = (Boolean) inverted;
    FilterTerm between =
        FilterTerm.function(
            FunctionNames.BETWEEN,
            node.getTypeInfo(),
            terms(operands.subList(1, 4), depth),
            // Hive's NOT BETWEEN is NULL whenever an end is NULL, so it is not always the negation
            // of BETWEEN.
            negated ? null : node);
    return negated
        ? FilterTerm.function(
            FunctionNames.NOT, node.getTypeInfo(), Collections.singletonList(between), node)
        : between;
  }

  private List<FilterTerm> terms(List<ExprNodeDesc> nodes, int depth) throws FilterLimitException {
    List<FilterTerm> result = new ArrayList<>(nodes.size());
    for (ExprNodeDesc node : nodes) {
      result.add(term(node, depth + 1));
    }
    return result;
  }

  /**
   * The operands of nested calls of one logical operator, in order; the node itself if it is
   * another expression. An AND or OR of one operand is that operand.
   */
  private List<ExprNodeDesc> flatten(ExprNodeDesc node, Class<? extends GenericUDF> operator)
      throws FilterLimitException {
    List<ExprNodeDesc> operands = new ArrayList<>();
    Deque<ExprNodeDesc> pending = new ArrayDeque<>();
    pending.push(node);
    while (!pending.isEmpty()) {
      visit();
      ExprNodeDesc next = pending.pop();
      List<ExprNodeDesc> children = logicalOperands(next);
      if (isCallOf(next, operator) || children.size() == 1) {
        for (int i = children.size() - 1; i >= 0; i--) {
          pending.push(children.get(i));
        }
      } else {
        operands.add(next);
      }
    }
    return operands;
  }

  private static List<ExprNodeDesc> logicalOperands(ExprNodeDesc node) {
    return isCallOf(node, GenericUDFOPAnd.class) || isCallOf(node, GenericUDFOPOr.class)
        ? node.getChildren()
        : Collections.emptyList();
  }

  private static boolean isCallOf(ExprNodeDesc node, Class<? extends GenericUDF> operator) {
    return node instanceof ExprNodeGenericFuncDesc
        && operator.isInstance(((ExprNodeGenericFuncDesc) node).getGenericUDF());
  }

  private boolean isSynthetic(ExprNodeDesc conjunct) throws FilterLimitException {
    Deque<ExprNodeDesc> pending = new ArrayDeque<>();
    pending.push(conjunct);
    while (!pending.isEmpty()) {
      visit();
      ExprNodeDesc node = pending.pop();
      if (isDynamic(node) || isCallOf(node, GenericUDFInBloomFilter.class)) {
        return true;
      }
      List<ExprNodeDesc> children = node.getChildren();
      if (children != null) {
        children.forEach(pending::push);
      }
    }
    return false;
  }

  private static boolean isDynamic(ExprNodeDesc node) {
    return node instanceof ExprNodeDynamicListDesc
        || node instanceof ExprNodeDynamicValueDesc
        || node instanceof ExprNodeSubQueryDesc;
  }

  private void countTerm() throws FilterLimitException {
    if (++terms > MAX_TERMS) {
      throw new FilterLimitException("the filter has more than " + MAX_TERMS + " terms");
    }
  }

  private void visit() throws FilterLimitException {
    if (++visits > MAX_VISITS) {
      throw new FilterLimitException("the filter has more than " + MAX_VISITS + " nodes");
    }
  }
}
