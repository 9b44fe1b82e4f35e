// SPDX-License-Identifier: Apache-2.0
/** The {@code hudi.skipping.*} settings: their names, values, defaults and who may set them. */
package io.hudiskip.hive.settings;
