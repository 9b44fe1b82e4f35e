/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Hive's own evaluation of terms of a filter, for files in which every column of a term has one
 * value.
 */
package io.hudiskip.term;
