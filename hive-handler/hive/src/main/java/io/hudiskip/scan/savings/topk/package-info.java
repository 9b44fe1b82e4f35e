// SPDX-License-Identifier: Apache-2.0

/**
 * Files skipped by {@code ORDER BY … LIMIT}, {@code min} and {@code max}. {@link
 * io.hudiskip.scan.savings.topk.NeededRows} finds out from the plan of a job which rows of a scan
 * are needed, and {@link io.hudiskip.scan.savings.topk.FirstFiles} which files may have one of
 * them.
 */
package io.hudiskip.scan.savings.topk;
