// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import io.hudiskip.hive.settings.PushdownSwitches;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.hive.settings.Switch;
import io.hudiskip.scan.SessionMessages;
import io.hudiskip.scan.savings.join.Objection;
import io.hudiskip.scan.savings.join.SplitPruningGate;
import io.hudiskip.scan.savings.join.UnsentValues;
import io.hudiskip.table.state.SeparateScans;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.metadata.Table;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The values that joins of a statement offer to the scans of one table. Not thread-safe. */
final class OfferedValues {
  private static final Logger LOG = LoggerFactory.getLogger(OfferedValues.class);

  private final Set<String> accepted = new TreeSet<>();

  /** Whether a join sends values to a scan; if not, session and log are given the reason. */
  boolean accept(Configuration session, Table table, ExprNodeDesc predicate) {
    SkippingConf settings = SkippingConf.of(session, table.getParameters());
    if (settings.joins() != Switch.ON
        || settings.mode() == SkippingMode.OFF
        || PushdownSwitches.off(session).isPresent()) {
      return false;
    }
    try {
      Optional<Objection> objection = SplitPruningGate.objection(table, predicate, session);
      if (!objection.isPresent() && !SeparateScans.keepAllSeparate()) {
        objection = Objection.of("the statement's settings are not known");
      }
      if (objection.isPresent()) {
        refuse(session, table, predicate, objection.get());
        return false;
      }
    } catch (Throwable e) { // no surprise in a plan or an index may fail the query
      LOG.warn("Cannot use values of a join for {}", table.getFullyQualifiedName(), e);
      return false;
    }
    accepted.add(((ExprNodeColumnDesc) predicate.getChildren().get(0)).getColumn());
    return true;
  }

  private static void refuse(
      Configuration session, Table table, ExprNodeDesc predicate, Objection objection) {
    LOG.info(
        "No values of a join for {}: {}: {}",
        table.getFullyQualifiedName(),
        predicate.getExprString(),
        objection.reason());
    if (objection.isOfDirection()) {
      return;
    }
    String column = predicate.getChildren().get(0).getExprString();
    UnsentValues.add(session, table.getPath(), column, objection);
    SessionMessages.once(
        session,
        Collections.singletonList(
            String.format(
                "no values of a join for %s.%s: %s",
                table.getTableName(), column, objection.reason())));
  }

  /** For EXPLAIN; empty if no values are sent. */
  Optional<String> description() {
    return accepted.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "values that the query finds for "
                + String.join(", ", accepted)
                + " may skip more files");
  }
}
