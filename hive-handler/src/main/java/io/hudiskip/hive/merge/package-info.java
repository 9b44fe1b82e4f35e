/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Rows of file slices with logs: Hudi merges the records of the base file and of the logs, as Avro,
 * and they are turned into the rows of Hive's Parquet reader.
 */
package io.hudiskip.hive.merge;
