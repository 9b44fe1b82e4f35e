/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A catalogue in HBase. The only package that needs HBase's client, which is not in the bundle: it
 * is looked for when the catalogue is asked for.
 */
package io.hudiskip.catalogue.hbase;
