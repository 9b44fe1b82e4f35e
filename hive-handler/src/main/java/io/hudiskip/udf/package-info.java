/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Functions for conditions on places, which the predicate compiler knows how to skip files by. */
package io.hudiskip.udf;
