// SPDX-License-Identifier: Apache-2.0

/**
 * Skipping inside a base file: the scan's expression is evaluated on row groups and pages as it is
 * on files, and where few rows are left, only their pages are read. {@link
 * io.hudiskip.scan.pages.MatchingRows} says which rows those are, and {@link
 * io.hudiskip.scan.pages.MatchingRowsFormat} reads them.
 */
package io.hudiskip.scan.pages;
