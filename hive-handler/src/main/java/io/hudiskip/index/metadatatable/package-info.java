/** The column statistics of Hudi's own metadata table, as far as they are proved. */
package io.hudiskip.index.metadatatable;
