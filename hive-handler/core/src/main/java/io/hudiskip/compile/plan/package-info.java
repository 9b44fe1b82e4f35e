// SPDX-License-Identifier: Apache-2.0
/**
 * Plans of the partitions that a filter can match, and their keys ({@code docs/inside/formats.md}).
 */
package io.hudiskip.compile.plan;
