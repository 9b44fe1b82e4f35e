/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Plans of the partitions that a filter can match, and the keys that they are about ({@code
 * docs/scan-plans.md}).
 */
package io.hudiskip.plan;
