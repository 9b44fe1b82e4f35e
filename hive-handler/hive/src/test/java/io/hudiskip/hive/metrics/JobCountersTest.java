// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.CountingReporter;
import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.apache.tez.common.counters.Limits;
import org.apache.tez.dag.api.TezConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobCountersTest {
  private final JobConf job = new JobConf(false);

  @BeforeEach
  void runOnTez() {
    job.set("hive.execution.engine", "tez");
  }

  @AfterEach
  void forgetTheLimit() {
    Limits.reset();
    limitTez(TezConfiguration.TEZ_COUNTERS_MAX_DEFAULT);
    Limits.reset();
  }

  @Test
  void countIfTezHasRoom() {
    limitTez(JobCounters.ROOM);
    assertThat(JobCounters.mayCount(job)).isTrue();
    assertThat(counted(true)).isEqualTo(2);
  }

  /** Hive's default limit for Tez is 120. */
  @Test
  void doNotCountIfTheyMightFailTheJob() {
    limitTez(JobCounters.ROOM - 1);
    assertThat(JobCounters.mayCount(job)).isFalse();
    assertThat(counted(true)).as("in a task with such a limit").isZero();
  }

  @Test
  void doNotCountIfTheApplicationMasterHasNoRoom() {
    limitTez(10_000);
    assertThat(counted(false)).isZero();
  }

  @Test
  void doNotCountIfTheLimitOfTheApplicationMasterIsNotKnown() {
    limitTez(10_000);
    job.setBoolean("hive.compute.splits.in.am", false);
    assertThat(JobCounters.mayCount(job)).isFalse();
  }

  @Test
  void haveTheLimitOfMapReduceOnThatEngine() {
    limitTez(10_000);
    job.set("hive.execution.engine", "mr");
    assertThat(JobCounters.mayCount(job)).as("the default limit is 120").isFalse();
    job.setInt("mapreduce.job.counters.max", JobCounters.ROOM);
    assertThat(JobCounters.mayCount(job)).isTrue();
  }

  /** As in tasks of MapReduce: no other class of the handler needs Tez. */
  @Test
  void needNoTez() throws Exception {
    URL[] places =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(JobCountersTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader withoutTez =
        new URLClassLoader(places, ClassLoader.getSystemClassLoader().getParent()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("org.apache.tez.")) {
              throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
          }
        }) {
      Class<?> configuration = withoutTez.loadClass(JobConf.class.getName());
      Object job = configuration.getConstructor(boolean.class).newInstance(false);
      Method set = configuration.getMethod("set", String.class, String.class);
      Method mayCount =
          withoutTez.loadClass(JobCounters.class.getName()).getMethod("mayCount", configuration);
      for (String engine : Arrays.asList("mr", "tez")) {
        set.invoke(job, "hive.execution.engine", engine);
        assertThat(mayCount.invoke(null, job)).as(engine).isEqualTo(false);
      }
    }
  }

  private static URL url(String place) {
    try {
      return new File(place).toURI().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(place, e);
    }
  }

  private static void limitTez(int counters) {
    Configuration conf = new Configuration(false);
    conf.setInt("tez.counters.max", counters);
    Limits.setConfiguration(conf);
  }

  private long counted(boolean mayCount) {
    CountingReporter reporter = new CountingReporter();
    JobCounters.of(mayCount, job, reporter).add("scan.files", 2);
    return reporter.of("scan.files");
  }
}
