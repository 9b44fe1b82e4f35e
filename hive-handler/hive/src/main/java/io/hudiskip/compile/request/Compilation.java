// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import io.hudiskip.compile.wire.PlanDecoder;
import io.hudiskip.thrift.CompileResponse;
import io.hudiskip.thrift.Rewrite;
import io.hudiskip.thrift.UnusedTerm;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/** The compiler's answer: what a filter was compiled to, and how. */
public final class Compilation {
  private final CompileResponse response;

  Compilation(CompileResponse response) {
    this.response = response;
  }

  /** Stands for an explanation that cannot be had. */
  public static Compilation unexplained(String reason) {
    return new Compilation(new CompileResponse().setUnderstood(reason));
  }

  /** A {@code HudiExpression} in Thrift's compact protocol. */
  public byte[] expression() {
    return response.getExpression();
  }

  /** A {@code PartitionPlan} in that protocol; null if there is none. */
  @Nullable
  public byte[] plan() {
    return response.isSetPartitionPlan() ? PlanDecoder.encode(response.getPartitionPlan()) : null;
  }

  /** The filter as the compiler understood it; empty without an explanation. */
  public String understood() {
    return response.isSetUnderstood() ? response.getUnderstood() : "";
  }

  /** The steps of the compilation in order; none without an explanation. */
  public List<String> rewrites() {
    List<String> rewrites = new ArrayList<>();
    if (response.isSetRewrites()) {
      for (Rewrite rewrite : response.getRewrites()) {
        rewrites.add(rewrite.getRule() + ": " + rewrite.getBefore() + " -> " + rewrite.getAfter());
      }
    }
    return rewrites;
  }

  /** The terms of the filter that skip nothing, each with the reason. */
  public List<String> unusedTerms() {
    List<String> terms = new ArrayList<>();
    if (response.isSetUnusedTerms()) {
      for (UnusedTerm term : response.getUnusedTerms()) {
        terms.add(term.getTerm() + ": " + term.getReason());
      }
    }
    return terms;
  }
}
