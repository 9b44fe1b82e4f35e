// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.wire;

import static io.hudiskip.hive.filter.HiveFilters.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.filter.HiveFilters;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.CompileRequest;
import org.junit.jupiter.api.Test;

class CompileCallsTest {
  @Test
  void aRequestHoldsTheFilterInBothFormsAndItsFingerprint() {
    TypedFilter filter = TypedFilter.of(where("i < 1.5 AND i > 0"));
    CompileRequest request = CompileCalls.request(HiveFilters.scan(), filter);
    assertThat(request.getProtocolVersion()).isEqualTo(1);
    assertThat(request.getFingerprint()).isEqualTo(filter.fingerprint());
    assertThat(Render.tree(request.getFilter()))
        .isEqualTo("(and (< i 1.5:decimal(2,1)) (> i 0:int))");
    assertThat(Render.searchArgument(request.getSearchArgument()))
        .as("without the leaf that Hive has narrowed")
        .isEqualTo("(NOT (LESS_THAN_EQUALS i:int 0:int))");
    assertThat(request.getSchema().getColumns())
        .hasSize(18)
        .contains(new ColumnSchema().setName("m").setType("decimal(10,2)"));
  }

  @Test
  void thereIsNothingToCompileInAnEmptyFilter() {
    assertThatThrownBy(() -> CompileCalls.request(HiveFilters.scan(), TypedFilter.of(null)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
