// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.expression;

/** The bytes are not a HudiExpression that this build can read; every file must be kept. */
public final class ExpressionFormatException extends Exception {
  private static final long serialVersionUID = 1L;

  public ExpressionFormatException(String reason) {
    super(reason);
  }

  public ExpressionFormatException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
