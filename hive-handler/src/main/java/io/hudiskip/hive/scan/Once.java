/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

/** A value that is made when it is first asked for, by one thread. A failure is not kept. */
final class Once<T, E extends Exception> {

  /** Makes the value. */
  interface Source<T, E extends Exception> {
    T get() throws E;
  }

  private final Source<T, E> source;
  private T value;

  /**
   * @param source never gives null
   */
  Once(Source<T, E> source) {
    this.source = source;
  }

  synchronized T get() throws E {
    if (value == null) {
      value = source.get();
    }
    return value;
  }

  /** Whether it has been made. */
  synchronized boolean isMade() {
    return value != null;
  }
}
