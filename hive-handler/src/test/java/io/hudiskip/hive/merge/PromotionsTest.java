/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.merge;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.junit.jupiter.api.Test;

class PromotionsTest {
  @Test
  void leavesTheSchemaAloneWhereNoTypeDiffers() {
    Schema required =
        SchemaBuilder.record("r").fields().optionalLong("a").optionalString("added").endRecord();
    Schema file =
        SchemaBuilder.record("f").fields().requiredLong("a").optionalInt("dropped").endRecord();
    assertThat(Promotions.storedSchema(file, required)).isSameAs(required);
  }

  @Test
  void takesTheTypesOfTheFileWhereTheyDifferHoweverDeep() {
    Schema required = withInner(SchemaBuilder.builder().doubleType());
    Schema file = withInner(SchemaBuilder.builder().floatType());
    Schema stored = Promotions.storedSchema(file, required);
    Schema inner = Promotions.nonNull(stored.getField("list").schema()).getElementType();
    assertThat(Promotions.nonNull(inner).getField("x").schema().getType())
        .isEqualTo(Schema.Type.FLOAT);
    assertThat(stored.getField("id").schema()).isEqualTo(required.getField("id").schema());
  }

  private static Schema withInner(Schema x) {
    Schema inner = SchemaBuilder.record("inner").fields().name("x").type(x).noDefault().endRecord();
    return SchemaBuilder.record("r")
        .fields()
        .requiredInt("id")
        .name("list")
        .type()
        .optional()
        .array()
        .items(inner)
        .endRecord();
  }
}
