"""A program that puts Tez into HDFS, whose URI is its argument, as an administrator does."""

import sys

from ..clusters.hadoop import upload_tez

if __name__ == "__main__":
    upload_tez(sys.argv[1])
