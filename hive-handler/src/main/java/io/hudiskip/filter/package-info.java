/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Hive's filter as a typed tree, bound to what is compiled from it by a fingerprint, and the gates
 * that keep Hive's unsound conversions away from file and row-group skipping.
 */
package io.hudiskip.filter;
