/** Opens an index: the one place that knows every layout in which statistics are kept. */
package io.hudiskip.index.factory;
