// SPDX-License-Identifier: Apache-2.0
/**
 * What differs between versions: of Hudi tables in {@link io.hudiskip.hive.version.HudiVersions},
 * of Hive in {@link io.hudiskip.hive.version.HiveGrammar}. No other code compares versions.
 */
package io.hudiskip.hive.version;
