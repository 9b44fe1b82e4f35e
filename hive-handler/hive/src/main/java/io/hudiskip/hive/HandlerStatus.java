// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.compile.client.CompilerUnavailableException;
import io.hudiskip.compile.client.PredicateCompilerClient;
import io.hudiskip.compile.request.CompileCalls;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.hive.version.HandlerBuild;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hive.ql.exec.Description;
import org.apache.hadoop.hive.ql.exec.UDFArgumentLengthException;
import org.apache.hadoop.hive.ql.metadata.HiveException;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.primitive.PrimitiveObjectInspectorFactory;
import org.apache.hive.common.util.HiveVersionInfo;

/**
 * What the handler in this server is, and whether its compiler answers, for {@code hudi-skip
 * doctor}: {@code CREATE TEMPORARY FUNCTION hudi_skip_status AS 'io.hudiskip.hive.HandlerStatus'}.
 */
@Description(
    name = "hudi_skip_status",
    value = "_FUNC_() - versions of the handler and of its predicate compiler, as JSON")
public final class HandlerStatus extends GenericUDF {
  @Override
  public ObjectInspector initialize(ObjectInspector[] arguments) throws UDFArgumentLengthException {
    if (arguments.length != 0) {
      throw new UDFArgumentLengthException("hudi_skip_status takes no arguments");
    }
    return PrimitiveObjectInspectorFactory.javaStringObjectInspector;
  }

  /** Hive computes it when it compiles the query, because it has no arguments: in the server. */
  @Override
  public Object evaluate(DeferredObject[] arguments) throws HiveException {
    Map<String, String> status = new LinkedHashMap<>();
    status.put("handler", HandlerBuild.version());
    status.put("built_for_hive", HandlerBuild.hive());
    status.put("hudi", HandlerBuild.hudi());
    status.put("hive", HiveVersionInfo.getVersion());
    status.put("java", System.getProperty("java.version"));
    // A client of its own: it starts the compiler as a query would in a server that has just
    // started.
    try (PredicateCompilerClient client =
        new PredicateCompilerClient(SkippingConf.of(SessionState.getSessionConf()))) {
      status.put("compiler", CompileCalls.compilerVersion(client));
    } catch (CompilerUnavailableException e) {
      status.put("problem", e.getMessage());
    }
    try {
      return new ObjectMapper().writeValueAsString(status);
    } catch (JsonProcessingException e) {
      throw new HiveException(e);
    }
  }

  @Override
  public String getDisplayString(String[] children) {
    return "hudi_skip_status()";
  }
}
