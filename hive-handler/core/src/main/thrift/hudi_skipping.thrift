// Licensed under the Apache License, Version 2.0; see LICENSE.

/**
 * Everything that crosses a process boundary: the filter that Hive hands to the predicate compiler, and the
 * HudiExpression that comes back. docs/inside/formats.md gives the meaning of each value byte by byte.
 *
 * Rules of this file, so that old readers survive new writers:
 *  - every field is optional, and every code is an i32 (the enums only name the values), because a Java reader
 *    throws on a required enum value that it does not know, where it must say "unknown" and keep the file;
 *  - trees are flat post-order node lists (children before their parent, `arity` children each), so there is no
 *    recursion depth to exhaust;
 *  - no maps, so that the same tree always has the same bytes and can be hashed.
 */

namespace java io.hudiskip.thrift
namespace py pycompiler.thrift_gen

/** Version of HudiExpression that this build writes, and the newest that it reads. */
const i32 EXPRESSION_FORMAT_VERSION = 1

/** Version of PartitionPlan and of the keys that it is about; a reader of another version lists every partition. */
const i32 PLAN_FORMAT_VERSION = 1

/** Version of the PredicateCompiler protocol; a request of another version is refused. */
const i32 PROTOCOL_VERSION = 1

// ---------------------------------------------------------------- literals

struct DecimalLiteral {
  /** Two's complement, big-endian, as java.math.BigInteger.toByteArray(). */
  1: optional binary unscaled
  2: optional i32 scale
}

/** A wall-clock time without a zone, counted as if it were UTC. */
struct TimestampLiteral {
  /** Seconds since 1970-01-01 00:00:00, floored. */
  1: optional i64 seconds
  /** 0 to 999,999,999. */
  2: optional i32 nanos
}

/** A typed constant. At most one value field is set; none set means NULL. */
struct Literal {
  /** Hive type name, such as `decimal(10,2)`. */
  1: optional string type
  2: optional bool booleanValue
  /** tinyint, smallint, int, bigint. */
  3: optional i64 integerValue
  /** float (widened) and double. */
  4: optional double doubleValue
  /** string, varchar, char: UTF-8. */
  5: optional binary stringValue
  6: optional DecimalLiteral decimalValue
  /** Days since 1970-01-01 in the proleptic Gregorian calendar. */
  7: optional i64 dateValue
  8: optional TimestampLiteral timestampValue
}

/**
 * Two or more constants of one type, none of them NULL, in order: the short form of as many Literals, as a list
 * may have thousands. The one list is set that goes with the type, with the values that Literal has.
 */
struct LiteralList {
  1: optional string type
  2: optional list<i64> integerValues
  3: optional list<double> doubleValues
  4: optional list<binary> stringValues
  5: optional list<i64> dateValues
}

// ---------------------------------------------------------------- SearchArgument

enum SearchArgumentOperator {
  OR = 1, AND = 2, NOT = 3, LEAF = 4, CONSTANT = 5
}

enum PredicateLeafOperator {
  EQUALS = 1, NULL_SAFE_EQUALS = 2, LESS_THAN = 3, LESS_THAN_EQUALS = 4, IN = 5, BETWEEN = 6, IS_NULL = 7
}

enum TruthValue {
  YES = 1, NO = 2, NULL = 3, YES_NULL = 4, NO_NULL = 5, YES_NO = 6, YES_NO_NULL = 7
}

struct PredicateLeaf {
  /** A PredicateLeafOperator. */
  1: optional i32 operator
  /** Lower-case; the fields of a struct are joined by dots. */
  2: optional string column
  /** Hive type name of the column. */
  3: optional string type
  4: optional Literal literal
  /** The members of IN; the two ends of BETWEEN. */
  5: optional list<Literal> literalList
  /**
   * All members of IN, in place of `literalList`. No new protocol version: a compiler that does not know the field
   * finds an IN without members and refuses the filter, which skips nothing.
   */
  6: optional LiteralList packedLiterals
}

struct SearchArgumentNode {
  /** A SearchArgumentOperator. */
  1: optional i32 operator
  2: optional i32 arity
  /** LEAF: an index into SearchArgument.leaves. */
  3: optional i32 leaf
  /** CONSTANT: a TruthValue. */
  4: optional i32 constant
}

/** Hive's SearchArgument, restricted to the leaves that the typed filter tree bears out; others are CONSTANT YES_NO_NULL. */
struct SearchArgument {
  1: optional list<PredicateLeaf> leaves
  2: optional list<SearchArgumentNode> nodes
}

// ---------------------------------------------------------------- typed filter tree

enum FilterNodeKind {
  /** A column of the table: `name`, `type`. */
  COLUMN = 1,
  /** A constant: `literal`. */
  LITERAL = 2,
  /** A call: `name`, `arity`, `type` of the result. */
  FUNCTION = 3,
  /** A struct field: `name`; its one child is the struct. */
  FIELD = 4,
  /** Something that must not decide a skip: dynamic values, non-deterministic calls, what is not understood. */
  OPAQUE = 5,
  /**
   * Several members of `in`: `literals`, in the place of as many LITERAL nodes. No new protocol version: for a
   * compiler that does not know the kind it is one opaque member, and such an `in` skips nothing.
   */
  LITERAL_LIST = 6
}

struct FilterNode {
  /** A FilterNodeKind. */
  1: optional i32 kind
  /** Hive type name of the node's value. */
  2: optional string type
  /**
   * Column, field or function name, in any case. Functions with a fixed name: `and or not = <=> != < <= > >= in between
   * isnull isnotnull cast`; one that is not Hive's own is `class:` and the name of its class. `in` has the tested value first; `between` has (value, low, high), its negation is
   * a `not` above it; `cast` converts to the node's `type`. OPAQUE: the reason, for people.
   */
  3: optional string name
  4: optional i32 arity
  5: optional Literal literal
  6: optional LiteralList literals
}

/** Hive's ExprNodeDesc, with synthetic terms left out and nested ANDs and ORs flattened. */
struct FilterTree {
  1: optional list<FilterNode> nodes
}

// ---------------------------------------------------------------- table

struct ColumnSchema {
  /** Lower-case. */
  1: optional string name
  /** Hive type name. */
  2: optional string type
}

struct TableSchema {
  1: optional list<ColumnSchema> columns
}

// ---------------------------------------------------------------- HudiExpression

enum ExpressionOperator {
  /** Keeps the files that all children keep. */
  AND = 1,
  /** Keeps the files that any child keeps. */
  OR = 2,
  /** Keeps every file; `reason` says why nothing better is known. */
  UNKNOWN = 3,
  /** Keeps no file: the filter is TRUE for no row. */
  NEVER = 4,

  EQ = 10, NE = 11, LT = 12, LTEQ = 13, GT = 14, GTEQ = 15, IN = 16, NOT_IN = 17, IS_NULL = 18, IS_NOT_NULL = 19,

  /** A value lies in one of the ranges that `values` and `bounds` give. */
  RANGES = 20,

  /** `column` against `otherColumn`, in the same row. */
  EQ_COLUMN = 30, NE_COLUMN = 31, LT_COLUMN = 32, LTEQ_COLUMN = 33,

  /**
   * `column` minus `otherColumn`, in the same row, lies in one of the ranges that `values` and `bounds` give; of dates
   * and timestamps, the difference of their days.
   */
  DIFFERENCE = 34,

  /** A term of the filter as Hive itself evaluates it, in files where its columns have few possible values. */
  TERM = 40,

  /** What an index kind is asked about its records: whether a row of the file may be among those that are wanted. */
  QUESTION = 50
}

struct ExpressionNode {
  /** An ExpressionOperator; a code that the reader does not know keeps every file. */
  1: optional i32 operator
  2: optional i32 arity
  /** Leaves: lower-case column name; the fields of a struct are joined by dots. */
  3: optional string column
  /** Leaves: the Hive type that the column is read as and, but for DIFFERENCE, that `values` are encoded for. */
  4: optional string type
  /**
   * Leaves: encoded literals (docs/inside/formats.md); IN and NOT_IN: ascending, without repeats; RANGES and DIFFERENCE: low
   * and high end of each range in turn, ascending and apart, an empty one where there is no end; those of DIFFERENCE are
   * encoded as bigint.
   */
  5: optional list<binary> values
  /** UNKNOWN: why. */
  6: optional string reason
  /** RANGES and DIFFERENCE: a byte for each range, the sum of 1 has a low end, 2 low end included, 4 has a high end, 8 high end included. */
  7: optional binary bounds
  /** EQ_COLUMN … DIFFERENCE: the right side, and the Hive type that it is read as. */
  8: optional string otherColumn
  9: optional string otherType
  /** TERM: index of the term in the nodes of the FilterTree that the expression was compiled from. */
  10: optional i32 term
  /** TERM: the truth values that keep a file, the sum of 1 TRUE, 2 FALSE, 4 NULL. */
  11: optional i32 outcomes
  /** TERM: the columns that the term reads, without repeats. QUESTION: those that the records are about, in order. */
  12: optional list<ColumnSchema> termColumns
  /** QUESTION: name of the index kind. */
  13: optional string kind
  /** QUESTION: what it is asked, in its own format. */
  14: optional binary question
}

/** Which files a filter can match, as a predicate over column statistics. */
struct HudiExpression {
  1: optional i32 formatVersion
  /** The oldest reader version that understands these bytes; an older reader keeps every file. */
  2: optional i32 minReaderVersion
  /** Fingerprint of the filter that this was compiled from. */
  3: optional binary fingerprint
  /** Post-order; the last node is the root. */
  4: optional list<ExpressionNode> nodes
}

// ---------------------------------------------------------------- partition plans

/** A range of keys of a catalogue of partitions (docs/inside/formats.md), without what all keys of a table begin with. */
struct ScanRange {
  /** The first key that may be in the range; empty: the table's first. */
  1: optional binary start
  /** The first key behind the range; absent: all keys of the table from `start` on. */
  2: optional binary stop
  /** What a partition in the range must meet as well, an index into PartitionPlan.filters; absent: nothing. */
  3: optional i32 filter
}

/** Which partitions a filter can match. */
struct PartitionPlan {
  1: optional i32 formatVersion
  /** The columns that make the keys, in order, with the Hive types that their values are encoded for. */
  2: optional list<ColumnSchema> columns
  /** Ascending and apart, so that no key is in two of them. */
  3: optional list<ScanRange> scans
  /** HudiExpressions on columns of the keys, in Thrift's compact protocol. */
  4: optional list<binary> filters
  /** The plan in the notation of docs/inside/formats.md, for logs. */
  5: optional string text
}

// ---------------------------------------------------------------- service

struct CompileRequest {
  1: optional i32 protocolVersion
  /** Chosen by the caller, copied into the HudiExpression. */
  2: optional binary fingerprint
  3: optional SearchArgument searchArgument
  4: optional FilterTree filter
  5: optional TableSchema schema
  /** Whether the answer has to say how the expression came about. */
  6: optional bool explain
  /** The columns that make the keys of the table's partitions, in order, in any case; absent: no plan is wanted. */
  7: optional list<string> partitionColumns
}

/** One step of a compilation, for people. */
struct Rewrite {
  /** Name of the rule, as in docs/reference/types-and-functions.md. */
  1: optional string rule
  2: optional string before
  3: optional string after
}

/** A term of the filter that skips nothing, and why. */
struct UnusedTerm {
  1: optional string term
  2: optional string reason
}

struct CompileResponse {
  /** HudiExpression in Thrift's compact protocol. */
  1: optional binary expression
  2: optional list<UnusedTerm> unusedTerms
  /** The expression in words, for logs. */
  3: optional string description
  /** The filter as it was understood; only if the request asks to explain. */
  4: optional string understood
  /** The steps in order; only if the request asks to explain. */
  5: optional list<Rewrite> rewrites
  /** Which partitions the filter can match; only if the request names partition columns of which the types are known. */
  6: optional PartitionPlan partitionPlan
}

enum CompileErrorCode {
  /** The request is malformed. */
  INVALID_REQUEST = 1,
  UNSUPPORTED_VERSION = 2,
  /** The filter exceeds a limit (nodes, depth, bytes). */
  TOO_LARGE = 3,
  INTERNAL = 4
}

exception CompileError {
  /** A CompileErrorCode. */
  1: optional i32 code
  2: optional string message
}

struct CompilerInfo {
  1: optional string version
  2: optional i32 protocolVersion
  3: optional i32 expressionFormatVersion
}

/**
 * Turns filters into HudiExpressions. Framed transport, compact protocol, over a Unix domain socket or loopback.
 */
service PredicateCompiler {
  CompileResponse compile(1: CompileRequest request) throws (1: CompileError error)
  CompilerInfo describe()
}
