// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde2.SerDeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HudiSerDeTest {
  @TempDir Path directory;

  @Test
  void takesTheColumnsFromTheTableWhenNoneAreDeclared() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("columns", "");
    properties.setProperty("location", HudiTestTable.create(directory).location());
    assertThat(columns(properties)).isEqualTo("struct<id:bigint,city:string>");
    assertThat(properties.getProperty("columns")).as("Hive's own properties").isEmpty();
  }

  @Test
  void doesNotOpenTheTableWhenColumnsAreDeclared() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("columns", "city");
    properties.setProperty("columns.types", "varchar(3)");
    properties.setProperty("location", "hdfs://no-such-host:1/table");
    assertThat(columns(properties)).isEqualTo("struct<city:varchar(3)>");
  }

  private static String columns(Properties properties) throws SerDeException {
    HudiSerDe serDe = new HudiSerDe();
    serDe.initialize(new Configuration(false), properties, null);
    return serDe.getObjectInspector().getTypeName();
  }
}
