// SPDX-License-Identifier: Apache-2.0
/** Partition catalogues: external stores that find a plan's partitions without a listing. */
package io.hudiskip.table.catalogue;
