/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.merge;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableVersion;
import org.apache.hudi.keygen.constant.KeyGeneratorType;

/**
 * The keys of a table's records: those in Hudi's own column or, where the table has none ({@code
 * hoodie.populate.meta.fields=false}), what the writer's key generator made of other fields. The
 * delete blocks of logs name rows by these texts, so a key must be exactly what it was for the
 * writer ({@code KeyGenUtils.getRecordKey}). Immutable.
 */
public final class RecordKeys {
  /** Those with which Hudi's writer lets a table be without keys. */
  private static final Set<String> KEY_GENERATORS =
      Collections.unmodifiableSet(
          new HashSet<>(
              Arrays.asList(
                  KeyGeneratorType.SIMPLE.getClassName(),
                  KeyGeneratorType.COMPLEX.getClassName(),
                  KeyGeneratorType.NON_PARTITION.getClassName())));

  /**
   * Types of which a value has one text. Those of dates, times and decimals depend on the writer's
   * options, and Hudi's compaction takes others for them than its writers.
   */
  private static final Set<Schema.Type> TYPES =
      Collections.unmodifiableSet(
          EnumSet.of(Schema.Type.STRING, Schema.Type.INT, Schema.Type.LONG, Schema.Type.BOOLEAN));

  private static final String NULL = "__null__";
  private static final String EMPTY = "__empty__";

  private final List<String> fields;

  private RecordKeys(List<String> fields) {
    this.fields = fields;
  }

  /** The keys of a table's records. */
  public static RecordKeys of(HoodieTableConfig config) {
    return new RecordKeys(
        Collections.unmodifiableList(
            config.populateMetaFields()
                ? Collections.singletonList(HoodieRecord.RECORD_KEY_METADATA_FIELD)
                : Arrays.asList(config.getRecordKeyFields().orElse(new String[0]))));
  }

  /** Why the keys of a table's records cannot be told; empty if they can. */
  public static Optional<String> obstacle(HoodieTableConfig config, Schema schema) {
    if (config.populateMetaFields()) {
      return Optional.empty();
    }
    List<String> fields = of(config).fields;
    if (fields.isEmpty()) {
      return Optional.of("its properties name no key fields");
    }
    String keyGenerator = config.getKeyGeneratorClassName();
    if (!KEY_GENERATORS.contains(keyGenerator)) {
      return Optional.of("what " + keyGenerator + " makes of its key fields is not known");
    }
    // Releases before version 8 of tables make "field:value" or "value" of it.
    if (fields.size() == 1
        && KeyGeneratorType.COMPLEX.getClassName().equals(keyGenerator)
        && config.getTableVersion().lesserThan(HoodieTableVersion.EIGHT)) {
      return Optional.of("releases of Hudi differ in what " + keyGenerator + " makes of one field");
    }
    for (String name : fields) {
      Schema.Field field = schema.getField(name);
      if (field == null) {
        return Optional.of("it has no column " + name + ", its key");
      }
      Schema type = Promotions.nonNull(field.schema());
      if (!TYPES.contains(type.getType()) || type.getLogicalType() != null) {
        return Optional.of("its key field " + name + " is neither a string nor an integer");
      }
    }
    return Optional.empty();
  }

  /** The fields that a key is made of, at least one. */
  public List<String> fields() {
    return fields;
  }

  /**
   * The key of a record.
   *
   * @throws IllegalArgumentException when it has none
   */
  String of(IndexedRecord record) {
    if (fields.size() == 1) {
      String key = RecordRows.text(record, fields.get(0));
      if (key == null || key.isEmpty()) {
        throw new IllegalArgumentException("a record has no " + fields.get(0) + ", its key");
      }
      return key;
    }
    StringBuilder key = new StringBuilder();
    for (String field : fields) {
      String text = RecordRows.text(record, field);
      key.append(key.length() == 0 ? "" : ",").append(field).append(':');
      key.append(text == null ? NULL : text.isEmpty() ? EMPTY : text);
    }
    return key.toString();
  }
}
