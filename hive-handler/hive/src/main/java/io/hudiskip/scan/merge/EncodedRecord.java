// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.merge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;

/**
 * A record as bytes, decoded on first access. This form waits in Hudi's {@code
 * ExternalSpillableMap} for its base record: small, of known size, and safe for Kryo, which spills
 * it to disk.
 */
final class EncodedRecord implements GenericRecord, Serializable {
  private static final long serialVersionUID = 1L;

  private final long reader;
  private final int schema;
  private final byte[] bytes;

  private transient GenericRecord decoded;

  private EncodedRecord(long reader, int schema, byte[] bytes) {
    this.reader = reader;
    this.schema = schema;
    this.bytes = bytes;
  }

  static EncodedRecord of(RecordSchemas schemas, IndexedRecord record) {
    if (record instanceof EncodedRecord) {
      return (EncodedRecord) record;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
    try {
      new GenericDatumWriter<IndexedRecord>(record.getSchema()).write(record, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new EncodedRecord(
        schemas.reader(), schemas.number(record.getSchema()), bytes.toByteArray());
  }

  private GenericRecord decoded() {
    if (decoded == null) {
      try {
        decoded =
            new GenericDatumReader<GenericRecord>(getSchema(), getSchema(), OrderedMaps.DATA)
                .read(null, DecoderFactory.get().binaryDecoder(bytes, null));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return decoded;
  }

  @Override
  public Schema getSchema() {
    return RecordSchemas.of(reader, schema);
  }

  @Override
  public Object get(int position) {
    return decoded().get(position);
  }

  @Override
  public Object get(String name) {
    return decoded().get(name);
  }

  @Override
  public void put(int position, Object value) {
    throw new UnsupportedOperationException("records waiting for a merge are read-only");
  }

  @Override
  public void put(String name, Object value) {
    throw new UnsupportedOperationException("records waiting for a merge are read-only");
  }
}
