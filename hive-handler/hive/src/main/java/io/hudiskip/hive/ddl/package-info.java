/** Rules for statements that create, change, write to and drop Hive tables over Hudi. */
package io.hudiskip.hive.ddl;
