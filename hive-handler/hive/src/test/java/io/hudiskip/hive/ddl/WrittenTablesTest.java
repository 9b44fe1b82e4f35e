// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.apache.hadoop.hive.ql.parse.ParseDriver;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrittenTablesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "INSERT INTO d.t SELECT * FROM d.s | d.t",
        "INSERT INTO TABLE d.t PARTITION (p = 1) (a) VALUES (1) | d.t",
        "INSERT OVERWRITE TABLE d.t SELECT * FROM d.s | d.t",
        "WITH s AS (SELECT 1) INSERT INTO d.t SELECT * FROM s | d.t",
        "FROM d.s INSERT INTO d.t SELECT a INSERT OVERWRITE TABLE d.u SELECT a | d.t d.u",
        "EXPLAIN INSERT INTO d.t SELECT * FROM d.s | d.t",
        "UPDATE d.t SET a = 1 WHERE b = 2 | d.t",
        "DELETE FROM d.t WHERE b = 2 | d.t",
        "MERGE INTO d.t AS x USING d.s ON x.a = s.a WHEN MATCHED THEN DELETE | d.t",
        "LOAD DATA INPATH '/a' OVERWRITE INTO TABLE d.t | d.t",
        "SELECT * FROM d.s WHERE a IN (SELECT b FROM d.t) | ''",
        "INSERT OVERWRITE DIRECTORY '/a' SELECT * FROM d.s | ''",
        "CREATE TABLE d.t AS SELECT * FROM d.s | ''",
        "DROP TABLE d.t | ''"
      })
  void areFoundInWhateverTheyAreWritten(String statement, String written) throws Exception {
    assertThat(
            WrittenTables.of(new ParseDriver().parse(statement).getTree()).stream()
                .map(name -> name.getChild(0).getText() + "." + name.getChild(1).getText())
                .sorted()
                .collect(Collectors.joining(" ")))
        .isEqualTo(written);
  }
}
