// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.ddl;

/** Names of the handler's classes, for rules that name them without depending on them. */
final class HandlerClasses {
  /** As users write it after STORED BY. */
  static final String STORAGE_HANDLER = "io.hudiskip.hive.HudiStorageHandler";

  /** As the metastore stores it. */
  static final String SERDE = "io.hudiskip.hive.HudiSerDe";

  private HandlerClasses() {}
}
