// SPDX-License-Identifier: Apache-2.0
/** The exception that fails a query in one sentence. */
package io.hudiskip.table.failure;
