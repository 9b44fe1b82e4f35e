// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import static io.hudiskip.compile.request.TestCalls.equalTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.client.CompilerUnavailableException;
import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import org.junit.jupiter.api.Test;

class CompileProtocolTest {
  @Test
  void flippedBitsYieldNeitherAnotherFiltersAnswerNorAnotherException() throws Exception {
    byte[] right = TestCalls.answer(CompileProtocol.encode(equalTo(1)), TestCalls::keepAll);
    assertThat(CompileProtocol.decode(right, equalTo(1)).expression()).isNotEmpty();
    for (int bit = 0; bit < right.length * 8; bit++) {
      byte[] flipped = right.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      try {
        CompileProtocol.decode(flipped, equalTo(1));
      } catch (CompilerUnavailableException e) {
        assertThat(e.reason()).isIn(Reason.INVALID_ANSWER, Reason.REFUSED);
      }
    }
  }
}
