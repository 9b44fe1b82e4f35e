// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import io.hudiskip.compile.filter.ColumnComparison;
import io.hudiskip.compile.filter.FilterTerm;
import io.hudiskip.compile.filter.FunctionNames;
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
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.io.sarg.ConvertAstToSearchArg;
import org.apache.hadoop.hive.ql.io.sarg.ExpressionTree;
import org.apache.hadoop.hive.ql.io.sarg.PredicateLeaf;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNot;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.apache.hadoop.hive.serde2.objectinspector.PrimitiveObjectInspector.PrimitiveCategory;
import org.apache.hadoop.hive.serde2.typeinfo.PrimitiveTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/**
 * Hive's SearchArgument of a filter, reduced to leaves that the typed tree confirms.
 *
 * <p>{@code ConvertAstToSearchArg} is unsafe alone: where the CBO added no casts, it narrows
 * literals to the column's type. So there are two checks. Hive gets the filter with every term
 * other than a {@link ColumnComparison} replaced by the boolean NULL, which becomes YES_NO_NULL. A
 * leaf that comes back is used only if its column, operator and values match such a comparison,
 * with the tree's typed literals.
 */
final class SearchArgumentEncoder {
  private final Map<List<Object>, io.hudiskip.thrift.PredicateLeaf> expected = new HashMap<>();
  private final Map<String, PrimitiveCategory> columns = new HashMap<>();
  private final Map<PredicateLeaf, Integer> leafIndexes = new HashMap<>();
  private final List<io.hudiskip.thrift.PredicateLeaf> leaves = new ArrayList<>();
  private final List<SearchArgumentNode> nodes = new ArrayList<>();

  private SearchArgumentEncoder() {}

  static SearchArgument encode(Configuration conf, FilterTerm root) {
    SearchArgumentEncoder encoder = new SearchArgumentEncoder();
    ExprNodeGenericFuncDesc convertible =
        call(new GenericUDFOPAnd(), Collections.singletonList(encoder.convertible(root)));
    // Not Hive's cached form: its cache is keyed by text alone.
    ExpressionTree tree = ConvertAstToSearchArg.create(conf, convertible).getCompactExpression();
    if (tree == null) {
      encoder.constant(TruthValue.YES_NO_NULL);
    } else {
      encoder.convert(tree);
    }
    return new SearchArgument().setLeaves(encoder.leaves).setNodes(encoder.nodes);
  }

  /** The term with NULL in place of what is no {@link ColumnComparison}. */
  private ExprNodeDesc convertible(FilterTerm term) {
    if (term.isLogical()) {
      List<ExprNodeDesc> operands = new ArrayList<>(term.children().size());
      term.children().forEach(child -> operands.add(convertible(child)));
      return call(logical(term.name()), operands);
    }
    if (term.isBooleanColumn()) {
      expect(term, Collections.singletonList(FilterTerm.literal(term.type(), true, null)), "=");
      return term.source();
    }
    Optional<ColumnComparison> comparison = ColumnComparison.of(term);
    if (!comparison.isPresent()) {
      return new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, null);
    }
    expect(comparison.get().column(), comparison.get().constants(), term.name());
    if (term.source() != null) {
      return term.source();
    }
    // The BETWEEN of a NOT BETWEEN, for which Hive has no node.
    List<ExprNodeDesc> operands = new ArrayList<>();
    operands.add(new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, false));
    term.children().forEach(child -> operands.add(child.source()));
    return call(new GenericUDFBetween(), operands);
  }

  private static GenericUDF logical(String name) {
    if (name.equals(FunctionNames.NOT)) {
      return new GenericUDFOPNot();
    }
    return name.equals(FunctionNames.AND) ? new GenericUDFOPAnd() : new GenericUDFOPOr();
  }

  private static ExprNodeGenericFuncDesc call(GenericUDF function, List<ExprNodeDesc> operands) {
    return new ExprNodeGenericFuncDesc(TypeInfoFactory.booleanTypeInfo, function, operands);
  }

  private void expect(FilterTerm column, List<FilterTerm> constants, String function) {
    PrimitiveCategory category = ((PrimitiveTypeInfo) column.type()).getPrimitiveCategory();
    columns.put(column.name(), category);
    for (PredicateLeafOperator operator : leafOperators(function)) {
      io.hudiskip.thrift.PredicateLeaf leaf =
          new io.hudiskip.thrift.PredicateLeaf()
              .setOperator(operator.getValue())
              .setColumn(column.name())
              .setType(column.type().getTypeName());
      if (operator == PredicateLeafOperator.IN && Literals.canShareList(constants)) {
        leaf.setPackedLiterals(Literals.list(constants));
      } else if (operator == PredicateLeafOperator.IN
          || operator == PredicateLeafOperator.BETWEEN) {
        leaf.setLiteralList(constants.stream().map(Literals::of).collect(Collectors.toList()));
      } else if (!constants.isEmpty()) {
        leaf.setLiteral(Literals.of(constants.get(0)));
      }
      expected.put(LeafKeys.ofTree(operator.name(), column.name(), category, constants), leaf);
    }
  }

  /**
   * The operators Hive may write for a function: it has no {@code >}, and swaps the operands of
   * {@code 5 < i}.
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

  /** Recursion is as deep as the filter, which the builder of terms bounds. */
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
            node(
                SearchArgumentOperator.valueOf(tree.getOperator().name()),
                tree.getChildren().size()));
    }
  }

  private void leaf(PredicateLeaf leaf) {
    Integer index = leafIndexes.get(leaf);
    if (index == null) {
      io.hudiskip.thrift.PredicateLeaf typed =
          LeafKeys.ofHive(leaf, columns.get(leaf.getColumnName())).map(expected::get).orElse(null);
      if (typed == null) {
        // No comparison of the tree explains this leaf, so nothing is known about it.
        constant(TruthValue.YES_NO_NULL);
        return;
      }
      index = leaves.size();
      leaves.add(typed);
      leafIndexes.put(leaf, index);
    }
    nodes.add(node(SearchArgumentOperator.LEAF, 0).setLeaf(index));
  }

  private void constant(TruthValue value) {
    nodes.add(node(SearchArgumentOperator.CONSTANT, 0).setConstant(value.getValue()));
  }

  private static SearchArgumentNode node(SearchArgumentOperator operator, int arity) {
    return new SearchArgumentNode().setOperator(operator.getValue()).setArity(arity);
  }
}
