// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.filter;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hive.ql.exec.FunctionInfo;
import org.apache.hadoop.hive.ql.exec.FunctionRegistry;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBridge;
import org.junit.jupiter.api.Test;

class FunctionNamesTest {
  @Test
  void onlyHivesOwnFunctionGetsItsName() throws Exception {
    int functions = 0;
    for (String registered : FunctionRegistry.getFunctionNames()) {
      FunctionInfo info = FunctionRegistry.getFunctionInfo(registered);
      if (!info.isGenericUDF()) {
        continue;
      }
      functions++;
      Class<?> implementation = implementation(info.getGenericUDF());
      String name =
          FunctionNames.of(HiveFilters.call(info.getGenericUDF()))
              .orElseThrow(() -> new AssertionError(registered + " is built in"));
      if (FunctionRegistry.getFunctionNames().contains(name) && !name.equals("cast")) {
        assertThat(implementation(FunctionRegistry.getFunctionInfo(name).getGenericUDF()))
            .as("%s is called %s", registered, name)
            .isEqualTo(implementation);
      }
    }
    assertThat(functions).as("built-in functions").isGreaterThan(300);
  }

  private static Class<?> implementation(GenericUDF udf) {
    return udf instanceof GenericUDFBridge
        ? ((GenericUDFBridge) udf).getUdfClass()
        : udf.getClass();
  }
}
