// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import java.util.Collections;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPNotTrue;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;

/** The filter that tells in which files every row matches. */
public final class Complement {
  private Complement() {}

  /**
   * {@code filter IS NOT TRUE}. A file that this excludes has no row for which the filter is FALSE
   * or NULL: the compiler's rules hold for every condition, so for this one.
   *
   * @param filter not changed, but shared
   */
  public static ExprNodeGenericFuncDesc of(ExprNodeDesc filter) {
    return new ExprNodeGenericFuncDesc(
        TypeInfoFactory.booleanTypeInfo,
        new GenericUDFOPNotTrue(),
        Collections.singletonList(filter));
  }
}
