// SPDX-License-Identifier: Apache-2.0
/** Lists a table's file slices with Hudi, partition by partition. */
package io.hudiskip.table.listing;
