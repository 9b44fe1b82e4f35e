// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import io.hudiskip.compile.filter.FilterLimitException;
import io.hudiskip.compile.filter.FilterTerm;
import io.hudiskip.compile.filter.FilterTermBuilder;
import io.hudiskip.thrift.FilterTree;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hive's filter of one table scan as a typed tree. It is sent to the predicate compiler, and its
 * fingerprint binds the compiled expression to it.
 *
 * <p>The tree is normalised to be the same when Hive decomposes the filter and when files are
 * listed, although Tez adds and removes synthetic conjuncts in between: those are dropped, nested
 * ANDs and ORs are flattened, and an AND or OR of one operand is that operand. Operands keep their
 * order.
 *
 * <p>Dropping a conjunct makes a filter weaker, so expressions compiled from this tree keep every
 * file that the whole filter needs.
 */
public final class TypedFilter {
  /** Largest tree in Thrift's compact protocol, in bytes. */
  private static final int MAX_BYTES = 2 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(TypedFilter.class);

  private final FilterTerm root;
  private final FilterTree tree;
  private final byte[] fingerprint;
  private final String emptyReason;
  private final List<ExprNodeDesc> sources;
  private final int dynamicTerms;

  private TypedFilter(
      @Nullable FilterTerm root,
      FilterTreeEncoder encoder,
      byte[] bytes,
      String emptyReason,
      int dynamicTerms) {
    this.root = root;
    this.tree = encoder.tree();
    this.fingerprint = DigestUtils.sha256(bytes);
    this.emptyReason = emptyReason;
    this.dynamicTerms = dynamicTerms;
    this.sources = encoder.sources();
  }

  /**
   * Reads a filter. Never fails: an unusable filter is empty and gives a reason.
   *
   * @param predicate null if the scan has no filter; not changed
   */
  public static TypedFilter of(@Nullable ExprNodeDesc predicate) {
    if (predicate == null) {
      return empty("the scan has no filter", 0);
    }
    FilterTermBuilder builder = new FilterTermBuilder();
    try {
      List<FilterTerm> conjuncts = builder.conjuncts(predicate);
      if (conjuncts.isEmpty()) {
        return empty("the filter contains only values known at run time", builder.dynamicTerms());
      }
      FilterTerm root = FilterTermBuilder.and(conjuncts);
      FilterTreeEncoder encoder = new FilterTreeEncoder();
      encoder.add(root);
      byte[] bytes = encoder.bytes();
      if (bytes.length > MAX_BYTES) {
        return empty("the filter has more than " + MAX_BYTES + " bytes", builder.dynamicTerms());
      }
      return new TypedFilter(root, encoder, bytes, "", builder.dynamicTerms());
    } catch (FilterLimitException e) {
      return empty(e.getMessage(), builder.dynamicTerms());
    } catch (RuntimeException e) {
      // Expression nodes come from all over Hive; a surprising one must not fail the query.
      LOG.warn("Cannot read a filter; its scan lists all files", e);
      return empty("cannot read the filter: " + e, builder.dynamicTerms());
    }
  }

  /** As {@link #dynamicTerms()}, without building the tree; 0 when unknown. */
  public static int dynamicTerms(ExprNodeDesc predicate) {
    FilterTermBuilder builder = new FilterTermBuilder();
    try {
      builder.conjuncts(predicate);
    } catch (FilterLimitException | RuntimeException e) {
      LOG.debug("Cannot read the whole filter", e);
    }
    return builder.dynamicTerms();
  }

  private static TypedFilter empty(String reason, int dynamicTerms) {
    FilterTreeEncoder encoder = new FilterTreeEncoder();
    return new TypedFilter(null, encoder, encoder.bytes(), reason, dynamicTerms);
  }

  /** Whether the filter can skip no file; {@link #emptyReason()} says why. */
  public boolean isEmpty() {
    return root == null;
  }

  public String emptyReason() {
    return emptyReason;
  }

  /** The tree, not to be changed; without nodes if the filter is empty. */
  FilterTree tree() {
    return tree;
  }

  /**
   * SHA-256 (32 bytes) of the tree in Thrift's compact protocol, as {@code FilterTree.write} writes
   * it, without frame or message header. A filter has the same fingerprint in every JVM. All empty
   * filters share one, and no expression is compiled from them.
   */
  public byte[] fingerprint() {
    return fingerprint.clone();
  }

  /** How many conjuncts were dropped because their values are known only at run time. */
  public int dynamicTerms() {
    return dynamicTerms;
  }

  /**
   * Hive's node for a term, to be evaluated with its columns' values; not to be changed.
   *
   * @param term index of a node of the tree
   * @return empty if there is no such node, or no Hive node has its value: for OPAQUE, and for the
   *     AND of the conjuncts, some of which may have been dropped
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
