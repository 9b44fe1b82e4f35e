// SPDX-License-Identifier: Apache-2.0
/** A partition catalogue in HBase. Only this package needs HBase's client. */
package io.hudiskip.hbase;
