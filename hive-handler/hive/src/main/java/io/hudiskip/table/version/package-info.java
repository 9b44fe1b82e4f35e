// SPDX-License-Identifier: Apache-2.0
/** What differs between versions of Hudi tables. No other code compares them. */
package io.hudiskip.table.version;
