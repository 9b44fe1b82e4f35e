/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.ddl;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.metastore.api.hive_metastoreConstants;
import org.apache.hadoop.hive.ql.ddl.DDLDesc;
import org.apache.hadoop.hive.ql.ddl.database.drop.DropDatabaseDesc;
import org.apache.hadoop.hive.ql.ddl.table.AbstractAlterTableDesc;
import org.apache.hadoop.hive.ql.ddl.table.AlterTableType;
import org.apache.hadoop.hive.ql.ddl.table.create.CreateTableDesc;
import org.apache.hadoop.hive.ql.ddl.table.create.like.CreateTableLikeDesc;
import org.apache.hadoop.hive.ql.ddl.table.drop.DropTableDesc;
import org.apache.hadoop.hive.ql.ddl.table.misc.rename.AlterTableRenameDesc;
import org.apache.hadoop.hive.ql.ddl.table.misc.truncate.TruncateTableDesc;
import org.apache.hadoop.hive.ql.ddl.table.partition.drop.AlterTableDropPartitionDesc;
import org.apache.hadoop.hive.ql.ddl.table.storage.set.location.AlterTableSetLocationDesc;
import org.apache.hadoop.hive.ql.metadata.Table;

/** Rules of DDL statements that make, change or drop a {@link ForeignTable}. */
public final class ForeignStatement {
  private static final String HANDLER = hive_metastoreConstants.META_TABLE_STORAGE;

  private final Configuration conf;
  private final Function<String, Optional<Table>> tables;
  private final Function<String, Optional<DroppedDatabase>> databases;

  /**
   * Rules for statements of one session.
   *
   * @param tables finds a table by its qualified name
   * @param databases finds a database by its name
   */
  public ForeignStatement(
      Configuration conf,
      Function<String, Optional<Table>> tables,
      Function<String, Optional<DroppedDatabase>> databases) {
    this.conf = conf;
    this.tables = tables;
    this.databases = databases;
  }

  /** Whether a table is read by this handler. */
  public static boolean isOurs(Table table) {
    return HandlerClasses.STORAGE_HANDLER.equals(table.getProperty(HANDLER));
  }

  /** Why a statement must not run; empty when it may. */
  public Optional<String> objection(DDLDesc statement) {
    if (statement instanceof CreateTableDesc) {
      CreateTableDesc create = (CreateTableDesc) statement;
      return create.getStorageHandler() != null
          ? Optional.empty()
          : ForeignTable.objection(
              conf,
              create.getLocation(),
              create.getInputFormat(),
              !create.isExternal() || ForeignTable.purges(orEmpty(create.getTblProps())));
    }
    if (statement instanceof CreateTableLikeDesc) {
      return toLike((CreateTableLikeDesc) statement);
    }
    if (statement instanceof DropTableDesc) {
      return toDelete("DROP TABLE", ((DropTableDesc) statement).getTableName());
    }
    if (statement instanceof TruncateTableDesc) {
      return toDelete("TRUNCATE TABLE", ((TruncateTableDesc) statement).getFullTableName());
    }
    if (statement instanceof AlterTableDropPartitionDesc) {
      return toDelete(
          "ALTER TABLE … DROP PARTITION of",
          ((AlterTableDropPartitionDesc) statement).getFullTableName());
    }
    if (statement instanceof AlterTableRenameDesc) {
      // Hive moves what it owns to where a table of the new name belongs.
      return toDelete(
          "ALTER TABLE … RENAME of", ((AlterTableRenameDesc) statement).getFullTableName());
    }
    if (statement instanceof DropDatabaseDesc) {
      DropDatabaseDesc drop = (DropDatabaseDesc) statement;
      return databases.apply(drop.getDatabaseName()).flatMap(this::toDropDatabase);
    }
    if (statement instanceof AbstractAlterTableDesc) {
      AbstractAlterTableDesc alter = (AbstractAlterTableDesc) statement;
      return tables.apply(alter.getFullTableName()).flatMap(table -> toAlter(table, alter));
    }
    return Optional.empty();
  }

  private Optional<String> toLike(CreateTableLikeDesc create) {
    Optional<Table> like = tables.apply(create.getLikeTableName());
    Map<String, String> properties = orEmpty(create.getTblProps());
    if (!like.isPresent() || properties.containsKey(HANDLER) || isOurs(like.get())) {
      return Optional.empty(); // the handler of the new table, or of the old one, is asked
    }
    return ForeignTable.objection(
        conf,
        create.getLocation(),
        create.isUserStorageFormat()
            ? create.getDefaultInputFormat()
            : like.get().getTTable().getSd().getInputFormat(),
        !create.isExternal() || ForeignTable.purges(properties));
  }

  private Optional<String> toDelete(String statement, String name) {
    return tables.apply(name).flatMap(table -> toDelete(statement, table));
  }

  private Optional<String> toDelete(String statement, Table table) {
    if (isOurs(table) || !ForeignTable.deletesData(table.getParameters())) {
      return Optional.empty();
    }
    String name = table.getFullyQualifiedName();
    return ForeignTable.root(conf, location(table))
        .map(
            root ->
                statement
                    + " "
                    + name
                    + " would delete the Hudi table "
                    + root
                    + ". ALTER TABLE "
                    + name
                    + " SET TBLPROPERTIES ('EXTERNAL'='TRUE', 'external.table.purge'='false')"
                    + " first");
  }

  /** Hive deletes the folders of a database with all that is in them, whose tables it be. */
  private Optional<String> toDropDatabase(DroppedDatabase database) {
    for (Table table : database.tables()) {
      Optional<String> objection = toDelete("DROP DATABASE with the table", table);
      if (objection.isPresent()) {
        return objection;
      }
    }
    return database
        .hudiTable(conf)
        .map(
            root ->
                "DROP DATABASE "
                    + database.name()
                    + " would delete the Hudi table "
                    + root
                    + ", with the folder of the database. ALTER DATABASE "
                    + database.name()
                    + " SET LOCATION (or SET MANAGEDLOCATION) to a folder without Hudi tables"
                    + " first");
  }

  private Optional<String> toAlter(Table table, AbstractAlterTableDesc alter) {
    boolean drops = alter.getType() == AlterTableType.DROPPROPS;
    Map<String, String> changes =
        drops || alter.getType() == AlterTableType.ADDPROPS
            ? orEmpty(alter.getProps())
            : Collections.emptyMap();
    if (isOurs(table)) {
      return changes.containsKey(HANDLER)
          ? Optional.of(
              HANDLER
                  + " cannot be changed on a Hudi table: another reader would take all its files"
                  + " for rows. DROP TABLE, which leaves the data alone, and CREATE TABLE again")
          : Optional.empty();
    }
    boolean moves = alter instanceof AlterTableSetLocationDesc;
    if (table.isNonNative() || (!moves && changes.isEmpty())) {
      return Optional.empty();
    }
    Map<String, String> after = new HashMap<>(table.getParameters());
    if (drops) {
      after.keySet().removeAll(changes.keySet());
    } else {
      after.putAll(changes);
    }
    boolean deletesData = ForeignTable.deletesData(after);
    if (!moves && (!deletesData || ForeignTable.deletesData(table.getParameters()))) {
      return Optional.empty(); // nothing gets worse
    }
    return ForeignTable.objection(
        conf,
        moves ? ((AlterTableSetLocationDesc) alter).getLocation() : location(table),
        table.getTTable().getSd().getInputFormat(),
        deletesData);
  }

  /**
   * Why no rows must be written to a table; empty when they may.
   *
   * @param table that Hive would add files to, or whose files it would replace
   */
  public static Optional<String> objectionToWrite(Configuration conf, Table table) {
    if (isOurs(table)) {
      return Optional.of(Refusals.READ_ONLY);
    }
    return ForeignTable.root(conf, location(table))
        .map(
            root ->
                table.getFullyQualifiedName()
                    + " is in the Hudi table "
                    + root
                    + ", whose files Hive would replace, or mix with others. "
                    + Refusals.READ_ONLY);
  }

  @Nullable
  static String location(Table table) {
    return table.getDataLocation() == null ? null : table.getDataLocation().toString();
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> properties) {
    return properties == null ? Collections.emptyMap() : properties;
  }
}
