/** The manifest of one generation of the index: its data files and their row groups. */
package io.hudiskip.index.manifest;
