// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import io.hudiskip.compile.request.TestCalls;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

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
      // The client is done, or has disconnected midway, which many tests provoke.
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

  /** Answers by this logic. */
  static Behaviour answering(TestCalls.Compile logic) {
    return (call, out) -> sending(TestCalls.answer(call, logic)).answer(call, out);
  }

  /** Right answers: an expression that keeps every file. */
  static Behaviour keepingAll() {
    return answering(TestCalls::keepAll);
  }

  /** Answers with these bytes. */
  static Behaviour sending(byte[] answer) {
    return (call, out) -> {
      out.writeInt(answer.length);
      out.write(answer);
      out.flush();
      return true;
    };
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : new ArrayList<>(sockets)) {
      socket.close();
    }
  }
}
