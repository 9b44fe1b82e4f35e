// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RestartBudgetTest {
  private final AtomicLong seconds = new AtomicLong(1_000);
  private final RestartBudget budget =
      new RestartBudget(3, () -> TimeUnit.SECONDS.toNanos(seconds.get()));

  private long waitSeconds(long atSecond) {
    seconds.set(atSecond);
    return TimeUnit.NANOSECONDS.toSeconds(budget.waitNanos());
  }

  @Test
  void theFirstRestartIsAtOnceAndEachFurtherOneWaitsTwiceAsLong() {
    assertThat(waitSeconds(1_000)).isZero();
    budget.started();
    assertThat(waitSeconds(1_000)).as("first restart").isZero();
    budget.started();
    assertThat(waitSeconds(1_000)).as("second restart").isEqualTo(1);
    assertThat(waitSeconds(1_001)).isZero();
    budget.started();
    assertThat(waitSeconds(1_001)).as("third restart").isEqualTo(2);
    assertThat(waitSeconds(1_003)).isZero();
    budget.started();
    assertThat(waitSeconds(1_003))
        .as("no fourth until the first start is ten minutes ago")
        .isEqualTo(597);
    assertThat(waitSeconds(1_600)).isZero();
  }

  @Test
  void aCompilerThatLivedLongIsRestartedAtOnce() {
    budget.started();
    budget.started();
    assertThat(waitSeconds(1_600)).isZero();
  }
}
