// SPDX-License-Identifier: Apache-2.0
/** What this jar was built from, and what differs between releases of Hive. */
package io.hudiskip.hive.version;
