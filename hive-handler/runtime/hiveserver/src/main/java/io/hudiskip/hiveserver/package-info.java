// SPDX-License-Identifier: Apache-2.0
/** The embedded HiveServer2 for demos and tests. */
package io.hudiskip.hiveserver;
