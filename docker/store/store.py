# SPDX-License-Identifier: Apache-2.0
"""Moto's server of S3's protocol, with a bucket `lake`. It keeps objects in memory."""

import os
import sys
import threading

import boto3
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server


def main() -> None:
    """Serves on the given port, at BIND_ADDRESS."""
    port = int(sys.argv[1])
    # One request after the other: so a put-if-absent is one step, as it is in S3.
    application = DomainDispatcherApplication(create_backend_app)
    server = make_server(os.environ["BIND_ADDRESS"], port, application, threaded=False)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    boto3.client("s3", endpoint_url=f"http://127.0.0.1:{port}").create_bucket(Bucket="lake")
    serving.join()


if __name__ == "__main__":
    main()
