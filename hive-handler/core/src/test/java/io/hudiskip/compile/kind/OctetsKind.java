// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.kind;

import io.hudiskip.compile.statistics.Content;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/**
 * A test-only kind: the last bytes of all encoded values. A question is the requested last bytes.
 * The Python side is {@code tests.contents.Octets}.
 */
public final class OctetsKind implements IndexKind {

  @Override
  public String name() {
    return "octets";
  }

  @Override
  public Set<Answer> answers() {
    return Collections.singleton(Answer.QUESTIONS);
  }

  @Override
  public Optional<Content> read(byte[] content) {
    return Optional.of(
        new Content() {
          @Override
          public boolean mayMatch(byte[] question) {
            for (byte wanted : question) {
              for (byte octet : content) {
                if (octet == wanted) {
                  return true;
                }
              }
            }
            return false;
          }
        });
  }
}
