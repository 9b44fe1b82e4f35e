// SPDX-License-Identifier: Apache-2.0
/**
 * Where a scan's files come from: a partition catalogue, the statistics index or Hudi's file system
 * view, behind {@link io.hudiskip.table.source.FileSources}.
 */
package io.hudiskip.table.source;
