// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class FailureLogTest {
  private final AtomicLong now = new AtomicLong();
  private final List<String> warnings = new ArrayList<>();
  private final FailureLog log = new FailureLog(recorder(), now::get);

  private Logger recorder() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("warn")) {
                warnings.add(
                    MessageFormatter.arrayFormat((String) arguments[0], (Object[]) arguments[1])
                        .getMessage());
              }
              return null;
            });
  }

  private void fail(Reason reason) {
    log.add(new CompilerUnavailableException(reason, "because of " + reason));
  }

  @Test
  void eachReasonIsLoggedOnceInTenMinutes() {
    for (int i = 0; i < 100; i++) {
      fail(Reason.TIMEOUT);
      fail(Reason.NOT_INSTALLED);
    }
    assertThat(warnings)
        .containsExactly(
            "No files are skipped: because of TIMEOUT",
            "No files are skipped: because of NOT_INSTALLED");
    now.set(FailureLog.INTERVAL_NANOS);
    fail(Reason.TIMEOUT);
    assertThat(warnings).hasSize(3);
    assertThat(warnings.get(2)).contains("99 more");
  }
}
