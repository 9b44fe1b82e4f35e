// SPDX-License-Identifier: Apache-2.0
/** Opens a table's statistics index: hudi-skip's own, or Hudi's metadata table. */
package io.hudiskip.index.columns;
