/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import io.hudiskip.SkippingConf;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.FilterNode;
import io.hudiskip.thrift.FilterNodeKind;
import io.hudiskip.thrift.FilterTree;
import io.hudiskip.thrift.Literal;
import io.hudiskip.thrift.SearchArgument;
import io.hudiskip.thrift.SearchArgumentNode;
import io.hudiskip.thrift.SearchArgumentOperator;
import io.hudiskip.thrift.TableSchema;
import io.hudiskip.thrift.TruthValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;

/** Requests and settings for the tests of the client. */
final class Requests {
  private Requests() {}

  /** The filter {@code i = value}, with a fingerprint of its own. */
  static CompileRequest equalTo(long value) {
    return new CompileRequest()
        .setProtocolVersion(1)
        .setFingerprint(ByteBuffer.allocate(32).putLong(value).array())
        .setSearchArgument(
            new SearchArgument()
                .setLeaves(Collections.emptyList())
                .setNodes(
                    Collections.singletonList(
                        new SearchArgumentNode()
                            .setOperator(SearchArgumentOperator.CONSTANT.getValue())
                            .setArity(0)
                            .setConstant(TruthValue.YES_NO_NULL.getValue()))))
        .setFilter(
            new FilterTree()
                .setNodes(
                    Arrays.asList(
                        node(FilterNodeKind.COLUMN, 0).setName("i").setType("int"),
                        node(FilterNodeKind.LITERAL, 0)
                            .setType("int")
                            .setLiteral(new Literal().setType("int").setIntegerValue(value)),
                        node(FilterNodeKind.FUNCTION, 2).setName("=").setType("boolean"))))
        .setSchema(
            new TableSchema()
                .setColumns(
                    Collections.singletonList(new ColumnSchema().setName("i").setType("int"))));
  }

  private static FilterNode node(FilterNodeKind kind, int arity) {
    return new FilterNode().setKind(kind.getValue()).setArity(arity);
  }

  /** Settings from pairs of key and value. */
  static SkippingConf settings(String... pairs) {
    return SkippingConf.of(configuration(pairs));
  }

  static Configuration configuration(String... pairs) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < pairs.length; i += 2) {
      conf.set(pairs[i], pairs[i + 1]);
    }
    return conf;
  }
}
