// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.plan;

/** A plan or a key that this build cannot use; every partition is listed. */
public final class PlanFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  public PlanFormatException(String reason) {
    super(reason);
  }

  public PlanFormatException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
