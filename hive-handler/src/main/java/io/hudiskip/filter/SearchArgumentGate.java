/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.PredicateLeafOperator;
import io.hudiskip.thrift.SearchArgument;
import io.hudiskip.thrift.SearchArgumentNode;
import io.hudiskip.thrift.SearchArgumentOperator;
import io.hudiskip.thrift.TruthValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.io.sarg.ConvertAstToSearchArg;
import org.apache.hadoop.hive.ql.io.sarg.ExpressionTree;
import org.apache.hadoop.hive.ql.io.sarg.PredicateLeaf;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFIn;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualNS;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrLessThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPLessThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNot;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotNull;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNull;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/**
 * Hive's SearchArgument of a filter, with only those leaves that the typed tree bears out.
 *
 * <p>{@code ConvertAstToSearchArg} is not safe on its own: where the CBO has not put casts, it
 * narrows literals to the column's type. So the gate is passed twice. Hive is given the filter with
 * every term that is not a {@link ColumnComparison} replaced by the boolean NULL, which it turns
 * into YES_NO_NULL; and a leaf that comes back is used only if its column, operator and values are
 * those of such a comparison, with the typed literals of the tree.
 */
final class SearchArgumentGate {
  private static final Map<String, Supplier<GenericUDF>> FUNCTIONS = functions();

  private final Map<LeafKey, io.hudiskip.thrift.PredicateLeaf> expected = new HashMap<>();
  private final Map<String, PrimitiveCategory> columns = new HashMap<>();
  private final Map<PredicateLeaf, Integer> leafIndexes = new HashMap<>();
  private final List<io.hudiskip.thrift.PredicateLeaf> leaves = new ArrayList<>();
  private final List<SearchArgumentNode> nodes = new ArrayList<>();

  private SearchArgumentGate() {}

  private static Map<String, Supplier<GenericUDF>> functions() {
    Map<String, Supplier<GenericUDF>> functions = new HashMap<>();
    functions.put(FunctionNames.AND, GenericUDFOPAnd::new);
    functions.put(FunctionNames.OR, GenericUDFOPOr::new);
    functions.put(FunctionNames.NOT, GenericUDFOPNot::new);
    functions.put("=", GenericUDFOPEqual::new);
    functions.put("<=>", GenericUDFOPEqualNS::new);
    functions.put("!=", GenericUDFOPNotEqual::new);
    functions.put("<", GenericUDFOPLessThan::new);
    functions.put("<=", GenericUDFOPEqualOrLessThan::new);
    functions.put(">", GenericUDFOPGreaterThan::new);
    functions.put(">=", GenericUDFOPEqualOrGreaterThan::new);
    functions.put(FunctionNames.IN, GenericUDFIn::new);
    functions.put(FunctionNames.BETWEEN, GenericUDFBetween::new);
    functions.put(FunctionNames.IS_NULL, GenericUDFOPNull::new);
    functions.put(FunctionNames.IS_NOT_NULL, GenericUDFOPNotNull::new);
    return Collections.unmodifiableMap(functions);
  }

  /** The SearchArgument of a filter. */
  static SearchArgument pass(Configuration conf, FilterTerm root) {
    SearchArgumentGate gate = new SearchArgumentGate();
    ExprNodeGenericFuncDesc gated = call(FunctionNames.AND, gate.gated(root));
    // Not Hive's cached form: its cache is keyed by text, whoever's filter it was.
    ExpressionTree tree = ConvertAstToSearchArg.create(conf, gated).getCompactExpression();
    if (tree == null) {
      gate.constant(TruthValue.YES_NO_NULL);
    } else {
      gate.convert(tree);
    }
    return new SearchArgument().setLeaves(gate.leaves).setNodes(gate.nodes);
  }

  private ExprNodeDesc gated(FilterTerm term) {
    if (isLogical(term)) {
      List<ExprNodeDesc> operands = new ArrayList<>(term.children().size());
      term.children().forEach(child -> operands.add(gated(child)));
      return call(term.name(), operands);
    }
    if (isBooleanColumn(term)) {
      expect(term, Collections.singletonList(HiveLiterals.bool(true).setType("boolean")), "=");
      return term.source();
    }
    Optional<ColumnComparison> comparison = ColumnComparison.of(term);
    if (!comparison.isPresent()) {
      return new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, null);
    }
    expect(comparison.get().column(), comparison.get().literals(), term.name());
    List<ExprNodeDesc> operands = new ArrayList<>(term.children().size() + 1);
    if (term.isFunction(FunctionNames.BETWEEN)) {
      operands.add(new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, false));
    }
    term.children().forEach(child -> operands.add(child.source()));
    return call(term.name(), operands);
  }

  private static ExprNodeGenericFuncDesc call(String function, ExprNodeDesc operand) {
    return call(function, Collections.singletonList(operand));
  }

  private static ExprNodeGenericFuncDesc call(String function, List<ExprNodeDesc> operands) {
    return new ExprNodeGenericFuncDesc(
        TypeInfoFactory.booleanTypeInfo, FUNCTIONS.get(function).get(), operands);
  }

  static boolean isLogical(FilterTerm term) {
    return term.isFunction(FunctionNames.AND)
        || term.isFunction(FunctionNames.OR)
        || term.isFunction(FunctionNames.NOT);
  }

  static boolean isBooleanColumn(FilterTerm term) {
    return term.kind() == FilterNodeKind.COLUMN
        && TypeInfoFactory.booleanTypeInfo.equals(term.type());
  }

  private void expect(
      FilterTerm column, List<io.hudiskip.thrift.Literal> literals, String function) {
    PrimitiveCategory category = ((PrimitiveTypeInfo) column.type()).getPrimitiveCategory();
    columns.put(column.name(), category);
    for (PredicateLeafOperator operator : leafOperators(function)) {
      io.hudiskip.thrift.PredicateLeaf leaf =
          new io.hudiskip.thrift.PredicateLeaf()
              .setOperator(operator.getValue())
              .setColumn(column.name())
              .setType(column.type().getTypeName());
      if (operator == PredicateLeafOperator.IN && LiteralLists.goTogether(literals)) {
        leaf.setPackedLiterals(LiteralLists.of(literals));
      } else if (operator == PredicateLeafOperator.IN
          || operator == PredicateLeafOperator.BETWEEN) {
        leaf.setLiteralList(literals);
      } else if (!literals.isEmpty()) {
        leaf.setLiteral(literals.get(0));
      }
      expected.put(LeafKey.ofTree(operator, column.name(), category, literals), leaf);
    }
  }

  /**
   * What Hive may write a function as: it has no {@code >}, and swaps the operands of {@code 5 <
   * i}.
   */
  private static List<PredicateLeafOperator> leafOperators(String function) {
    switch (function) {
      case "=":
      case "!=":
        return Collections.singletonList(PredicateLeafOperator.EQUALS);
      case "<=>":
        return Collections.singletonList(PredicateLeafOperator.NULL_SAFE_EQUALS);
      case FunctionNames.IN:
        return Collections.singletonList(PredicateLeafOperator.IN);
      case FunctionNames.BETWEEN:
        return Collections.singletonList(PredicateLeafOperator.BETWEEN);
      case FunctionNames.IS_NULL:
      case FunctionNames.IS_NOT_NULL:
        return Collections.singletonList(PredicateLeafOperator.IS_NULL);
      default:
        return Arrays.asList(
            PredicateLeafOperator.LESS_THAN, PredicateLeafOperator.LESS_THAN_EQUALS);
    }
  }

  /** As deep as the filter, which {@link FilterTermBuilder} bounds. */
  private void convert(ExpressionTree tree) {
    switch (tree.getOperator()) {
      case LEAF:
        leaf(tree.getPredicateLeaf());
        break;
      case CONSTANT:
        constant(TruthValue.valueOf(tree.getConstant().name()));
        break;
      default:
        tree.getChildren().forEach(this::convert);
        nodes.add(
            new SearchArgumentNode()
                .setOperator(SearchArgumentOperator.valueOf(tree.getOperator().name()).getValue())
                .setArity(tree.getChildren().size()));
    }
  }

  private void leaf(PredicateLeaf leaf) {
    Integer index = leafIndexes.get(leaf);
    if (index == null) {
      io.hudiskip.thrift.PredicateLeaf typed =
          LeafKey.ofHive(leaf, columns.get(leaf.getColumnName())).map(expected::get).orElse(null);
      if (typed == null) {
        // The tree has no such comparison: whatever Hive made the leaf of, nothing is known about
        // it.
        constant(TruthValue.YES_NO_NULL);
        return;
      }
      index = leaves.size();
      leaves.add(typed);
      leafIndexes.put(leaf, index);
    }
    nodes.add(
        new SearchArgumentNode()
            .setOperator(SearchArgumentOperator.LEAF.getValue())
            .setArity(0)
            .setLeaf(index));
  }

  private void constant(TruthValue value) {
    nodes.add(
        new SearchArgumentNode()
            .setOperator(SearchArgumentOperator.CONSTANT.getValue())
            .setArity(0)
            .setConstant(value.getValue()));
  }
}
