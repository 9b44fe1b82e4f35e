// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.kind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hudiskip.compile.statistics.Content;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class IndexKindsTest {
  private static final byte[] BYTES = {1, 2};

  /** A kind of a jar that cannot be used. */
  public static final class Broken extends Failing {
    public Broken() {
      throw new IllegalStateException("not for this JVM");
    }
  }

  /** A kind whose code fails. */
  public static class Failing implements IndexKind {
    @Override
    public String name() {
      return "failing";
    }

    @Override
    public Set<Answer> answers() {
      return Collections.singleton(Answer.QUESTIONS);
    }

    @Override
    public Optional<Content> read(byte[] content) {
      if (content.length == 0) {
        throw new IllegalArgumentException("no content");
      }
      return Optional.of(
          new Content() {
            @Override
            public boolean mayMatch(byte[] question) {
              throw new IllegalStateException("no answer");
            }
          });
    }
  }

  @Test
  void kindsAreTheBuiltInOnesAndThoseThatJarsName() {
    Set<String> names = new TreeSet<>();
    IndexKinds.all().forEach(kind -> names.add(kind.name()));
    assertEquals("[bloom, failing, octets, values]", names.toString(), "one cannot be loaded");
  }

  @Test
  void aKindOfAnotherJarAnswers() {
    Content content = IndexKinds.named("octets").get().read(BYTES).get();
    assertTrue(content.mayMatch(new byte[] {2, 7}));
    assertFalse(content.mayMatch(new byte[] {7}));
    assertTrue(content.mayContain(BYTES), "what a kind does not answer says nothing");
  }

  @Test
  void anUnknownKindIsEmpty() {
    assertFalse(IndexKinds.named("of the future").isPresent());
  }

  @Test
  void aFailingKindAnswersNothing() {
    IndexKind failing = IndexKinds.named("failing").get();
    assertFalse(failing.read(new byte[0]).isPresent());
    assertTrue(failing.read(BYTES).get().mayMatch(BYTES));
  }
}
