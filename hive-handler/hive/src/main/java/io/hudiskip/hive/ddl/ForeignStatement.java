// SPDX-License-Identifier: Apache-2.0
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

/** Rules for DDL statements that create, change or drop a {@link ForeignTable}. */
public final class ForeignStatement {
  private static final String HANDLER = hive_metastoreConstants.META_TABLE_STORAGE;

  private final Configuration conf;
  private final Function<String, Optional<Table>> tables;
  private final Function<String, Optional<DroppedDatabase>> databases;

  public ForeignStatement(
      Configuration conf,
      Function<String, Optional<Table>> tables,
      Function<String, Optional<DroppedDatabase>> databases) {
    this.conf = conf;
    this.tables = tables;
    this.databases = databases;
  }

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
      return objectionToLike((CreateTableLikeDesc) statement);
    }
    if (statement instanceof DropTableDesc) {
      return objectionToDelete("DROP TABLE", ((DropTableDesc) statement).getTableName());
    }
    if (statement instanceof TruncateTableDesc) {
      return objectionToDelete(
          "TRUNCATE TABLE", ((TruncateTableDesc) statement).getFullTableName());
    }
    if (statement instanceof AlterTableDropPartitionDesc) {
      return objectionToDelete(
          "ALTER TABLE … DROP PARTITION of",
          ((AlterTableDropPartitionDesc) statement).getFullTableName());
    }
    if (statement instanceof AlterTableRenameDesc) {
      // Hive moves data that it owns to the new name's location.
      return objectionToDelete(
          "ALTER TABLE … RENAME of", ((AlterTableRenameDesc) statement).getFullTableName());
    }
    if (statement instanceof DropDatabaseDesc) {
      DropDatabaseDesc drop = (DropDatabaseDesc) statement;
      return databases.apply(drop.getDatabaseName()).flatMap(this::objectionToDropDatabase);
    }
    if (statement instanceof AbstractAlterTableDesc) {
      AbstractAlterTableDesc alter = (AbstractAlterTableDesc) statement;
      return tables
          .apply(alter.getFullTableName())
          .flatMap(table -> objectionToAlter(table, alter));
    }
    return Optional.empty();
  }

  private Optional<String> objectionToLike(CreateTableLikeDesc create) {
    Optional<Table> like = tables.apply(create.getLikeTableName());
    Map<String, String> properties = orEmpty(create.getTblProps());
    if (!like.isPresent() || properties.containsKey(HANDLER) || isOurs(like.get())) {
      return Optional.empty(); // the new or the old table's handler decides
    }
    return ForeignTable.objection(
        conf,
        create.getLocation(),
        create.isUserStorageFormat()
            ? create.getDefaultInputFormat()
            : like.get().getTTable().getSd().getInputFormat(),
        !create.isExternal() || ForeignTable.purges(properties));
  }

  private Optional<String> objectionToDelete(String statement, String name) {
    return tables.apply(name).flatMap(table -> objectionToDelete(statement, table));
  }

  private Optional<String> objectionToDelete(String statement, Table table) {
    if (isOurs(table) || !ForeignTable.deletesData(table.getParameters())) {
      return Optional.empty();
    }
    String name = table.getFullyQualifiedName();
    return ForeignTable.root(conf, location(table))
        .map(
            root ->
                String.format(
                    "%s %s would delete the Hudi table %s. First run: ALTER TABLE %s SET TBLPROPERTIES"
                        + " ('EXTERNAL'='TRUE', 'external.table.purge'='false')",
                    statement, name, root, name));
  }

  /** Hive deletes a database's folders with all contents, whoever owns them. */
  private Optional<String> objectionToDropDatabase(DroppedDatabase database) {
    for (Table table : database.tables()) {
      Optional<String> objection = objectionToDelete("DROP DATABASE with its table", table);
      if (objection.isPresent()) {
        return objection;
      }
    }
    return database
        .hudiTable(conf)
        .map(
            root ->
                String.format(
                    "DROP DATABASE %s would delete the Hudi table %s, which is in the"
                        + " database's folder. First move the database to a folder without Hudi tables:"
                        + " ALTER DATABASE %s SET LOCATION (or SET MANAGEDLOCATION)",
                    database.name(), root, database.name()));
  }

  private Optional<String> objectionToAlter(Table table, AbstractAlterTableDesc alter) {
    boolean drops = alter.getType() == AlterTableType.DROPPROPS;
    Map<String, String> changes =
        drops || alter.getType() == AlterTableType.ADDPROPS
            ? orEmpty(alter.getProps())
            : Collections.emptyMap();
    if (isOurs(table)) {
      boolean mends = drops && ConvertedTable.is(table.getTTable());
      return changes.containsKey(HANDLER) && !mends
          ? Optional.of(
              HANDLER
                  + " cannot be changed on a Hudi table: another reader would return rows of all"
                  + " its files, old versions included. Run DROP TABLE (which keeps the data)"
                  + " and CREATE TABLE again")
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
      return Optional.empty(); // no new risk
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
   * @param table to which Hive would add files, or whose files it would replace
   */
  public static Optional<String> objectionToWrite(Configuration conf, Table table) {
    if (isOurs(table)) {
      return Optional.of(RefusalMessages.READ_ONLY);
    }
    return ForeignTable.root(conf, location(table))
        .map(
            root ->
                String.format(
                    "%s is in the Hudi table %s, whose files Hive would replace or mix with"
                        + " others. %s",
                    table.getFullyQualifiedName(), root, RefusalMessages.READ_ONLY));
  }

  @Nullable
  static String location(Table table) {
    return table.getDataLocation() == null ? null : table.getDataLocation().toString();
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> properties) {
    return properties == null ? Collections.emptyMap() : properties;
  }
}
