// SPDX-License-Identifier: Apache-2.0
/**
 * Client of the predicate compiler, a separate service that turns filters into serialized
 * expressions.
 */
package io.hudiskip.compile.client;
