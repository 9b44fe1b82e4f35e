// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains a child process's output so that it never blocks on us; bounded memory for lines of any
 * length.
 */
final class ProcessOutput {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessOutput.class);
  private static final int MAX_LINE_BYTES = 4096;
  private static final int KEPT_LINES = 5;
  private static final long FINAL_MILLIS = 1_000;

  private final CompletableFuture<String> firstLine = new CompletableFuture<>();
  private final Deque<String> lastLines = new ArrayDeque<>();
  private final CountDownLatch errorsEnded = new CountDownLatch(1);

  private ProcessOutput() {}

  static ProcessOutput of(Process process) {
    ProcessOutput output = new ProcessOutput();
    start("stdout", () -> output.standardOutput(process.getInputStream()));
    start(
        "stderr",
        () -> {
          drain(process.getErrorStream(), output::errorLine);
          output.errorsEnded.countDown();
        });
    return output;
  }

  /** The first line of stdout; fails if stdout ends without one. */
  CompletableFuture<String> firstLine() {
    return firstLine;
  }

  /** As {@link #recentOutput}, for a process that has ended: waits briefly for remaining output. */
  String finalOutput() {
    try {
      if (!errorsEnded.await(FINAL_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.debug("The stderr of an ended compiler is still open");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return recentOutput();
  }

  /** The last lines of stderr, as the end of a sentence; empty if there are none. */
  String recentOutput() {
    synchronized (lastLines) {
      return lastLines.isEmpty() ? "" : "; its last output: " + String.join(" | ", lastLines);
    }
  }

  private static void start(String name, Runnable reader) {
    Thread thread = new Thread(reader, "hudi-skip-compiler-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void standardOutput(InputStream stream) {
    drain(
        stream,
        line -> {
          if (!firstLine.complete(line)) {
            LOG.debug("compiler: {}", line);
          }
        });
    // No effect if there was a line.
    firstLine.completeExceptionally(new EOFException("stdout ended"));
  }

  private void errorLine(String line) {
    LOG.info("compiler: {}", line);
    synchronized (lastLines) {
      if (lastLines.size() == KEPT_LINES) {
        lastLines.removeFirst();
      }
      lastLines.addLast(line);
    }
  }

  private static void drain(InputStream stream, Consumer<String> lines) {
    byte[] chunk = new byte[MAX_LINE_BYTES];
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try (InputStream in = stream) {
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        for (int i = 0; i < count; i++) {
          if (chunk[i] == '\n') {
            lines.accept(text(line));
            line.reset();
          } else if (line.size() < MAX_LINE_BYTES) {
            line.write(chunk[i]);
          }
        }
      }
      if (line.size() > 0) {
        lines.accept(text(line));
      }
    } catch (IOException e) {
      // Killing a process closes its pipes.
      LOG.debug("The compiler's output ended", e);
    }
  }

  private static String text(ByteArrayOutputStream line) {
    return new String(line.toByteArray(), StandardCharsets.UTF_8).trim();
  }
}
