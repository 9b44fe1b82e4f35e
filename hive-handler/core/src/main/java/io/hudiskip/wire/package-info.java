/**
 * Decodes the predicate compiler's bytes into checked expressions and plans. The only package that
 * knows Thrift.
 */
package io.hudiskip.wire;
