// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import io.hudiskip.hive.ddl.DroppedDatabase;
import io.hudiskip.hive.ddl.ForeignStatement;
import io.hudiskip.hive.ddl.WrittenTables;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hive.ql.ddl.DDLWork;
import org.apache.hadoop.hive.ql.exec.Task;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.AbstractSemanticAnalyzerHook;
import org.apache.hadoop.hive.ql.parse.BaseSemanticAnalyzer;
import org.apache.hadoop.hive.ql.parse.HiveSemanticAnalyzerHookContext;
import org.apache.hadoop.hive.ql.parse.SemanticException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rejects statements on tables without the handler that would misread or delete a Hudi table; Hive
 * never calls the handler for them. Also rejects writes to the handler's tables before Hive finds
 * other errors in the statement.
 *
 * <p>HiveServer2 calls it with {@code hive.semantic.analyzer.hook=io.hudiskip.hive.HudiTableGuard}.
 */
public final class HudiTableGuard extends AbstractSemanticAnalyzerHook {
  private static final Logger LOG = LoggerFactory.getLogger(HudiTableGuard.class);

  @Override
  public ASTNode preAnalyze(HiveSemanticAnalyzerHookContext context, ASTNode statement)
      throws SemanticException {
    for (ASTNode name : WrittenTables.of(statement)) {
      Optional<Table> table =
          find(context, BaseSemanticAnalyzer.getQualifiedTableName(name).getNotEmptyDbTable());
      Optional<String> objection =
          table.flatMap(found -> ForeignStatement.objectionToWrite(context.getConf(), found));
      if (objection.isPresent()) {
        throw new SemanticException(objection.get());
      }
    }
    return statement;
  }

  @Override
  public void postAnalyze(HiveSemanticAnalyzerHookContext context, List<Task<?>> rootTasks)
      throws SemanticException {
    ForeignStatement rules =
        new ForeignStatement(
            context.getConf(),
            name -> find(context, name),
            name -> DroppedDatabase.find(context, name));
    Deque<Task<?>> tasks = new ArrayDeque<>(rootTasks);
    while (!tasks.isEmpty()) {
      Task<?> task = tasks.pop();
      if (task.getWork() instanceof DDLWork) {
        Optional<String> objection = rules.objection(((DDLWork) task.getWork()).getDDLDesc());
        if (objection.isPresent()) {
          throw new SemanticException(objection.get());
        }
      }
      if (task.getDependentTasks() != null) {
        tasks.addAll(task.getDependentTasks());
      }
    }
  }

  private static Optional<Table> find(HiveSemanticAnalyzerHookContext context, String name) {
    try {
      return Optional.ofNullable(context.getHive().getTable(name, false));
    } catch (HiveException e) { // Hive fails likewise, and reports it
      LOG.debug("Cannot find table {}", name, e);
      return Optional.empty();
    }
  }
}
