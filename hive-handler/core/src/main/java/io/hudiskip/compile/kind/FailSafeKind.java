// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.kind;

import io.hudiskip.compile.statistics.Content;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wraps another jar's kind so that it answers nothing where its code fails; logs the first failure.
 */
final class FailSafeKind implements IndexKind {
  private static final Logger LOG = LoggerFactory.getLogger(FailSafeKind.class);

  private final IndexKind kind;
  private final String name;
  private final Set<Answer> answers;
  private final AtomicBoolean hasFailed = new AtomicBoolean();

  FailSafeKind(IndexKind kind) {
    this.kind = kind;
    this.name = kind.name();
    this.answers = kind.answers();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Set<Answer> answers() {
    return answers;
  }

  @Override
  public Optional<Content> read(byte[] content) {
    return safely(Optional.empty(), () -> kind.read(content).map(FailSafeContent::new));
  }

  private <T> T safely(T fallback, Supplier<T> answer) {
    try {
      return answer.get();
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      if (hasFailed.compareAndSet(false, true)) {
        LOG.warn("The index kind {} failed; files for which it fails are kept", name, e);
      }
      return fallback;
    }
  }

  private final class FailSafeContent implements Content {
    private final Content content;

    FailSafeContent(Content content) {
      this.content = content;
    }

    @Override
    public Optional<List<byte[]>> allValues() {
      return safely(Optional.empty(), content::allValues);
    }

    @Override
    public boolean mayContain(byte[] encoded) {
      return safely(true, () -> content.mayContain(encoded));
    }

    @Override
    public boolean mayMatch(byte[] question) {
      return safely(true, () -> content.mayMatch(question));
    }
  }
}
