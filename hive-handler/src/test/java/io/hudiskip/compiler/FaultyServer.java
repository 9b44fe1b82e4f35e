/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.CompileResponse;
import io.hudiskip.thrift.CompilerInfo;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import io.hudiskip.thrift.HudiExpression;
import io.hudiskip.thrift.PredicateCompiler;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TMemoryInputTransport;

/** A server on the loopback interface that answers calls in whatever wrong way a test wants. */
final class FaultyServer implements AutoCloseable {
  /** What becomes of a call. */
  interface Behaviour {
    /**
     * Answers one call, or doesn't.
     *
     * @return whether the connection stays open
     */
    boolean answer(byte[] call, DataOutputStream out) throws Exception;
  }

  private final ServerSocket listener;
  private final List<Socket> sockets = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private volatile Behaviour behaviour;

  FaultyServer(Behaviour behaviour) throws IOException {
    this.behaviour = behaviour;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  private static void start(Runnable loop) {
    Thread thread = new Thread(loop, "faulty-server");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        sockets.add(socket);
        connections.incrementAndGet();
        start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (Socket connection = socket) {
      DataInputStream in = new DataInputStream(connection.getInputStream());
      DataOutputStream out = new DataOutputStream(connection.getOutputStream());
      while (true) {
        byte[] call = new byte[in.readInt()];
        in.readFully(call);
        calls.incrementAndGet();
        if (!behaviour.answer(call, out)) {
          return;
        }
      }
    } catch (Exception e) {
      // The client is done, or has gone away in the middle, which is what many tests are about.
      sockets.remove(socket);
    }
  }

  void become(Behaviour other) {
    behaviour = other;
  }

  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  int calls() {
    return calls.get();
  }

  int connections() {
    return connections.get();
  }

  /** Right answers: an expression that keeps every file. */
  static boolean keepAll(byte[] call, DataOutputStream out) throws Exception {
    send(out, answer(call, FaultyServer::keepAll));
    return true;
  }

  static CompileResponse keepAll(CompileRequest request) throws TException {
    return expression(request.getFingerprint());
  }

  static CompileResponse expression(byte[] fingerprint) throws TException {
    HudiExpression expression =
        new HudiExpression()
            .setFormatVersion(1)
            .setMinReaderVersion(1)
            .setFingerprint(fingerprint)
            .setNodes(
                Collections.singletonList(
                    new ExpressionNode()
                        .setOperator(ExpressionOperator.UNKNOWN.getValue())
                        .setArity(0)
                        .setReason("a test")));
    return new CompileResponse()
        .setExpression(new TSerializer(new TCompactProtocol.Factory()).serialize(expression))
        .setDescription("a test");
  }

  /** The service's logic. */
  interface Compile {
    CompileResponse compile(CompileRequest request) throws TException;
  }

  /** The bytes of an answer. */
  static byte[] answer(byte[] call, Compile logic) throws TException {
    TMemoryBuffer out = new TMemoryBuffer(1024);
    new PredicateCompiler.Processor<>(
            new PredicateCompiler.Iface() {
              @Override
              public CompileResponse compile(CompileRequest request) throws TException {
                return logic.compile(request);
              }

              @Override
              public CompilerInfo describe() {
                return new CompilerInfo();
              }
            })
        .process(new TCompactProtocol(new TMemoryInputTransport(call)), new TCompactProtocol(out));
    return Arrays.copyOf(out.getArray(), out.length());
  }

  static void send(DataOutputStream out, byte[] answer) throws IOException {
    out.writeInt(answer.length);
    out.write(answer);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : new ArrayList<>(sockets)) {
      socket.close();
    }
  }
}
