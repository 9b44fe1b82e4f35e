// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompilerAddressTest {
  @Test
  void hostAndPortOrAnAbsoluteSocketPath() throws IOException {
    assertThat(CompilerAddress.parse("127.0.0.1:99").socketAddress())
        .asString()
        .endsWith("127.0.0.1:99");
    assertThat(CompilerAddress.parse("[::1]:99").socketAddress())
        .asString()
        .contains("0:0:0:0:0:0:0:1")
        .endsWith(":99");
    assertThat(CompilerAddress.parse("unix:/run/x/s").socketAddress()).hasToString("/run/x/s");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", ":1", "h:0", "h:65536", "h:x", "unix:", "unix:s", "unix:/a\0b"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> CompilerAddress.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected unix:/path or host:port");
  }
}
