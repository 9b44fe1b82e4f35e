// SPDX-License-Identifier: Apache-2.0

/** Answers {@code hudi-skip explain} about tables without an index. */
package io.hudiskip.hive.unindexed;
