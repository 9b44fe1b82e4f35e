"""The PySpark side: building the statistics index where the data is written."""
