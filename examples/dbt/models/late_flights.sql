{{ config(materialized='view') }}

SELECT origin, dest, flights_date, dep_delay
FROM {{ source('lake', 'flights') }}
WHERE dep_delay > 60
