/** Column statistics of base files, from any index. */
package io.hudiskip.compile.statistics;
