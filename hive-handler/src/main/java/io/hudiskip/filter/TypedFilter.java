/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.filter;

import io.hudiskip.thrift.FilterTree;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hive's filter of one table scan as a typed tree: what is sent to the predicate compiler, and what
 * an expression is bound to.
 *
 * <p>The tree is normalised so that a filter is the same tree when Hive decomposes it and when
 * files are listed, although Tez adds and takes away synthetic conjuncts in between: those are left
 * out, nested ANDs and ORs are flattened, and an AND or OR of one operand is that operand. The
 * order of operands is kept.
 *
 * <p>Dropping a conjunct makes a filter weaker, so what is compiled from this tree keeps every file
 * that the whole filter needs.
 */
public final class TypedFilter {
  /** Largest tree in Thrift's compact protocol, in bytes. */
  static final int MAX_BYTES = 2 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(TypedFilter.class);

  private final FilterTerm root;
  private final FilterTree tree;
  private final byte[] fingerprint;
  private final String emptyReason;
  private final List<ExprNodeDesc> sources;
  private final int dynamicTerms;

  private TypedFilter(
      @Nullable FilterTerm root,
      FilterTree tree,
      byte[] bytes,
      String emptyReason,
      int dynamicTerms) {
    this.root = root;
    this.tree = tree;
    this.fingerprint = FilterTreeEncoder.sha256(bytes);
    this.emptyReason = emptyReason;
    this.dynamicTerms = dynamicTerms;
    this.sources = root == null ? Collections.emptyList() : FilterTreeEncoder.sources(root);
  }

  /**
   * Reads a filter. Never fails: a filter that cannot be used is empty and says why.
   *
   * @param predicate Hive's filter, null if the scan has none; it is not changed
   */
  public static TypedFilter of(@Nullable ExprNodeDesc predicate) {
    if (predicate == null) {
      return empty("the scan has no filter", 0);
    }
    FilterTermBuilder builder = new FilterTermBuilder();
    try {
      List<FilterTerm> conjuncts = builder.conjuncts(predicate);
      if (conjuncts.isEmpty()) {
        return empty(
            "the filter holds only values that are known at run time", builder.dynamicTerms());
      }
      FilterTerm root = FilterTermBuilder.and(conjuncts);
      FilterTree tree = FilterTreeEncoder.encode(root);
      byte[] bytes = FilterTreeEncoder.bytes(tree);
      if (bytes.length > MAX_BYTES) {
        return empty("the filter has more than " + MAX_BYTES + " bytes", builder.dynamicTerms());
      }
      return new TypedFilter(root, tree, bytes, "", builder.dynamicTerms());
    } catch (FilterLimitException e) {
      return empty(e.getMessage(), builder.dynamicTerms());
    } catch (RuntimeException e) {
      // Expression nodes come from every corner of Hive; one that surprises us must not end the
      // query.
      LOG.warn("A filter could not be read; its scan lists all files", e);
      return empty("the filter could not be read: " + e, builder.dynamicTerms());
    }
  }

  /**
   * How many conjuncts of a filter have values that are known only at run time; 0 when that cannot
   * be told. The same as {@link #dynamicTerms()}, without the tree.
   */
  public static int dynamicTerms(ExprNodeDesc predicate) {
    FilterTermBuilder builder = new FilterTermBuilder();
    try {
      builder.conjuncts(predicate);
    } catch (FilterLimitException | RuntimeException e) {
      LOG.debug("A filter could not be read to its end", e);
    }
    return builder.dynamicTerms();
  }

  private static TypedFilter empty(String reason, int dynamicTerms) {
    FilterTree tree = new FilterTree().setNodes(Collections.emptyList());
    return new TypedFilter(null, tree, FilterTreeEncoder.bytes(tree), reason, dynamicTerms);
  }

  /** Whether there is nothing that could skip a file; {@link #emptyReason()} says why. */
  public boolean isEmpty() {
    return root == null;
  }

  /** Why the filter is empty, for people; the empty string when it isn't. */
  public String emptyReason() {
    return emptyReason;
  }

  /** The tree as it goes to the compiler (a copy); without nodes if the filter is empty. */
  public FilterTree tree() {
    return tree.deepCopy();
  }

  /**
   * Identifies the tree: SHA-256 (32 bytes) over {@link #tree()} in Thrift's compact protocol, as
   * {@code FilterTree.write} of hudi_skipping.thrift writes it, with no frame or message around it.
   * The same filter has the same fingerprint in every JVM; all empty filters share one, and no
   * expression is compiled from them.
   */
  public byte[] fingerprint() {
    return fingerprint.clone();
  }

  /** How many conjuncts were left out because their values are known only at run time. */
  public int dynamicTerms() {
    return dynamicTerms;
  }

  /**
   * Hive's node of a term, to be evaluated with the values of its columns.
   *
   * @param term index of a node of {@link #tree()}
   * @return empty if there is no such node, or none of Hive's that has its value: for what is
   *     opaque, for the AND of the conjuncts, some of which may have been left out; not to be
   *     changed
   */
  public Optional<ExprNodeDesc> source(int term) {
    return term < 0 || term >= sources.size()
        ? Optional.empty()
        : Optional.ofNullable(sources.get(term));
  }

  Optional<FilterTerm> root() {
    return Optional.ofNullable(root);
  }
}
