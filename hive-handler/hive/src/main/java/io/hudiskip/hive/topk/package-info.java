// SPDX-License-Identifier: Apache-2.0

/**
 * Files skipped by {@code ORDER BY … LIMIT}, {@code min} and {@code max}. {@link
 * io.hudiskip.hive.topk.NeededRows} finds out from the plan of a job which rows of a scan are
 * needed, and {@link io.hudiskip.hive.topk.FirstFiles} which files may have one of them.
 */
package io.hudiskip.hive.topk;
