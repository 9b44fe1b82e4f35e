/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

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
 * Reads what a child process writes, all of it, so that it never waits for us; lines of any length
 * in bounded memory.
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

  /** The first line of stdout; fails when stdout ends without one. */
  CompletableFuture<String> firstLine() {
    return firstLine;
  }

  /**
   * As {@link #lastWords}, of a process that has ended: waits a moment for what is still on its
   * way.
   */
  String finalWords() {
    try {
      if (!errorsEnded.await(FINAL_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.debug("Something still holds the stderr of a compiler that has ended");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return lastWords();
  }

  /** The last lines of stderr, as the end of a sentence; empty if there are none. */
  String lastWords() {
    synchronized (lastLines) {
      return lastLines.isEmpty() ? "" : "; it said: " + String.join(" | ", lastLines);
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
    // Without effect if there was a line.
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
      // A killed process takes its pipes along.
      LOG.debug("The compiler's output ended", e);
    }
  }

  private static String text(ByteArrayOutputStream line) {
    return new String(line.toByteArray(), StandardCharsets.UTF_8).trim();
  }
}
