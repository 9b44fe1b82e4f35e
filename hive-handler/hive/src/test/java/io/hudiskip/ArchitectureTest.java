// SPDX-License-Identifier: Apache-2.0
package io.hudiskip;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaAccess.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.table.HudiTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hudi.hadoop.HoodieCopyOnWriteTableInputFormat;
import org.apache.hudi.hadoop.HoodieParquetInputFormat;
import org.apache.hudi.hadoop.utils.HoodieHiveUtils;
import org.junit.jupiter.api.Test;

/** What holds for the code as a whole: packages without cycles and of a size that one can see. */
class ArchitectureTest {
  private static final String OURS = "io.hudiskip";
  private static final int MOST_FILES = 20;

  /** From the ground up. */
  private static final String[] WINGS = {
    "compile", "index", "table", "scan", "hive", "hbase", "callback"
  };

  private static final String[] FOR_ALL = {"io.hudiskip.hive.settings", "io.hudiskip.hive.metrics"};

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(OURS);

  @Test
  void packagesDependOnEachOtherWithoutACycle() {
    assertThat(CLASSES).hasSizeGreaterThan(100);
    slices().assignedFrom(new EachPackage()).should().beFreeOfCycles().check(CLASSES);
  }

  /** Settings and metrics, although known outside by the name of Hive's wing, are for all. */
  @Test
  void aWingDependsOnLowerWingsOnly() {
    for (int wing = 0; wing < WINGS.length - 1; wing++) {
      noClasses()
          .that(inWings(WINGS[wing]))
          .should()
          .dependOnClassesThat(inWings(Arrays.copyOfRange(WINGS, wing + 1, WINGS.length)))
          .check(CLASSES);
    }
  }

  @Test
  void noPackageHasTooManyFiles() throws IOException {
    for (String module : new String[] {"core", "hbase", "hive"}) {
      for (String sources : new String[] {"main", "test"}) {
        Path root = Paths.get("..", module, "src", sources, "java", "io", "hudiskip");
        Map<Path, Long> counts = filesByDirectory(root);
        assertThat(counts).as("packages of %s", root).isNotEmpty();
        counts.values().removeIf(count -> count <= MOST_FILES);
        assertThat(counts).as("packages of more than %d files", MOST_FILES).isEmpty();
      }
    }
  }

  @Test
  void theHandlerReachesAPartitionCatalogueThroughItsInterfaceAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.hudiskip.hbase")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.hudiskip.hbase", "org.apache.hadoop.hbase..")
        .check(CLASSES);
  }

  @Test
  void onlyTheDecodersOfTheCoreAndOnePackageOfTheHandlerKnowThrift() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "io.hudiskip.compile.wire", "io.hudiskip.compile.request", "io.hudiskip.thrift")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.hudiskip.thrift..", "org.apache.thrift..")
        .check(CLASSES);
  }

  /**
   * Hive's input format lists them: to remove one is to delete its folder and what names it there.
   */
  @Test
  void noOtherPartOfAScanKnowsASavingThatOnlyConcernsSplits() {
    String[] rooms = {"io.hudiskip.scan.savings.counts", "io.hudiskip.scan.savings.semijoin"};
    for (String room : rooms) {
      noClasses()
          .that()
          .resideInAPackage("io.hudiskip.scan..")
          .and()
          .resideOutsideOfPackage(room)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(room)
          .check(CLASSES);
    }
  }

  /** A filter, an expression and a table are read once for a scan: by what a scan is made of. */
  @Test
  void onlyTheScanDecodesItsFilterAndOpensItsTable() {
    noClasses()
        .that()
        .resideInAPackage("io.hudiskip..")
        .and()
        .doNotHaveSimpleName("ScanFilter")
        .should()
        .callMethod(SerializationUtilities.class, "deserializeExpression", String.class)
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("io.hudiskip..")
        .and()
        .doNotHaveSimpleName("CompiledFilter")
        .and()
        .doNotHaveSimpleName("CompileProtocol")
        .and()
        .doNotHaveSimpleName("PlanDecoder")
        .should()
        .callMethod(ExpressionDecoder.class, "decode", byte[].class)
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage("io.hudiskip.scan..", "io.hudiskip.hive.shadow")
        .and()
        .doNotHaveSimpleName("TableScan")
        .should()
        .callMethod(HudiTable.class, "open", Configuration.class, String.class)
        .check(CLASSES);
  }

  /** They use what Hive 4 no longer has: scripts/unreachable.txt. */
  @Test
  void noReadReachesHudisOwnReaders() {
    noClasses()
        .that()
        .resideInAPackage("io.hudiskip..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.apache.hudi.hadoop..")
                .and(not(resideInAPackage("org.apache.hudi.hadoop.fs..")))
                .and(
                    not(
                        belongToAnyOf(
                            HoodieParquetInputFormat.class,
                            HoodieCopyOnWriteTableInputFormat.class,
                            HoodieHiveUtils.class))))
        .check(CLASSES);
    noClasses()
        .that()
        .resideInAPackage("io.hudiskip..")
        .should()
        .callMethodWhere(
            target(nameMatching("getRecordReader"))
                .and(target(owner(resideInAPackage("org.apache.hudi..")))))
        .check(CLASSES);
    assertThat(CLASSES.get(HudiSkippingInputFormat.class).getMethods())
        .as("without its own, the input format would have Hudi's")
        .anyMatch(method -> method.getName().equals("getRecordReader"));
  }

  private static DescribedPredicate<JavaClass> inWings(String... wings) {
    return resideInAnyPackage(
            Arrays.stream(wings).map(wing -> OURS + '.' + wing + "..").toArray(String[]::new))
        .and(not(resideInAnyPackage(FOR_ALL)));
  }

  private static Map<Path, Long> filesByDirectory(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));
    }
  }

  /** The root package as well, which patterns of names leave out. */
  private static final class EachPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      return SliceIdentifier.of(type.getPackageName());
    }

    @Override
    public String getDescription() {
      return "every package";
    }
  }
}
