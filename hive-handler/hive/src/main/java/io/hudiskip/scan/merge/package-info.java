// SPDX-License-Identifier: Apache-2.0
/**
 * Rows of file slices with logs: Hudi merges base file and logs as Avro records, which are
 * converted to the rows of Hive's Parquet reader.
 */
package io.hudiskip.scan.merge;
