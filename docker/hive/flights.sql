CREATE EXTERNAL TABLE IF NOT EXISTS flights
STORED BY 'io.hudiskip.hive.HudiStorageHandler' LOCATION 's3a://lake/flights';
