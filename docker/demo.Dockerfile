# SPDX-License-Identifier: Apache-2.0
# A clean machine that sets the project up and runs the demo: docker build -f docker/demo.Dockerfile -t hudi-skip . && docker run --rm hudi-skip
FROM debian:bookworm-slim

# The same packages that scripts/toolchain.sh asks apt-get for, and make itself; Spark's scripts use ps.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      ca-certificates make maven openjdk-17-jdk-headless procps python3 python3-venv thrift-compiler \
 && rm -rf /var/lib/apt/lists/*

RUN useradd --create-home hudi
USER hudi
WORKDIR /home/hudi/hudi-skip
COPY --chown=hudi . .

# Downloads and builds everything once, so that a container starts with the demo itself.
RUN make setup

CMD ["make", "demo"]
