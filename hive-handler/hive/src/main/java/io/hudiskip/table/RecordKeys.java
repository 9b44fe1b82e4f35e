// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import io.hudiskip.table.version.HudiVersions;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import org.apache.avro.Schema;
import org.apache.hudi.avro.AvroSchemaUtils;
import org.apache.hudi.common.model.HoodieRecord;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.CollectionUtils;
import org.apache.hudi.keygen.constant.KeyGeneratorType;

/**
 * The record keys of a table: Hudi's own column or, with {@code hoodie.populate.meta.fields=false},
 * what the writer's key generator makes of other fields. Delete blocks in logs name rows by these
 * texts, so a key must match the writer's exactly ({@code KeyGenUtils.getRecordKey}). Immutable.
 */
public final class RecordKeys {
  /** Key generators for which Hudi's writer allows a table without a key column. */
  private static final Set<String> KEY_GENERATORS =
      CollectionUtils.createImmutableSet(
          KeyGeneratorType.SIMPLE.getClassName(),
          KeyGeneratorType.COMPLEX.getClassName(),
          KeyGeneratorType.NON_PARTITION.getClassName());

  /**
   * Types whose values have exactly one text. For dates, times and decimals it depends on the
   * writer's options, and Hudi's compaction and writers disagree.
   */
  private static final Set<Schema.Type> TYPES =
      CollectionUtils.createImmutableSet(
          Schema.Type.STRING, Schema.Type.INT, Schema.Type.LONG, Schema.Type.BOOLEAN);

  private static final String NULL = "__null__";
  private static final String EMPTY = "__empty__";

  private final List<String> fields;

  private RecordKeys(List<String> fields) {
    this.fields = fields;
  }

  public static RecordKeys of(HoodieTableConfig config) {
    return new RecordKeys(
        Collections.unmodifiableList(
            config.populateMetaFields()
                ? Collections.singletonList(HoodieRecord.RECORD_KEY_METADATA_FIELD)
                : Arrays.asList(config.getRecordKeyFields().orElse(new String[0]))));
  }

  /** Why a table's record keys cannot be determined; empty if they can. */
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
      return Optional.of("the key format of " + keyGenerator + " is unknown");
    }
    if (fields.size() == 1
        && KeyGeneratorType.COMPLEX.getClassName().equals(keyGenerator)
        && HudiVersions.hasAmbiguousComplexKeys(config)) {
      return Optional.of("Hudi releases differ in how " + keyGenerator + " formats a single field");
    }
    for (String name : fields) {
      Schema.Field field = schema.getField(name);
      if (field == null) {
        return Optional.of("its key column " + name + " is missing");
      }
      Schema type = AvroSchemaUtils.getNonNullTypeFromUnion(field.schema());
      if (!TYPES.contains(type.getType()) || type.getLogicalType() != null) {
        return Optional.of("its key field " + name + " is neither a string nor an integer");
      }
    }
    return Optional.empty();
  }

  /** The fields that form a key, at least one. */
  public List<String> fields() {
    return fields;
  }

  /**
   * The key of a record.
   *
   * @param textOf a field's value as text, null for NULL
   * @throws IllegalArgumentException for a record without a key
   */
  public String of(UnaryOperator<String> textOf) {
    if (fields.size() == 1) {
      String key = textOf.apply(fields.get(0));
      if (key == null || key.isEmpty()) {
        throw new IllegalArgumentException(
            "a record has no value in its key field " + fields.get(0));
      }
      return key;
    }
    StringJoiner key = new StringJoiner(",");
    for (String field : fields) {
      String text = textOf.apply(field);
      key.add(field + ':' + (text == null ? NULL : text.isEmpty() ? EMPTY : text));
    }
    return key.toString();
  }
}
