// SPDX-License-Identifier: Apache-2.0
/**
 * Statistics of columns for Hive's cost-based optimizer, from the statistics index. They are for
 * estimates alone: {@link io.hudiskip.hive.cbo.TableColumnStats} says why no answer depends on
 * them.
 */
package io.hudiskip.hive.cbo;
