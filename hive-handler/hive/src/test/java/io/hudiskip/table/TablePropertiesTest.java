// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiTestTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opening a table while Hudi replaces its {@code hoodie.properties}. */
class TablePropertiesTest {
  private static final Configuration CONF = new Configuration(false);
  private static final String KEY = HoodieTableConfig.TABLE_METADATA_PARTITIONS.key();

  @TempDir Path directory;
  private final ExecutorService writer = Executors.newSingleThreadExecutor();
  private String location;
  private Path file;
  private Path copy;
  private byte[] whole;

  @BeforeEach
  void createTable() throws Exception {
    location = HudiTestTable.create(directory).location();
    Path folder = directory.resolve(HoodieTableMetaClient.METAFOLDER_NAME);
    file = folder.resolve(HoodieTableConfig.HOODIE_PROPERTIES_FILE);
    copy = folder.resolve(HoodieTableConfig.HOODIE_PROPERTIES_FILE_BACKUP);
    whole = Files.readAllBytes(file);
  }

  @AfterEach
  void stopWriter() {
    writer.shutdownNow();
  }

  @Test
  void opensWhileHudiItselfReplacesThemOverAndOver() throws Exception {
    HoodieTableMetaClient table = HudiTable.open(CONF, location).metaClient();
    AtomicBoolean isOver = new AtomicBoolean();
    Future<Integer> replaced =
        writer.submit(
            () -> {
              int times = 0;
              for (; !isOver.get(); times++) {
                Properties one = new Properties();
                one.setProperty(KEY, "files");
                HoodieTableConfig.update(table.getStorage(), table.getMetaPath(), one);
                HoodieTableConfig.delete(
                    table.getStorage(), table.getMetaPath(), Collections.singleton(KEY));
                TimeUnit.MILLISECONDS.sleep(20); // Even a restore pauses.
              }
              return times;
            });
    try {
      for (int i = 0; i < 200; i++) {
        assertThat(HudiTable.open(CONF, location).columns()).containsOnlyKeys("id", "city");
        assertThat(TableProperties.load(CONF, location).getProps())
            .as("all properties, whatever was being written")
            .containsKeys(
                HoodieTableConfig.NAME.key(),
                HoodieTableConfig.VERSION.key(),
                HoodieTableConfig.TIMELINE_LAYOUT_VERSION.key());
      }
    } finally {
      isOver.set(true);
    }
    assertThat(replaced.get(1, TimeUnit.MINUTES)).isGreaterThan(10);
  }

  @Test
  void waitsForAFileThatIsBeingReplaced() throws Exception {
    String lines = new String(whole, StandardCharsets.UTF_8);
    String version = HoodieTableConfig.VERSION.key() + '=';
    String cut = lines.replaceAll("(?m)^" + version + ".*\n", "");
    assertThat(cut).doesNotContain(version);
    for (String unfinished : new String[] {"", cut, null}) {
      Files.write(copy, whole);
      if (unfinished == null) {
        Files.delete(file);
      } else {
        rewritten(unfinished.getBytes(StandardCharsets.UTF_8));
      }
      Future<?> end = endOfReplacement();
      assertThat(TableProperties.load(CONF, location).getProps())
          .as("instead of '%s'", unfinished)
          .containsKey(HoodieTableConfig.VERSION.key());
      end.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void readsWhatADeadWriterLeft() throws Exception {
    Files.write(copy, whole);
    assertThat(HudiTable.open(CONF, location).columns()).containsKey("id");
    Files.delete(file);
    assertThat(HudiTable.open(CONF, location).columns()).containsKey("id");
  }

  @Test
  void namesTheFileThatIsMissing() throws Exception {
    Files.delete(file);
    assertThatThrownBy(() -> HudiTable.open(CONF, location))
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining(".hoodie/hoodie.properties has been missing");
  }

  @Test
  void namesTheFileThatStaysEmpty() throws Exception {
    rewritten(new byte[0]);
    assertThatThrownBy(() -> HudiTable.open(CONF, location))
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining(".hoodie/hoodie.properties has been incomplete")
        .hasMessageNotContaining(".hoodie directory");
  }

  private Future<?> endOfReplacement() {
    return writer.submit(
        () -> {
          TimeUnit.MILLISECONDS.sleep(300);
          rewritten(whole);
          Files.delete(copy);
          return null;
        });
  }

  /** Without the checksum that Hadoop keeps of a local file. */
  private void rewritten(byte[] content) throws Exception {
    Files.deleteIfExists(file.resolveSibling('.' + file.getFileName().toString() + ".crc"));
    Files.write(file, content);
  }
}
