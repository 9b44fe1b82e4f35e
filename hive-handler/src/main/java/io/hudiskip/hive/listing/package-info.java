/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Listings of a table's file slices by Hudi's own means, partition by partition. */
package io.hudiskip.hive.listing;
