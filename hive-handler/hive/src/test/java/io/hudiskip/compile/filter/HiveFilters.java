// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import io.hudiskip.hive.version.HiveGrammar;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.ColumnInfo;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.ParseException;
import org.apache.hadoop.hive.ql.parse.ParseUtils;
import org.apache.hadoop.hive.ql.parse.RowResolver;
import org.apache.hadoop.hive.ql.parse.SemanticException;
import org.apache.hadoop.hive.ql.parse.type.ExprNodeTypeCheck;
import org.apache.hadoop.hive.ql.parse.type.TypeCheckCtx;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPOr;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/**
 * Builds filters as Hive does where the CBO is bypassed ({@code DISTRIBUTE BY}, LATERAL VIEW…):
 * with Hive's parser and type checker over a table with one column of each type.
 */
public final class HiveFilters {
  private static final String[][] COLUMNS = {
    {"b", "boolean"},
    {"ti", "tinyint"},
    {"si", "smallint"},
    {"i", "int"},
    {"j", "int"},
    {"bi", "bigint"},
    {"f", "float"},
    {"d", "double"},
    {"m", "decimal(10,2)"},
    {"s", "string"},
    {"v", "varchar(5)"},
    {"c", "char(5)"},
    {"dt", "date"},
    {"ts", "timestamp"},
    {"tz", "timestamp with local time zone"},
    {"bin", "binary"},
    {"st", "struct<x:int,y:string>"},
    {"arr", "array<struct<x:int>>"},
  };

  /** Shared, since each new one sets the more than a thousand defaults of Hive. */
  private static final HiveConf DEFAULTS = new HiveConf();

  private HiveFilters() {}

  /** The settings of a new session. */
  public static HiveConf settings() {
    return new HiveConf(DEFAULTS);
  }

  /** The filter of {@code SELECT … FROM t WHERE condition}. */
  public static ExprNodeDesc where(String condition) {
    SessionState session = new SessionState(settings());
    session.setupQueryCurrentTimestamp();
    SessionState.setCurrentSessionState(session);
    try {
      ASTNode query = ParseUtils.parse("SELECT 1 FROM t WHERE " + condition, null);
      ASTNode insert = (ASTNode) query.getFirstChildWithType(HiveGrammar.token("TOK_INSERT"));
      ASTNode filter =
          (ASTNode) insert.getFirstChildWithType(HiveGrammar.token("TOK_WHERE")).getChild(0);
      return ExprNodeTypeCheck.genExprNode(filter, new TypeCheckCtx(rows())).get(filter);
    } catch (ParseException | SemanticException e) {
      throw new AssertionError("Hive does not understand: " + condition, e);
    } finally {
      SessionState.detachSession();
    }
  }

  /**
   * The filter as the listing sees it: after Hive's serialization, which loses the names of
   * functions.
   */
  public static ExprNodeGenericFuncDesc serialized(ExprNodeDesc filter) {
    return SerializationUtilities.deserializeExpression(
        SerializationUtilities.serializeExpression((ExprNodeGenericFuncDesc) filter));
  }

  public static ExprNodeGenericFuncDesc and(ExprNodeDesc... operands) {
    return call(new GenericUDFOPAnd(), operands);
  }

  public static ExprNodeGenericFuncDesc or(ExprNodeDesc... operands) {
    return call(new GenericUDFOPOr(), operands);
  }

  /** A column of the table. */
  public static ExprNodeDesc column(String name) {
    return new ExprNodeColumnDesc(type(name), name, "t", false);
  }

  /** A call with a boolean result. */
  public static ExprNodeGenericFuncDesc call(GenericUDF udf, ExprNodeDesc... operands) {
    return new ExprNodeGenericFuncDesc(
        TypeInfoFactory.booleanTypeInfo, udf, Arrays.asList(operands));
  }

  /** The configuration of a scan of the table. */
  public static Configuration scan() {
    Configuration scan = new Configuration(false);
    scan.set("columns", joined(",", 0));
    scan.set("columns.types", joined(":", 1));
    return scan;
  }

  private static String joined(String separator, int part) {
    return Arrays.stream(COLUMNS)
        .map(column -> column[part])
        .collect(Collectors.joining(separator));
  }

  public static TypeInfo type(String column) {
    return Arrays.stream(COLUMNS)
        .filter(candidate -> candidate[0].equals(column))
        .map(candidate -> TypeInfoUtils.getTypeInfoFromTypeString(candidate[1]))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no column " + column));
  }

  private static RowResolver rows() {
    RowResolver rows = new RowResolver();
    for (String[] column : COLUMNS) {
      rows.put("t", column[0], new ColumnInfo(column[0], type(column[0]), "t", false));
    }
    return rows;
  }
}
