/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What Hive sees of a Hudi table: the storage handler, the rules of its DDL, its columns, its
 * listing, which leaves out the base files that cannot match, and its reader.
 */
package io.hudiskip.hive;
