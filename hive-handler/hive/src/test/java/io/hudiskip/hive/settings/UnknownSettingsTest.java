// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnknownSettingsTest {
  private static final Map<String, String> NO_PROPERTIES = Collections.emptyMap();

  private static Configuration with(String name, String value) {
    Configuration conf = new Configuration(false);
    conf.set(name, value);
    return conf;
  }

  @ParameterizedTest
  @CsvSource({
    "hudi.skipping.mod,hudi.skipping.mode",
    "hudi.skip.mode,hudi.skipping.mode",
    "Hudi.Skipping.Mode,hudi.skipping.mode",
    "hudi.skipping.jions,hudi.skipping.joins",
    "hudi.skipping.compiler.timeout,hudi.skipping.compiler.timeout.ms",
    "hudi.skipping.catalogue.hbase.quorun,hudi.skipping.catalogue.hbase.quorum",
  })
  void aMisspeltNameOfASessionIsRefusedWithTheNameThatIsMeant(String name, String meant) {
    assertThatThrownBy(() -> UnknownSettings.refuse(with(name, "off")))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(
            "%s does nothing: hudi-skip has no such setting of a session. Did you mean %s?"
                + " To go on without it, run SET %s=",
            name, meant, name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hudi.skipping.files", "hudi.skipping.columns", "hudi.skipping."})
  void aNameThatIsLikeNoneOfASessionIsRefusedWithThoseThatExist(String name) {
    assertThatThrownBy(() -> UnknownSettings.refuse(with(name, "table")))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessageStartingWith(name + " does nothing")
        .hasMessageContaining(", but only hudi.skipping.mode, ")
        .hasMessageContaining(", hudi.skipping.catalogue.hbase.timeout.ms. ");
  }

  @ParameterizedTest
  @CsvSource({
    "hudi.skipping.mod,' '",
    "hudi.skipping.mode,off",
    "hudi.skipping.messages,false",
    "hudi.skipping.compiler.command,hudi-skip",
    "hudi.skipping.catalogue.hbase.quorum,zk1:2181",
    "hudi.skipping.catalogue.other.address,an uninstalled catalogue",
    "hudi.metadata-listing-enabled,of another program",
    "hive.hudi.skipping.mod,of another program",
  })
  void blankKnownAndForeignNamesPass(String name, String value) {
    Configuration session = with(name, value);
    assertThatCode(() -> UnknownSettings.refuse(session)).doesNotThrowAnyException();
    assertThat(UnknownSettings.ofServerAndTable(session, NO_PROPERTIES)).isEmpty();
  }

  @Test
  void aNameInTheServersFileFailsNoQueryButIsNamed(@TempDir Path folder) throws Exception {
    Path site = folder.resolve("hive-site.xml");
    String property = "<property><name>hudi.skipping.mod</name><value>off</value></property>";
    Files.write(site, Collections.singleton("<configuration>" + property + "</configuration>"));
    Configuration server = new Configuration(false);
    server.addResource(site.toUri().toURL());
    Configuration session = new Configuration(server);
    assertThatCode(() -> UnknownSettings.refuse(session)).doesNotThrowAnyException();
    assertThat(UnknownSettings.ofServerAndTable(session, NO_PROPERTIES))
        .containsExactly(
            "hudi.skipping.mod does nothing: hudi-skip has no such setting of a session."
                + " Did you mean hudi.skipping.mode?");
    session.set("hudi.skipping.mod", "off");
    assertThatThrownBy(() -> UnknownSettings.refuse(session))
        .as("the session has set it too")
        .isInstanceOf(InvalidSettingException.class);
    assertThat(UnknownSettings.ofServerAndTable(session, NO_PROPERTIES)).isEmpty();
  }

  @Test
  void aTablesPropertyThatNoStatementOfHiveCouldSetIsNamed() {
    Map<String, String> properties = new TreeMap<>();
    for (String name :
        Arrays.asList(
            "hudi.skipping.index", "hudi.skipping.columns", "location", "hudi.skip.mode")) {
      properties.put(name, "parquet");
    }
    properties.put("hudi.skipping.messages", "false");
    assertThat(UnknownSettings.ofServerAndTable(new Configuration(false), properties))
        .hasSize(2)
        .first()
        .isEqualTo(
            "the table property hudi.skip.mode does nothing: hudi-skip has no such setting of a"
                + " table. Did you mean hudi.skipping.mode?");
  }
}
