/**
 * Decodes the predicate compiler's bytes into checked expressions and plans. The only package of
 * this module that uses Thrift.
 */
package io.hudiskip.compile.wire;
