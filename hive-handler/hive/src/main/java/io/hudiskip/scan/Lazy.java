// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

/** A lazily computed value, computed by one thread. Failures are not cached. */
final class Lazy<T, E extends Exception> {

  interface Source<T, E extends Exception> {
    T get() throws E;
  }

  private final Source<T, E> source;
  private T value;

  Lazy(Source<T, E> source) {
    this.source = source;
  }

  synchronized T get() throws E {
    if (value == null) {
      value = source.get();
    }
    return value;
  }

  synchronized boolean isComputed() {
    return value != null;
  }
}
