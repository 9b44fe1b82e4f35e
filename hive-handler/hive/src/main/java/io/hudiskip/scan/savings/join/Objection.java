// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.join;

import java.util.Optional;

/** Why a join sends no values to a scan. Immutable. */
public final class Objection {
  private final String reason;
  private final boolean isOfDirection;

  private Objection(String reason, boolean isOfDirection) {
    this.reason = reason;
    this.isOfDirection = isOfDirection;
  }

  public static Optional<Objection> of(String reason) {
    return Optional.of(new Objection(reason, false));
  }

  /** Of the larger input's values, which Hive offers to the smaller one in every join. */
  static Optional<Objection> ofDirection(String reason) {
    return Optional.of(new Objection(reason, true));
  }

  /** For a user, in a few words. */
  public String reason() {
    return reason;
  }

  /** Whether it says nothing of the join, whose other input may send its values. */
  public boolean isOfDirection() {
    return isOfDirection;
  }
}
