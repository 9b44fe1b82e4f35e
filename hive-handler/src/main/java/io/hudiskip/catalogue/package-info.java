/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Catalogues that say which partitions of a table a plan leaves, without the table being listed.
 */
package io.hudiskip.catalogue;
