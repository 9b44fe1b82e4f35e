/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import static io.hudiskip.filter.HiveFilters.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.TableSchema;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class CompileRequestsTest {
  private static final TableSchema SCHEMA =
      new TableSchema()
          .setColumns(Collections.singletonList(new ColumnSchema().setName("i").setType("int")));

  @Test
  void aRequestHoldsTheFilterInBothFormsAndItsFingerprint() {
    TypedFilter filter = TypedFilter.of(where("i < 1.5 AND i > 0"));
    CompileRequest request = CompileRequests.of(new Configuration(false), filter, SCHEMA);
    assertThat(request.getProtocolVersion()).isEqualTo(1);
    assertThat(request.getFingerprint()).isEqualTo(filter.fingerprint());
    assertThat(Render.tree(request.getFilter()))
        .isEqualTo("(and (< i 1.5:decimal(2,1)) (> i 0:int))");
    assertThat(Render.searchArgument(request.getSearchArgument()))
        .as("without the leaf that Hive has narrowed")
        .isEqualTo("(NOT (LESS_THAN_EQUALS i:int 0:int))");
    assertThat(request.getSchema()).isEqualTo(SCHEMA);
  }

  @Test
  void thereIsNothingToCompileInAnEmptyFilter() {
    assertThatThrownBy(
            () -> CompileRequests.of(new Configuration(false), TypedFilter.of(null), SCHEMA))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
