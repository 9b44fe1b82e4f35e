/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

/**
 * The names under which Hive knows the handler's classes, for rules that name them without
 * depending on them.
 */
final class HandlerClasses {
  /** {@code io.hudiskip.hive.HudiStorageHandler}, as users write it after STORED BY. */
  static final String STORAGE_HANDLER = "io.hudiskip.hive.HudiStorageHandler";

  /** {@code io.hudiskip.hive.HudiSerDe}, as the metastore stores it. */
  static final String SERDE = "io.hudiskip.hive.HudiSerDe";

  private HandlerClasses() {}
}
