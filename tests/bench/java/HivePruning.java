// SPDX-License-Identifier: Apache-2.0
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Lists;
import io.hudiskip.bench.Timings;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.TableType;
import org.apache.hadoop.hive.metastore.api.FieldSchema;
import org.apache.hadoop.hive.ql.io.parquet.MapredParquetOutputFormat;
import org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe;
import org.apache.hadoop.hive.ql.metadata.Hive;
import org.apache.hadoop.hive.ql.metadata.Partition;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.optimizer.ppr.PartitionPruner;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrGreaterThan;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqualOrLessThan;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.hadoop.HoodieParquetInputFormat;

/**
 * Times how Hive finds the files of some partitions of a table that Hudi's sync has registered,
 * with the metastore on embedded Derby: {@code HivePruning JOB ANSWER}. Run from source, on
 * HiveServer2's class path.
 */
public final class HivePruning {
  private static final String COLUMN = "day";
  private static final int MOST_ADDED = 500;

  public static void main(String[] arguments) throws Exception {
    JsonNode job = Timings.job(arguments[0]);
    HiveConf conf = conf(new File(job.get("metastore").textValue()));
    SessionState.start(conf);
    Table table =
        create(Hive.get(conf), job.get("table").textValue(), job.get("partitions").intValue());
    Timings timings = new Timings();
    Timings.each(
        job.get("queries"),
        (name, ends) -> {
          ExprNodeDesc filter = between(ends.get(0), ends.get(1));
          timings.time(name, job.get("pace"), () -> count(table, filter, conf));
        });
    timings.write(arguments[1]);
    System.exit(0); // threads of the metastore
  }

  private static HiveConf conf(File folder) {
    System.setProperty("derby.stream.error.file", new File(folder, "derby.log").getPath());
    folder.mkdirs();
    HiveConf conf = new HiveConf();
    conf.set(
        "javax.jdo.option.ConnectionURL", "jdbc:derby:" + new File(folder, "db") + ";create=true");
    conf.set("datanucleus.schema.autoCreateAll", "true");
    conf.set("hive.metastore.schema.verification", "false");
    conf.set("hive.metastore.uris", "");
    conf.set("hive.metastore.warehouse.dir", new File(folder, "warehouse").toURI().toString());
    conf.set("hive.exec.scratchdir", new File(folder, "scratch").getPath());
    conf.set("hive.exec.local.scratchdir", new File(folder, "local").getPath());
    conf.set("hive.notification.event.poll.interval", "0s");
    return conf;
  }

  private static Table create(Hive hive, String location, int partitions) throws Exception {
    Table table = new Table("default", "days");
    table.setTableType(TableType.EXTERNAL_TABLE);
    table.setFields(Collections.singletonList(new FieldSchema("id", "bigint", "")));
    table.setPartCols(Collections.singletonList(new FieldSchema(COLUMN, "string", "")));
    table.setInputFormatClass(HoodieParquetInputFormat.class);
    table.setOutputFormatClass(MapredParquetOutputFormat.class.getName());
    table.setSerializationLib(ParquetHiveSerDe.class.getName());
    table.setDataLocation(new Path(location));
    hive.createTable(table);
    Table created = hive.getTable("default", "days");
    List<org.apache.hadoop.hive.metastore.api.Partition> all = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      String value = String.format("%05d", i);
      all.add(
          Partition.createMetaPartitionObject(
              created,
              Collections.singletonMap(COLUMN, value),
              new Path(location, COLUMN + "=" + value)));
    }
    // The metastore asks Derby for the partitions of a call in one statement, whose parser recurses.
    for (List<org.apache.hadoop.hive.metastore.api.Partition> batch :
        Lists.partition(all, MOST_ADDED)) {
      hive.getMSC().add_partitions(batch);
    }
    return created;
  }

  private static ExprNodeDesc between(JsonNode first, JsonNode last) {
    return first.equals(last)
        ? compared(new GenericUDFOPEqual(), first.textValue())
        : new ExprNodeGenericFuncDesc(
            TypeInfoFactory.booleanTypeInfo,
            new GenericUDFOPAnd(),
            Arrays.asList(
                compared(new GenericUDFOPEqualOrGreaterThan(), first.textValue()),
                compared(new GenericUDFOPEqualOrLessThan(), last.textValue())));
  }

  private static ExprNodeDesc compared(GenericUDF with, String value) {
    return new ExprNodeGenericFuncDesc(
        TypeInfoFactory.booleanTypeInfo,
        with,
        Arrays.asList(
            new ExprNodeColumnDesc(TypeInfoFactory.stringTypeInfo, COLUMN, "days", true),
            new ExprNodeConstantDesc(TypeInfoFactory.stringTypeInfo, value)));
  }

  private static int count(Table table, ExprNodeDesc filter, HiveConf conf) throws Exception {
    JobConf job = new JobConf(conf);
    for (Partition partition :
        PartitionPruner.prune(table, filter, conf, "days", new HashMap<>()).getPartitions()) {
      FileInputFormat.addInputPath(job, partition.getDataLocation());
    }
    HoodieParquetInputFormat format = new HoodieParquetInputFormat();
    format.setConf(job);
    return format.getSplits(job, 1).length;
  }
}
