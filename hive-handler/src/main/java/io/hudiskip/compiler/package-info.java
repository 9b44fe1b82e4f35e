/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Client of the predicate compiler, a service of its own that turns filters into serialized
 * expressions.
 */
package io.hudiskip.compiler;
