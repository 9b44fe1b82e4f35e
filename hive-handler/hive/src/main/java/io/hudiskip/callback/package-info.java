// SPDX-License-Identifier: Apache-2.0

/**
 * Runs in a Hudi writer and depends only on Hudi and on {@code CommandWords}, which is packed with
 * it. It is a separate jar, since the bundle for Hive contains Hudi with relocated libraries, which
 * a writer must not load.
 */
package io.hudiskip.callback;
