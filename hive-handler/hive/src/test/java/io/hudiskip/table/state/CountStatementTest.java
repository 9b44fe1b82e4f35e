// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CountStatementTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "select count(*) from t",
        "SELECT COUNT(*) FROM lake.T;",
        "select count ( 1 )from t",
        "\n-- how many?\n select count(*) as n\n from t x",
        "select count(1) `n` from `lake`.`t` as `x`",
        "explain select count(*) from t"
      })
  void aCountOfTheTable(String statement) {
    assertThat(CountStatement.counts(statement, "lake", "lake", "t")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "select count(*) from a_view",
        "select count(*) from views.t",
        "select count(*) from t.meta",
        "select count(*) from t where id = 1",
        "select count(*) from t limit 1",
        "select count(*), 1 from t",
        "select count(id) from t",
        "select count(2) from t",
        "select sum(1) from t",
        "select count(null), sum(1) from t",
        "select count(*) from t for system_version as of 1",
        "select count(*) from t for system_time as of '2026-01-01'",
        "select count(*) from t tablesample(1 percent)",
        "select count(*) from t tablesample(10 rows) x",
        "select count(*) from t, u",
        "select count(*) from t union all select count(*) from t",
        "select count(*) from (select * from t) t",
        "insert into u select count(*) from t",
        "create table u as select count(*) from t",
        "prepare p from select count(*) from t",
        "execute p using 1",
        "explain cbo select count(*) from t"
      })
  void anythingElse(String statement) {
    assertThat(CountStatement.counts(statement, "lake", "lake", "t")).isFalse();
  }

  @Test
  void aNameWithoutADatabaseIsOneOfTheCurrentDatabase() {
    assertThat(CountStatement.counts("select count(*) from t", "views", "lake", "t")).isFalse();
    assertThat(CountStatement.counts("select count(*) from lake.t", "views", "lake", "t")).isTrue();
  }
}
