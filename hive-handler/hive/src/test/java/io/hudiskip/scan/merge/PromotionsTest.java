// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.avro.AvroSchemaUtils;
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
  void widensAFloatByItsTextInAColumnAndBitByBitWithin() {
    Schema ofDoubles = SchemaBuilder.record("r").fields().requiredDouble("x").endRecord();
    Schema ofFloats = SchemaBuilder.record("r").fields().requiredFloat("x").endRecord();
    assertThat(Promotions.storedSchema(ofFloats, ofDoubles).getField("x").schema().getType())
        .isEqualTo(Schema.Type.FLOAT);
    Schema required = withInner(SchemaBuilder.builder().doubleType());
    assertThat(Promotions.storedSchema(withInner(SchemaBuilder.builder().floatType()), required))
        .isSameAs(required);
  }

  @Test
  void refusesBytesThatMeanSomethingElse() {
    Schema cents = LogicalTypes.decimal(10, 2).addToSchema(SchemaBuilder.builder().bytesType());
    Schema mills = LogicalTypes.decimal(10, 3).addToSchema(SchemaBuilder.builder().bytesType());
    assertThatThrownBy(() -> Promotions.storedSchema(withInner(cents), withInner(mills)))
        .hasMessageContaining("column list.element.x is a decimal of scale 2 in a file")
        .hasMessageContaining("a decimal of scale 3 in the table");
    Schema wider = LogicalTypes.decimal(12, 2).addToSchema(SchemaBuilder.builder().bytesType());
    Schema required = withInner(wider);
    assertThat(Promotions.storedSchema(withInner(cents), required)).isSameAs(required);
    Schema time = LogicalTypes.timestampMicros().addToSchema(SchemaBuilder.builder().longType());
    assertThatThrownBy(
            () ->
                Promotions.storedSchema(
                    withInner(SchemaBuilder.builder().longType()), withInner(time)))
        .hasMessageContaining("a plain long in a file and a timestamp-micros in the table");
  }

  @Test
  void makesMicrosecondsOfMillisecondsHoweverDeep() {
    Schema millis = LogicalTypes.timestampMillis().addToSchema(SchemaBuilder.builder().longType());
    Schema micros = LogicalTypes.timestampMicros().addToSchema(SchemaBuilder.builder().longType());
    Schema required = withInner(micros);
    Schema stored = Promotions.storedSchema(withInner(millis), required);
    Schema inner =
        AvroSchemaUtils.getNonNullTypeFromUnion(
            AvroSchemaUtils.getNonNullTypeFromUnion(stored.getField("list").schema())
                .getElementType());
    GenericData.Record element = new GenericData.Record(inner);
    element.put("x", -1_600L);
    GenericData.Record record = new GenericData.Record(stored);
    record.put("id", 7);
    record.put("list", Collections.singletonList(element));
    IndexedRecord promoted = Promotions.promoted(record, required);
    assertThat(promoted.toString()).isEqualTo("{\"id\": 7, \"list\": [{\"x\": -1600000}]}");
    element.put("x", Long.MAX_VALUE / 999);
    assertThatThrownBy(() -> Promotions.promoted(record, required))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void takesTheNumbersOfMislabelledMillisecondsHoweverDeep() {
    Schema number = SchemaBuilder.builder().longType();
    Schema micros = LogicalTypes.timestampMicros().addToSchema(SchemaBuilder.builder().longType());
    Schema millis =
        withInner(LogicalTypes.timestampMillis().addToSchema(SchemaBuilder.builder().longType()));
    assertThat(Promotions.storedSchema(withInner(micros), millis)).isSameAs(millis);
    assertThatThrownBy(() -> Promotions.storedSchema(withInner(number), millis))
        .hasMessageContaining("a plain long in a file and a timestamp-millis in the table");
    Schema local =
        withInner(
            LogicalTypes.localTimestampMicros().addToSchema(SchemaBuilder.builder().longType()));
    assertThat(Promotions.storedSchema(withInner(number), local)).isSameAs(local);
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
