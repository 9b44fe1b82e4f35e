{{ config(materialized='table', file_format='parquet') }}

SELECT origin, count(*) AS late
FROM {{ ref('late_flights') }}
WHERE flights_date = DATE '2013-07-04'
GROUP BY origin
