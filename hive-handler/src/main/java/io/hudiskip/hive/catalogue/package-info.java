/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Listings from the statistics index: which files a table has, without a directory being listed.
 */
package io.hudiskip.hive.catalogue;
