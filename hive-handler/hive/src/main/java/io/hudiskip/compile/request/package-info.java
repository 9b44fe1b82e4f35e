// SPDX-License-Identifier: Apache-2.0
/**
 * What crosses to the predicate compiler in Thrift's form: the filter's tree, whose hash is its
 * fingerprint, the search argument that the tree confirms, requests and answers. No other package
 * of this module uses Thrift.
 */
package io.hudiskip.compile.request;
