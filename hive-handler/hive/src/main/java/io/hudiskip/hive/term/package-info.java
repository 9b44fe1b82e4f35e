// SPDX-License-Identifier: Apache-2.0
/**
 * Evaluates terms of a filter with Hive's own evaluators, for files where each of a term's columns
 * has a single value.
 */
package io.hudiskip.hive.term;
