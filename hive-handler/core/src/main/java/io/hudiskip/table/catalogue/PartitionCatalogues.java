// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.catalogue;

import java.util.Collections;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The partition catalogues of the jars beside the handler's bundle, loaded on first use. */
public final class PartitionCatalogues {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionCatalogues.class);

  private PartitionCatalogues() {}

  private static final class Installed {
    static final Map<String, PartitionCatalogue> BY_NAME = Collections.unmodifiableMap(load());
  }

  private static Map<String, PartitionCatalogue> load() {
    Map<String, PartitionCatalogue> catalogues = new TreeMap<>();
    Iterator<PartitionCatalogue> found =
        ServiceLoader.load(PartitionCatalogue.class, PartitionCatalogue.class.getClassLoader())
            .iterator();
    while (true) {
      try {
        if (!found.hasNext()) {
          return catalogues;
        }
        PartitionCatalogue catalogue = found.next();
        String name = catalogue.name();
        boolean isLowerCase = name.equals(name.toLowerCase(Locale.ROOT));
        if (!isLowerCase || catalogues.putIfAbsent(name, catalogue) != null) {
          LOG.warn(
              "Ignoring the partition catalogue {}: its name {} is not lower-case, or is taken",
              catalogue.getClass(),
              name);
        }
      } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
        LOG.warn("Cannot load a partition catalogue; tables that use it are listed without it", e);
      }
    }
  }

  public static Set<String> names() {
    return Installed.BY_NAME.keySet();
  }

  /** Names of the settings of all installed catalogues. */
  public static Set<String> settings() {
    return Installed.BY_NAME.values().stream()
        .flatMap(catalogue -> catalogue.settings().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * The catalogue of a name.
   *
   * @throws CatalogueUnavailableException when no jar on the class path has it
   */
  public static PartitionCatalogue named(String name) throws CatalogueUnavailableException {
    PartitionCatalogue catalogue = Installed.BY_NAME.get(name);
    if (catalogue == null) {
      throw new CatalogueUnavailableException(
          "no jar on the class path provides the partition catalogue " + name);
    }
    return catalogue;
  }
}
