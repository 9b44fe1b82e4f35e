/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What runs in a Hudi writer, with nothing on its class path but Hudi and what Hudi needs. It is a
 * jar of its own: the bundle for Hive holds Hudi with renamed libraries, which a writer must not
 * load.
 */
package io.hudiskip.callback;
