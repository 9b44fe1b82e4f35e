// SPDX-License-Identifier: Apache-2.0

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.codehaus.mojo.animal_sniffer.SignatureBuilder;
import org.codehaus.mojo.animal_sniffer.SignatureChecker;
import org.codehaus.mojo.animal_sniffer.logging.Logger;

/**
 * Checks that each class, method and field that a bundle uses is in the bundle, in Java 8 or on the class path of each
 * release of Hive.
 *
 * <p>Arguments: the signature of Java 8, the bundle, a file of {@link Unreachable} entries, and for each release a file with
 * its class path.
 */
final class CheckLinkage {
  private static final String UNDEFINED = ": Undefined reference: ";

  /** Classes of the bundle that may use what is missing, since no query loads them: by prefix of the user and part of the used. */
  private record Unreachable(String user, String used) {
    static List<Unreachable> read(Path file) throws IOException {
      List<Unreachable> entries = new ArrayList<>();
      for (String line : Files.readAllLines(file)) {
        String entry = line.replaceFirst("#.*", "").strip();
        if (!entry.isEmpty()) {
          String[] words = entry.split(" +");
          entries.add(new Unreachable(words[0], words[1]));
        }
      }
      return entries;
    }

    boolean covers(Reference reference) {
      return reference.user().startsWith(user) && reference.used().contains(used);
    }
  }

  private record Reference(String user, String used) implements Comparable<Reference> {
    @Override
    public int compareTo(Reference other) {
      return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
      return user + " uses " + used;
    }
  }

  /** Animal Sniffer reports each missing reference as an error. */
  private static final class Errors implements Logger {
    private final TreeSet<Reference> references = new TreeSet<>();

    @Override
    public void error(String message) {
      int at = message.indexOf(UNDEFINED);
      if (at < 0) {
        if (message.startsWith("Undefined reference")) throw new IllegalStateException("unknown report: " + message);
        return;
      }
      // The path of the class file, then a line or a field: "bundle.jar:io/hudiskip/Name.class:12", "…: Field name".
      String user =
          message.substring(0, at).replaceFirst("[.]class\\b.*|: Field .*|:\\d+$", "").replaceFirst(".*[!:]/?", "");
      references.add(new Reference(user.replace('/', '.'), message.substring(at + UNDEFINED.length())));
    }

    @Override
    public void error(String message, Throwable cause) {
      throw new IllegalStateException(message, cause);
    }

    @Override
    public void info(String message) {}

    @Override
    public void info(String message, Throwable cause) {}

    @Override
    public void debug(String message) {}

    @Override
    public void debug(String message, Throwable cause) {}

    @Override
    public void warn(String message) {}

    @Override
    public void warn(String message, Throwable cause) {}
  }

  /** Java 8, then a class path: of two classes with one name the first counts. */
  private static final class ClassPath extends SignatureBuilder {
    private final Set<String> names;

    ClassPath(String java, OutputStream signature) throws IOException {
      super(new InputStream[] {new FileInputStream(java)}, signature, new Errors());
      names = new HashSet<>(SignatureChecker.loadClasses(new FileInputStream(java)).keySet());
    }

    @Override
    protected void process(String name, InputStream content) throws IOException {
      String path = name.replaceFirst(".*[!:]/?", "").replaceFirst("[.]class$", "");
      // Java 8 does not read the classes that a jar has for newer versions.
      if (!path.startsWith("META-INF/") && names.add(path)) {
        super.process(name, content);
      }
    }
  }

  private static byte[] signature(String java, String bundle, String classPath) throws IOException {
    ByteArrayOutputStream signature = new ByteArrayOutputStream();
    ClassPath builder = new ClassPath(java, signature);
    for (String entry : (bundle + ":" + classPath).split(":")) {
      builder.process(new File(entry));
    }
    builder.close();
    return signature.toByteArray();
  }

  public static void main(String[] arguments) throws IOException {
    String bundle = arguments[1];
    List<Unreachable> unneeded = Unreachable.read(Path.of(arguments[2]));
    List<Unreachable> unreachable = List.copyOf(unneeded);
    TreeMap<Reference, TreeSet<String>> missing = new TreeMap<>();
    for (int i = 3; i < arguments.length; i++) {
      Path file = Path.of(arguments[i]);
      Errors errors = new Errors();
      byte[] signature = signature(arguments[0], bundle, Files.readString(file).strip());
      SignatureChecker checker =
          new SignatureChecker(new ByteArrayInputStream(signature), Collections.emptySet(), errors);
      checker.setSourcePath(Collections.emptyList());
      checker.process(new File(bundle));
      for (Reference reference : errors.references) {
        unneeded.removeIf(entry -> entry.covers(reference));
        if (unreachable.stream().noneMatch(entry -> entry.covers(reference))) {
          missing.computeIfAbsent(reference, r -> new TreeSet<>()).add(file.getFileName().toString());
        }
      }
    }
    missing.forEach((reference, files) -> System.err.println("ERROR: " + reference + ", missing in " + files));
    unneeded.forEach(entry -> System.err.println("ERROR: " + arguments[2] + ": nothing is missing any more for " + entry));
    System.exit(missing.isEmpty() && unneeded.isEmpty() ? 0 : 1);
  }
}
