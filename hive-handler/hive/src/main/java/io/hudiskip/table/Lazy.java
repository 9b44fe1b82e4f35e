// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

/** A lazily computed value, computed by one thread. Failures are not cached. */
public final class Lazy<T, E extends Exception> {

  public interface Source<T, E extends Exception> {
    T get() throws E;
  }

  private final Source<T, E> source;
  private T value;

  public Lazy(Source<T, E> source) {
    this.source = source;
  }

  public synchronized T get() throws E {
    if (value == null) {
      value = source.get();
    }
    return value;
  }

  public synchronized boolean isComputed() {
    return value != null;
  }
}
