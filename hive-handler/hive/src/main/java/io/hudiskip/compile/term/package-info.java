// SPDX-License-Identifier: Apache-2.0
/**
 * Evaluates terms of a filter with Hive's own evaluators, for files where a term's columns have few
 * possible values.
 */
package io.hudiskip.compile.term;
