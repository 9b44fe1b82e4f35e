// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/** A node of a filter as a typed tree. Immutable. */
public final class FilterTerm {
  /** What a term is. */
  public enum Kind {
    COLUMN,
    LITERAL,
    FUNCTION,
    FIELD,
    /** Must not decide a skip. */
    OPAQUE
  }

  private final Kind kind;
  private final TypeInfo type;
  private final String name;
  private final Object value;
  private final List<FilterTerm> children;
  private final ExprNodeDesc source;

  private FilterTerm(
      Kind kind,
      @Nullable TypeInfo type,
      @Nullable String name,
      @Nullable Object value,
      List<FilterTerm> children,
      @Nullable ExprNodeDesc source) {
    this.kind = kind;
    this.type = type;
    this.name = name;
    this.value = value;
    this.children = Collections.unmodifiableList(children);
    this.source = source;
  }

  static FilterTerm column(String name, ExprNodeDesc source) {
    return new FilterTerm(
        Kind.COLUMN, source.getTypeInfo(), name, null, Collections.emptyList(), source);
  }

  /** {@code value} is of a class that {@link #value} lists. */
  public static FilterTerm literal(
      TypeInfo type, @Nullable Object value, @Nullable ExprNodeDesc source) {
    return new FilterTerm(Kind.LITERAL, type, null, value, Collections.emptyList(), source);
  }

  static FilterTerm function(
      String name, TypeInfo type, List<FilterTerm> children, @Nullable ExprNodeDesc source) {
    return new FilterTerm(Kind.FUNCTION, type, name, null, new ArrayList<>(children), source);
  }

  static FilterTerm field(String name, FilterTerm struct, ExprNodeDesc source) {
    return new FilterTerm(
        Kind.FIELD, source.getTypeInfo(), name, null, Collections.singletonList(struct), source);
  }

  static FilterTerm opaque(String reason, @Nullable TypeInfo type) {
    return new FilterTerm(Kind.OPAQUE, type, reason, null, Collections.emptyList(), null);
  }

  public Kind kind() {
    return kind;
  }

  /** Type of the value; null for an OPAQUE that has none in Hive. */
  @Nullable
  public TypeInfo type() {
    return type;
  }

  /** Name of the column, function or field, or the reason for OPAQUE; null for a literal. */
  @Nullable
  public String name() {
    return name;
  }

  /**
   * The value of a literal: a Boolean, Long, Double, String, HiveDecimal, LocalDate, or an Instant
   * for a timestamp's wall clock as if in UTC. Null for NULL and for other terms.
   */
  @Nullable
  public Object value() {
    return value;
  }

  public List<FilterTerm> children() {
    return children;
  }

  /**
   * A Hive node with this term's value; null for OPAQUE, for fields of a constant struct, and for
   * the AND of the conjuncts, some of which may have been dropped.
   */
  @Nullable
  public ExprNodeDesc source() {
    return source;
  }

  public boolean isFunction(String functionName) {
    return kind == Kind.FUNCTION && functionName.equals(name);
  }

  /** Whether it is an AND, OR or NOT. */
  public boolean isLogical() {
    return isFunction(FunctionNames.AND)
        || isFunction(FunctionNames.OR)
        || isFunction(FunctionNames.NOT);
  }

  boolean isBinaryComparison() {
    return kind == Kind.FUNCTION && FunctionNames.BINARY_COMPARISONS.contains(name);
  }

  /** Whether it is IN, BETWEEN or IS [NOT] NULL, whose first operand is the tested value. */
  boolean isTest() {
    return isFunction(FunctionNames.IN)
        || isFunction(FunctionNames.BETWEEN)
        || isFunction(FunctionNames.IS_NULL)
        || isFunction(FunctionNames.IS_NOT_NULL);
  }

  public boolean isBooleanColumn() {
    return kind == Kind.COLUMN && TypeInfoFactory.booleanTypeInfo.equals(type);
  }
}
