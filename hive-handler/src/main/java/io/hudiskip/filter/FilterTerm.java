/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.Literal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;

/** A node of the typed filter tree, not yet flattened into Thrift's node list. */
final class FilterTerm {
  private final FilterNodeKind kind;
  private final TypeInfo type;
  private final String name;
  private final Literal literal;
  private final List<FilterTerm> children;
  private final ExprNodeDesc source;

  private FilterTerm(
      FilterNodeKind kind,
      @Nullable TypeInfo type,
      @Nullable String name,
      @Nullable Literal literal,
      List<FilterTerm> children,
      @Nullable ExprNodeDesc source) {
    this.kind = kind;
    this.type = type;
    this.name = name;
    this.literal = literal;
    this.children = children;
    this.source = source;
  }

  static FilterTerm column(String name, ExprNodeDesc source) {
    return new FilterTerm(
        FilterNodeKind.COLUMN, source.getTypeInfo(), name, null, Collections.emptyList(), source);
  }

  static FilterTerm literal(Literal literal, TypeInfo type, @Nullable ExprNodeDesc source) {
    return new FilterTerm(
        FilterNodeKind.LITERAL, type, null, literal, Collections.emptyList(), source);
  }

  static FilterTerm function(
      String name, TypeInfo type, List<FilterTerm> children, @Nullable ExprNodeDesc source) {
    return new FilterTerm(
        FilterNodeKind.FUNCTION,
        type,
        name,
        null,
        Collections.unmodifiableList(new ArrayList<>(children)),
        source);
  }

  static FilterTerm field(String name, FilterTerm struct, ExprNodeDesc source) {
    return new FilterTerm(
        FilterNodeKind.FIELD,
        source.getTypeInfo(),
        name,
        null,
        Collections.singletonList(struct),
        source);
  }

  static FilterTerm opaque(String reason, @Nullable TypeInfo type) {
    return new FilterTerm(FilterNodeKind.OPAQUE, type, reason, null, Collections.emptyList(), null);
  }

  FilterNodeKind kind() {
    return kind;
  }

  /** Type of the value; null for OPAQUE where Hive has none. */
  @Nullable
  TypeInfo type() {
    return type;
  }

  /** Name of the column, function or field, or the reason of OPAQUE; null for a literal. */
  @Nullable
  String name() {
    return name;
  }

  /** The value of a literal; null for other kinds. */
  @Nullable
  Literal literal() {
    return literal;
  }

  List<FilterTerm> children() {
    return children;
  }

  /**
   * A node of Hive's that has the value of this term; null for OPAQUE, for the fields of a constant
   * struct and for the AND of the conjuncts, some of which may have been left out.
   */
  @Nullable
  ExprNodeDesc source() {
    return source;
  }

  boolean isFunction(String functionName) {
    return kind == FilterNodeKind.FUNCTION && functionName.equals(name);
  }
}
