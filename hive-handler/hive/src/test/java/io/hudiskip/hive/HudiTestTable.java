// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.common.model.HoodiePartitionMetadata;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.model.HoodieWriteStat;
import org.apache.hudi.common.model.WriteOperationType;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.common.table.timeline.HoodieTimeline;
import org.apache.hudi.common.util.Option;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.apache.hudi.storage.StoragePath;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.util.HadoopOutputFile;

/** A real Hudi table, made with Hudi's own classes for tables, timelines and commits. */
public final class HudiTestTable {
  public static final String SCHEMA =
      "{'type':'record','name':'t','fields':["
          + "{'name':'Id','type':'long'},"
          + "{'name':'city','type':['null','string'],'default':null}]}";

  private final HoodieTableMetaClient metaClient;
  private final Schema schema;
  private int commits;

  private HudiTestTable(HoodieTableMetaClient metaClient, Schema schema) {
    this.metaClient = metaClient;
    this.schema = schema;
  }

  public static HudiTestTable create(Path directory) throws IOException {
    return create(directory, SCHEMA, properties -> properties);
  }

  /** A copy-on-write table named {@code flights} that is partitioned by {@code city}. */
  public static HudiTestTable partitioned(Path directory) throws IOException {
    return create(directory, SCHEMA, properties -> properties.setPartitionFields("city"));
  }

  /**
   * A copy-on-write table named {@code flights} that a key generator has partitioned by {@code Id}.
   */
  public static HudiTestTable partitionedById(Path directory) throws IOException {
    return create(
        directory,
        SCHEMA,
        properties ->
            properties
                .setPartitionFields("Id")
                .setKeyGeneratorClassProp(KeyGeneratorType.SIMPLE.getClassName())
                .setHiveStylePartitioningEnable(false)
                .setUrlEncodePartitioning(false));
  }

  /** A copy-on-write table named {@code flights}, unless the properties differ. */
  public static HudiTestTable create(
      Path directory, String schema, UnaryOperator<HoodieTableMetaClient.TableBuilder> properties)
      throws IOException {
    Schema parsed = new Schema.Parser().parse(schema.replace('\'', '"'));
    HoodieTableMetaClient metaClient =
        properties
            .apply(
                HoodieTableMetaClient.newTableBuilder()
                    .setTableType(HoodieTableType.COPY_ON_WRITE)
                    .setTableName("flights")
                    .setPopulateMetaFields(false)
                    .setTableCreateSchema(parsed.toString()))
            .initTable(
                HadoopFSUtils.getStorageConf(new Configuration(false)), directory.toString());
    return new HudiTestTable(metaClient, parsed);
  }

  public String location() {
    return metaClient.getBasePath().toString();
  }

  /** The size of a base file in bytes. */
  public long size(String partition, String fileName) throws IOException {
    return Files.size(Paths.get(location(), partition, fileName));
  }

  /** Commits a new file group with one row per id and returns its base file's name. */
  public String insert(String partition, long... ids) throws IOException {
    return commit(partition, newFileId(), ids);
  }

  /** Commits a new version of the file group that {@code fileName} is a version of. */
  public String rewrite(String partition, String fileName, long... ids) throws IOException {
    return commit(partition, FSUtils.getFileId(fileName), ids);
  }

  /** Commits a new file group in each partition at once, all of the same rows. */
  public List<String> insertEach(List<String> partitions, long... ids) throws IOException {
    String instant = nextInstant();
    HoodieCommitMetadata metadata = metadata();
    List<String> names = new ArrayList<>();
    StoragePath first = add(metadata, instant, partitions.get(0), newFileId(), ids);
    long size = size(partitions.get(0), first.getName());
    names.add(first.getName());
    for (String partition : partitions.subList(1, partitions.size())) {
      String fileId = newFileId();
      String name = FSUtils.makeBaseFileName(instant, "0-0-0", fileId, ".parquet");
      linkAll(first.getParent(), partition, first.getName(), name);
      metadata.addWriteStat(partition, stat(partition, fileId, name, ids.length, size));
      names.add(name);
    }
    complete(instant, metadata);
    return names;
  }

  /** Creates a partition of links to another's files: Hudi's own way takes a process for each. */
  private void linkAll(StoragePath from, String partition, String oldName, String newName)
      throws IOException {
    Path folder = Paths.get(location(), partition);
    Files.createDirectories(folder);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(Paths.get(from.toString()))) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        Files.createLink(folder.resolve(name.equals(oldName) ? newName : name), file);
      }
    }
  }

  private String commit(String partition, String fileId, long... ids) throws IOException {
    String instant = nextInstant();
    HoodieCommitMetadata metadata = metadata();
    StoragePath file = add(metadata, instant, partition, fileId, ids);
    complete(instant, metadata);
    return file.getName();
  }

  /** Writes a file of a commit. */
  private StoragePath add(
      HoodieCommitMetadata metadata, String instant, String partition, String fileId, long... ids)
      throws IOException {
    StoragePath folder = new StoragePath(metaClient.getBasePath(), partition);
    new HoodiePartitionMetadata(
            metaClient.getStorage(), instant, metaClient.getBasePath(), folder, Option.empty())
        .trySave();
    String name = FSUtils.makeBaseFileName(instant, "0-0-0", fileId, ".parquet");
    StoragePath file = new StoragePath(folder, name);
    write(file, ids);
    metadata.addWriteStat(
        partition, stat(partition, fileId, name, ids.length, size(partition, name)));
    return file;
  }

  private static String newFileId() {
    return UUID.randomUUID() + "-0";
  }

  private String nextInstant() {
    return String.format("20260101%09d", ++commits);
  }

  private static HoodieWriteStat stat(
      String partition, String fileId, String name, long rows, long size) {
    HoodieWriteStat stat = new HoodieWriteStat();
    stat.setFileId(fileId);
    stat.setPartitionPath(partition);
    stat.setPath(partition.isEmpty() ? name : partition + '/' + name);
    stat.setNumWrites(rows);
    stat.setFileSizeInBytes(size);
    return stat;
  }

  private HoodieCommitMetadata metadata() {
    HoodieCommitMetadata metadata = new HoodieCommitMetadata();
    metadata.setOperationType(WriteOperationType.UPSERT);
    metadata.addMetadata(HoodieCommitMetadata.SCHEMA_KEY, schema.toString());
    return metadata;
  }

  /** Completes a commit that has only metadata. */
  public void commitMetadata(String key, String value) {
    HoodieCommitMetadata metadata = metadata();
    metadata.addMetadata(key, value);
    complete(nextInstant(), metadata);
  }

  /** Names of the timeline's files for completed commits. */
  public List<String> completed() {
    return metaClient.reloadActiveTimeline().filterCompletedInstants().getInstants().stream()
        .map(metaClient.getInstantFileNameGenerator()::getFileName)
        .collect(Collectors.toList());
  }

  /** Begins an action that is not completed. */
  public void begin(String action) {
    metaClient
        .getActiveTimeline()
        .createNewInstant(
            metaClient.createNewInstant(HoodieInstant.State.REQUESTED, action, nextInstant()));
  }

  private void complete(String instant, HoodieCommitMetadata metadata) {
    HoodieInstant requested =
        metaClient.createNewInstant(
            HoodieInstant.State.REQUESTED, HoodieTimeline.COMMIT_ACTION, instant);
    HoodieInstant inflight =
        metaClient.createNewInstant(
            HoodieInstant.State.INFLIGHT, HoodieTimeline.COMMIT_ACTION, instant);
    metaClient.getActiveTimeline().createNewInstant(requested);
    metaClient.getActiveTimeline().transitionRequestedToInflight(requested, Option.empty());
    metaClient.getActiveTimeline().saveAsComplete(inflight, Option.of(metadata));
  }

  private void write(StoragePath file, long... ids) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    try (ParquetWriter<GenericRecord> writer =
        AvroParquetWriter.<GenericRecord>builder(
                HadoopOutputFile.fromPath(path, new Configuration(false)))
            .withSchema(schema)
            .build()) {
      for (long id : ids) {
        GenericRecord row = new GenericData.Record(schema);
        row.put("Id", id);
        if (schema.getField("city") != null) {
          row.put("city", id < 0 ? null : "city " + id);
        }
        writer.write(row);
      }
    }
  }
}
