/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** The embedded HiveServer2 of demo, tests and a first try. */
package io.hudiskip.hiveserver;
