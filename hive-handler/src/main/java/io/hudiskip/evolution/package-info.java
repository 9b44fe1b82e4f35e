/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Base files that are older than the schema of their table: what each column of a file is turned
 * into when it is read, and which columns cannot be read at all.
 */
package io.hudiskip.evolution;
