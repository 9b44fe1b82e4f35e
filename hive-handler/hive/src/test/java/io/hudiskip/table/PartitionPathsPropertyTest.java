// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.Connective;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.expression.Node;
import io.hudiskip.compile.expression.Operator;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.leaf.NullTestLeaf;
import io.hudiskip.compile.expression.leaf.ValueLeaf;
import io.hudiskip.compile.expression.leaf.ValueRange;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import javax.annotation.Nullable;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hudi.common.config.TypedProperties;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.keygen.BaseKeyGenerator;
import org.apache.hudi.keygen.ComplexAvroKeyGenerator;
import org.apache.hudi.keygen.SimpleAvroKeyGenerator;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.junit.jupiter.api.Test;

/**
 * Random rows, whose partitions Hudi's own key generators name, under random conditions: a row's
 * value is what readers return, and no partition is left out that has a row which matches.
 */
class PartitionPathsPropertyTest {
  private static final int CONDITIONS = 10_000;
  private static final String[] TYPES = {"int", "bigint", "string", "boolean", "date"};
  private static final String NULL_FOLDER = "__HIVE_DEFAULT_PARTITION__";
  private static final Object[] TEXTS = {
    null,
    "",
    "a",
    "b",
    "a b",
    "a/b",
    "a/b/c",
    "50%",
    "%41",
    "a=b",
    "a%2Fb",
    "007",
    "7",
    "default",
    "\u00fc",
    "2026-01-03",
    NULL_FOLDER,
    "c1=a"
  };

  /** What one run of the property has found. */
  private static final class Findings {
    private int matching;
    private int leftOut;
    private final List<String> lost = new ArrayList<>();
    private final List<String> changed = new ArrayList<>();
  }

  @Test
  void noPartitionWithARowThatMatchesIsLeftOut() throws Exception {
    Findings found = run(true, true);
    assertThat(found.lost).as("partitions with rows that match, and were left out").isEmpty();
    assertThat(found.changed).as("rows whose values readers would change").isEmpty();
    assertThat(found.matching).as("conditions that match").isGreaterThan(CONDITIONS / 4);
    assertThat(found.leftOut).as("partitions left out").isGreaterThan(CONDITIONS / 4);
  }

  @Test
  void aRuleThatUnescapesWhatIsNotEscapedWouldChangeValues() throws Exception {
    assertThat(run(false, true).changed).as("the rule, broken").isNotEmpty();
  }

  @Test
  void aRuleThatTakesDirectoriesForPartitionsWouldLoseRows() throws Exception {
    assertThat(run(true, false).lost).as("the rule, broken").isNotEmpty();
  }

  private static Findings run(boolean knowsEscapes, boolean knowsDirectories) throws Exception {
    Random random = new Random(47);
    Findings found = new Findings();
    for (int i = 0; i < CONDITIONS; i++) {
      new OneRow(random).ask(random, knowsEscapes, knowsDirectories, found);
    }
    return found;
  }

  /** A row of a random table. */
  private static final class OneRow {
    private final List<HiveType> types = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();
    private final boolean isHiveStyle;
    private final boolean isEscaped;

    OneRow(Random random) {
      int columns = 1 + random.nextInt(3);
      for (int i = 0; i < columns; i++) {
        HiveType type = HiveType.parse(TYPES[random.nextInt(TYPES.length)]).get();
        types.add(type);
        values.add(value(type, random));
      }
      isHiveStyle = random.nextBoolean();
      isEscaped = random.nextBoolean();
    }

    void ask(Random random, boolean knowsEscapes, boolean knowsDirectories, Findings found)
        throws Exception {
      String path = path();
      PartitionValues paths =
          PartitionValues.of(
              config(isEscaped || !knowsEscapes),
              new PartitionColumns(Collections.emptyList(), false, false),
              hiveTypes());
      List<Object> read = read(paths.inPlaceOfStored(path));
      for (int i = 0; i < values.size(); i++) {
        // Hudi puts an empty string into the folder of NULL, and cannot tell the folder's name.
        boolean isLost = Arrays.asList("", NULL_FOLDER).contains(values.get(i));
        if (!Objects.equals(read.get(i), isLost ? null : values.get(i))
            && !(isLost && values.get(i).equals(read.get(i)))) {
          found.changed.add(path + ": " + values.get(i) + " as " + read.get(i));
        }
      }
      List<Node> nodes = new ArrayList<>();
      boolean matches = condition(random, read, nodes);
      HudiExpression expression = new HudiExpression(new byte[0], nodes);
      boolean isKept = keeps(expression, paths, path, true);
      for (int end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
        isKept &= keeps(expression, paths, path.substring(0, end), !knowsDirectories) || !matches;
      }
      found.matching += matches ? 1 : 0;
      found.leftOut += isKept ? 0 : 1;
      if (matches && !isKept) {
        found.lost.add(path + " under " + expression + " for " + types);
      }
    }

    private static boolean keeps(
        HudiExpression expression, PartitionValues paths, String path, boolean isPartition) {
      return expression
          .evaluate(paths.statistics(Collections.singletonList(path), isPartition))
          .get(0);
    }

    /** What readers return: the path's value where it is determined, else the file's. */
    private List<Object> read(Map<String, String> ofPath) {
      List<Object> read = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        String text = ofPath.get(name(i));
        read.add(
            ofPath.containsKey(name(i))
                ? (text == null ? null : parsed(types.get(i), text))
                : values.get(i));
      }
      return read;
    }

    private boolean condition(Random random, List<Object> row, List<Node> into) {
      boolean left = leaf(random, row, into);
      if (random.nextBoolean()) {
        return left;
      }
      boolean right = leaf(random, row, into);
      boolean isAnd = random.nextBoolean();
      into.add(new Connective(isAnd ? Operator.AND : Operator.OR, 2));
      return isAnd ? left && right : left || right;
    }

    /** Adds a test of one column; whether the row passes it. */
    private boolean leaf(Random random, List<Object> row, List<Node> into) {
      int column = random.nextInt(row.size());
      HiveType type = types.get(column);
      ReadColumn asked = new ReadColumn(name(column), type);
      Object own = row.get(column);
      Object other = random.nextInt(3) == 0 ? own : value(type, random);
      if (other == null) {
        boolean isNull = random.nextBoolean();
        into.add(new NullTestLeaf(isNull ? Operator.IS_NULL : Operator.IS_NOT_NULL, asked));
        return isNull == (own == null);
      }
      byte[] encoded = encoded(type, other);
      int order = own == null ? 0 : compare(own, other);
      switch (random.nextInt(4)) {
        case 0:
          into.add(new ValueLeaf(Operator.EQ, asked, points(encoded)));
          return own != null && order == 0;
        case 1:
          into.add(new ValueLeaf(Operator.NE, asked, points(encoded)));
          return own != null && order != 0;
        case 2:
          into.add(
              new ValueLeaf(
                  Operator.LT,
                  asked,
                  Collections.singletonList(new ValueRange(null, false, encoded, false))));
          return own != null && order < 0;
        default:
          into.add(
              new ValueLeaf(
                  Operator.GTEQ,
                  asked,
                  Collections.singletonList(new ValueRange(encoded, true, null, false))));
          return own != null && order >= 0;
      }
    }

    private String path() throws Exception {
      SchemaBuilder.FieldAssembler<Schema> fields =
          SchemaBuilder.record("row").fields().requiredString("id");
      for (int i = 0; i < types.size(); i++) {
        fields =
            fields
                .name(name(i))
                .type(Schema.createUnion(Schema.create(Schema.Type.NULL), avro(i)))
                .withDefault(null);
      }
      GenericData.Record record = new GenericData.Record(fields.endRecord());
      record.put("id", "1");
      for (int i = 0; i < types.size(); i++) {
        Object value = values.get(i);
        record.put(
            name(i), value instanceof LocalDate ? (int) ((LocalDate) value).toEpochDay() : value);
      }
      TypedProperties properties = new TypedProperties();
      properties.setProperty("hoodie.datasource.write.recordkey.field", "id");
      properties.setProperty("hoodie.datasource.write.partitionpath.field", names());
      properties.setProperty(
          "hoodie.datasource.write.hive_style_partitioning", Boolean.toString(isHiveStyle));
      properties.setProperty(
          "hoodie.datasource.write.partitionpath.urlencode", Boolean.toString(isEscaped));
      BaseKeyGenerator generator =
          types.size() == 1
              ? new SimpleAvroKeyGenerator(properties)
              : new ComplexAvroKeyGenerator(properties);
      return generator.getKey(record).getPartitionPath();
    }

    private Schema avro(int column) {
      switch (types.get(column).toString()) {
        case "int":
          return Schema.create(Schema.Type.INT);
        case "bigint":
          return Schema.create(Schema.Type.LONG);
        case "boolean":
          return Schema.create(Schema.Type.BOOLEAN);
        case "date":
          return LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
        default:
          return Schema.create(Schema.Type.STRING);
      }
    }

    private HoodieTableConfig config(boolean areUnescaped) {
      HoodieTableConfig config = new HoodieTableConfig();
      config.setValue("hoodie.table.version", "9");
      config.setValue("hoodie.table.partition.fields", names());
      config.setValue(
          "hoodie.table.keygenerator.class",
          (types.size() == 1 ? KeyGeneratorType.SIMPLE_AVRO : KeyGeneratorType.COMPLEX_AVRO)
              .getClassName());
      config.setValue(
          "hoodie.datasource.write.hive_style_partitioning", Boolean.toString(isHiveStyle));
      config.setValue(
          "hoodie.datasource.write.partitionpath.urlencode", Boolean.toString(areUnescaped));
      return config;
    }

    private Map<String, TypeInfo> hiveTypes() {
      Map<String, TypeInfo> hiveTypes = new HashMap<>();
      for (int i = 0; i < types.size(); i++) {
        hiveTypes.put(name(i), TypeInfoUtils.getTypeInfoFromTypeString(types.get(i).toString()));
      }
      return hiveTypes;
    }

    private String names() {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < types.size(); i++) {
        names.add(name(i));
      }
      return String.join(",", names);
    }

    private static String name(int column) {
      return "c" + column;
    }
  }

  @Nullable
  private static Object value(HiveType type, Random random) {
    if (random.nextInt(10) == 0) {
      return null;
    }
    switch (type.toString()) {
      case "int":
        return random.nextInt(21) - 10;
      case "bigint":
        return (random.nextInt(21) - 10) * 10_000_000_000L;
      case "boolean":
        return random.nextBoolean();
      case "date":
        return LocalDate.of(1890, 1, 1).plusDays(random.nextInt(30) * 1_000L);
      default:
        return TEXTS[random.nextInt(TEXTS.length)];
    }
  }

  private static Object parsed(HiveType type, String text) {
    switch (type.toString()) {
      case "int":
        return Integer.valueOf(text);
      case "bigint":
        return Long.valueOf(text);
      case "boolean":
        return Boolean.valueOf(text);
      case "date":
        return LocalDate.parse(text);
      default:
        return text;
    }
  }

  private static byte[] encoded(HiveType type, Object value) {
    switch (type.kind()) {
      case INTEGER:
        return ValueEncoding.encodeInteger(((Number) value).longValue());
      case BOOLEAN:
        return ValueEncoding.encodeBoolean((Boolean) value);
      case DATE:
        return ValueEncoding.encodeDate(((LocalDate) value).toEpochDay());
      default:
        return ValueEncoding.encodeString((String) value);
    }
  }

  private static List<ValueRange> points(byte[] value) {
    return Collections.singletonList(ValueRange.of(value));
  }

  @SuppressWarnings("unchecked")
  private static int compare(Object one, Object other) {
    return ((Comparable<Object>) one).compareTo(other);
  }
}
