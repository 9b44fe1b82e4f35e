# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. What is set up is remembered in build/stamps and made again when what it came from changes.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON := .venv/bin/python
# Test files side by side: most of a query's time is waiting. Each worker has a Spark and a HiveServer2 of its own.
# `loadfile` has a scheduler of ours behind it, which keeps some folders together: tests/conftest.py.
PYTEST := $(PYTHON) -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder --durations 20
STAMPS := build/stamps
MAVEN := scripts/maven.sh
IDL := hive-handler/src/main/thrift/hudi_skipping.thrift
ICEBERG_POM := hive-handler/runtime/iceberg/pom.xml
HBASE_POM := hive-handler/runtime/hbase/pom.xml
PLACES := examples/places/java
PLACES_SOURCES := $(shell find $(PLACES) -type f -not -path '*/target/*')
RUNTIME_POMS := $(filter-out $(ICEBERG_POM) $(HBASE_POM),$(wildcard hive-handler/runtime/*/pom.xml))
JAVA_SOURCES := $(shell find hive-handler/src/main hive-handler/src/gen -type f) pycompiler/table/known_properties.txt
JAVA_TEST_SOURCES := $(shell find hive-handler/src/test -type f)
JAVA_TEST_CLASSES := hive-handler/target/test.classpath
# Spark and Hive run on this one.
demo test test-python test-e2e conformance fuzz fuzz-slices fuzz-states soak bench: export JAVA_HOME = $(shell scripts/toolchain.sh jdk)

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

## Setting up ---------------------------------------------------------------------------------------------------------

.PHONY: setup
setup: $(STAMPS)/python $(STAMPS)/runtime build/hive/hive-handler-bundle.jar ## Python environment, dependencies, the handler's bundle

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

build/hive/hive-handler-bundle.jar: pom.xml hive-handler/pom.xml LICENSE NOTICE $(JAVA_SOURCES) $(PLACES_SOURCES)
	@echo "== the handler: its bundle for Hive, the callback for Hudi writers, and the example of a plug-in"
	@mkdir -p $(@D) build/spark
	@$(MAVEN) bundle package -pl hive-handler,$(PLACES) -Dmaven.test.skip=true
	@mkdir -p build/examples
	@cp $(PLACES)/target/hudi-skip-places.jar build/examples/hudi-skip-places.jar
	@cp hive-handler/target/hive-handler-*-callback.jar build/spark/hudi-skip-callback.jar
	@cp hive-handler/target/hive-handler-*-bundle.jar $@

.PHONY: hbase
hbase: setup $(STAMPS)/hbase ## HBase's client in build/hbase/client, for those who keep the catalogue of partitions there

$(STAMPS)/hbase: pom.xml $(HBASE_POM)
	@echo "== HBase: its client, and a server for tests"
	@mkdir -p $(STAMPS)
	@$(MAVEN) hbase generate-resources -pl $(dir $(HBASE_POM))
	@touch $@

$(STAMPS)/iceberg: pom.xml $(ICEBERG_POM)
	@echo "== Iceberg, to measure beside"
	@mkdir -p $(STAMPS)
	@rm -rf build/bench/lib
	@$(MAVEN) iceberg generate-resources -pl $(dir $(ICEBERG_POM))
	@touch $@

# What Python needs to ask the evaluator in the JVM.
$(JAVA_TEST_CLASSES): pom.xml hive-handler/pom.xml $(JAVA_SOURCES) $(JAVA_TEST_SOURCES) $(PLACES_SOURCES)
	@echo "== the handler's tests, compiled"
	@$(MAVEN) test-classes test-compile -pl hive-handler,$(PLACES)

## Daily work ---------------------------------------------------------------------------------------------------------

.PHONY: lint
lint: $(STAMPS)/python check-idl ## ruff, mypy --strict, imports between packages, google-java-format, Error Prone, and the IDL against its generated code
	@$(MAKE) --jobs 2 --output-sync=target lint-python lint-java

.PHONY: lint-python
lint-python:
	@echo "== ruff"
	@.venv/bin/ruff check
	@.venv/bin/ruff format --check
	@echo "== mypy --strict"
	@.venv/bin/mypy
	@echo "== imports between packages"
	@.venv/bin/lint-imports --no-cache

.PHONY: lint-java
lint-java:
	@echo "== google-java-format and Error Prone"
	@$(MAVEN) lint spotless:check clean test-compile -pl hive-handler,$(PLACES) -Dlint

.PHONY: format
format: $(STAMPS)/python ## format Python and Java, and fix what can be fixed
	@.venv/bin/ruff check --fix-only --quiet
	@.venv/bin/ruff format
	@$(MAVEN) format spotless:apply -pl hive-handler,$(PLACES)

.PHONY: test
test: setup $(STAMPS)/hbase test-java $(JAVA_TEST_CLASSES) ## everything: Java, Python, conformance in both languages, end to end
	@echo "== Python: unit, conformance, end to end"
	@$(PYTEST)

.PHONY: test-java
test-java: $(STAMPS)/python ## Java unit and conformance tests, with the real compiler service
	@echo "== Java: unit and conformance"
	@$(MAVEN) test verify -pl hive-handler,$(PLACES) -Dhudiskip.command="$(CURDIR)/.venv/bin/hudi-skip"

.PHONY: test-python
test-python: setup $(JAVA_TEST_CLASSES) ## Python unit and conformance tests
	@$(PYTEST) tests/unit tests/conformance tests/examples

.PHONY: test-e2e
test-e2e: setup $(STAMPS)/hbase ## end-to-end tests against a real HiveServer2, Spark and Hudi
	@$(PYTEST) tests/e2e

.PHONY: conformance
conformance: setup $(JAVA_TEST_CLASSES) ## VECTORS=DIR: other projects' vectors through both evaluators (FLAGS=-v lists what is missed)
	@[ -n "$(VECTORS)" ] || { echo "ERROR: which vectors? make conformance VECTORS=DIR" >&2; exit 1; }
	@echo "== vectors of $(VECTORS)"
	@$(PYTHON) -m tests.conformance.outside $(FLAGS) "$(VECTORS)"

.PHONY: fuzz
fuzz: setup ## 1,000,000 random predicates against Spark (FLAGS="--predicates N --seed N")
	@$(PYTHON) -m tests.properties $(FLAGS)

.PHONY: fuzz-slices
fuzz-slices: setup $(JAVA_TEST_CLASSES) ## 5,000 file slices with logs and 2,000 ranges of commits, of tables with random histories, against Spark (FLAGS="--slices N --ranges N --seed N")
	@$(PYTHON) -m tests.properties.slices $(FLAGS)

.PHONY: fuzz-states
fuzz-states: setup ## 1,000 random statements over several states of a table, against arithmetic (FLAGS="--statements N --seed N")
	@$(PYTHON) -m tests.properties.states $(FLAGS)

.PHONY: soak
soak: setup $(STAMPS)/hbase ## an hour of many sessions at once, with failures among them, each answer against Spark (FLAGS="--minutes N")
	@HUDI_SKIP_TURN=all $(PYTEST) -m "in_turn or e2e or spark"
	@$(PYTHON) -m tests.stress $(FLAGS)

.PHONY: demo
demo: setup ## flights, delays and TPC-H through Spark, Hudi and Hive, with and without skipping (FLAGS="--scale N")
	@$(PYTHON) -m pycompiler.demo $(FLAGS)

.PHONY: bench
bench: setup $(JAVA_TEST_CLASSES) $(STAMPS)/iceberg $(STAMPS)/hbase ## figures of this machine, as ratios in one run (FLAGS="NAME… --small"); build/bench/results.json
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
idl: ## generate the Java and Python code again from the IDL
	@rm -rf build/idl
	@$(call generate,build/idl)
	@rm -rf hive-handler/src/gen/java/io pycompiler/thrift_gen
	@cp -r build/idl/java/io hive-handler/src/gen/java/io
	@cp -r build/idl/python/pycompiler/thrift_gen pycompiler/thrift_gen

.PHONY: check-idl
check-idl: ## fail when generated code and IDL disagree
	@echo "== IDL and generated code"
	@if ! scripts/toolchain.sh thrift >/dev/null; then \
	  if [ -n "$${CI:-}" ]; then echo "ERROR: without the Thrift compiler the generated code cannot be checked" >&2; exit 1; fi; \
	  echo "WARNING: not checked, for want of the Thrift compiler; CI will check it" >&2; exit 0; \
	fi; \
	rm -rf build/idl; \
	$(call generate,build/idl); \
	diff -r build/idl/java/io hive-handler/src/gen/java/io >build/idl/difference \
	  && diff -r -x __pycache__ build/idl/python/pycompiler/thrift_gen pycompiler/thrift_gen >>build/idl/difference \
	  || { head -n 20 build/idl/difference >&2; \
	       echo "ERROR: the generated code does not belong to $(IDL); run: make idl" >&2; exit 1; }

.PHONY: clean
clean: ## remove everything that was built, and the Python environment
	rm -rf build .venv hive-handler/target $(PLACES)/target hive-handler/runtime/*/target *.egg-info .mypy_cache .ruff_cache .pytest_cache
