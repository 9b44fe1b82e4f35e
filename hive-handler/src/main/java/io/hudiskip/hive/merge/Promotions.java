/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.merge;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;

/**
 * Base files that are older than the table's schema. Asked for another type than a file has,
 * parquet-avro fails, or widens a float bit by bit; so the file is read in its own types and Hudi's
 * rewriting of records makes the table's of them, as when it compacts.
 */
final class Promotions {
  private Promotions() {}

  /**
   * The schema to read a file with: the one that is required, with the file's own types of fields
   * that have other ones.
   *
   * @return {@code required} itself where no type differs
   */
  static Schema storedSchema(Schema file, Schema required) {
    return required.getType() == Schema.Type.RECORD ? record(file, required) : required;
  }

  private static Schema record(Schema file, Schema required) {
    boolean isSame = true;
    List<Schema.Field> fields = new ArrayList<>();
    for (Schema.Field field : required.getFields()) {
      Schema.Field own = file.getField(field.name());
      Schema type = own == null ? field.schema() : stored(own.schema(), field.schema());
      isSame &= type == field.schema();
      fields.add(
          new Schema.Field(
              field.name(),
              type,
              null,
              type == field.schema() ? field.defaultVal() : (Object) null));
    }
    return isSame
        ? required
        : Schema.createRecord(required.getName(), null, required.getNamespace(), false, fields);
  }

  /** The file's schema of a value where it is another type, else the required one. */
  private static Schema stored(Schema file, Schema required) {
    Schema own = nonNull(file);
    Schema wanted = nonNull(required);
    if (own.getType() != wanted.getType()) {
      boolean isText = isText(own) && isText(wanted);
      return isText ? required : file;
    }
    switch (own.getType()) {
      case RECORD:
        Schema record = record(own, wanted);
        return record == wanted ? required : orNull(record);
      case ARRAY:
        Schema element = stored(own.getElementType(), wanted.getElementType());
        return element == wanted.getElementType() ? required : orNull(Schema.createArray(element));
      case MAP:
        Schema value = stored(own.getValueType(), wanted.getValueType());
        return value == wanted.getValueType() ? required : orNull(Schema.createMap(value));
      default:
        return required;
    }
  }

  private static boolean isText(Schema schema) {
    return schema.getType() == Schema.Type.STRING || schema.getType() == Schema.Type.ENUM;
  }

  /** The branch of a union that is not null. */
  static Schema nonNull(Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    for (Schema branch : schema.getTypes()) {
      if (branch.getType() != Schema.Type.NULL) {
        return branch;
      }
    }
    return schema;
  }

  private static Schema orNull(Schema schema) {
    return Schema.createUnion(Schema.create(Schema.Type.NULL), schema);
  }
}
