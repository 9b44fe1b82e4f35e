"""Fifty conditions on the flights out of New York in 2013, as analysts, airports and airlines might ask."""

from typing import Final

CONDITIONS: Final = (
    # A day, or some days.
    "flights_date = DATE '2013-02-14'",
    "flights_date = DATE '2013-07-04'",
    "flights_date = DATE '2013-11-28'",
    "flights_date IN (DATE '2013-02-08', DATE '2013-02-09', DATE '2013-09-12')",
    "flights_date BETWEEN DATE '2013-03-01' AND DATE '2013-03-07'",
    "flights_date BETWEEN DATE '2013-10-10' AND DATE '2013-10-12'",
    "flights_date >= DATE '2013-12-20'",
    "year(flights_date) = 2013 AND month(flights_date) = 7",
    "CAST(flights_date AS STRING) LIKE '2013-05-1%'",
    # An hour, or some.
    "time_hour = TIMESTAMP '2013-03-08 11:00:00'",
    "time_hour >= TIMESTAMP '2013-06-24 12:00:00' AND time_hour < TIMESTAMP '2013-06-25 00:00:00'",
    "date_format(time_hour, 'yyyy-MM') = '2013-08'",
    # Where to.
    "dest = 'ORD'",
    "dest = 'ANC'",
    "dest = 'HNL'",
    "dest = 'BQN'",
    "dest = 'SEA'",
    "dest IN ('SFO', 'SJC', 'OAK')",
    "dest IN ('PDX', 'SEA')",
    "dest LIKE 'SA%'",
    "lower(dest) = 'den'",
    "distance > 2600",
    "distance BETWEEN 1000 AND 1020",
    "distance < 100",
    # By whom.
    "carrier = 'HA'",
    "carrier = 'AS'",
    "carrier = 'WN'",
    "carrier IN ('F9', 'FL', 'YV')",
    "carrier LIKE 'V%'",
    "flight = 15",
    "flight IN (1, 27, 181)",
    "flight BETWEEN 5700 AND 5720",
    # One aircraft, or a fleet.
    "tailnum = 'N725MQ'",
    "tailnum = 'N328AA'",
    "tailnum = 'N258JB'",
    "tailnum IN ('N544UW', 'N546UW', 'N471AA', 'N439AA')",
    "tailnum LIKE 'N77%'",
    "substr(tailnum, 1, 3) = 'N53'",
    "tailnum IS NULL",
    # When they were late.
    "dep_delay > 300",
    "dep_delay >= 120 AND dep_delay < 125",
    "dep_delay IS NULL",
    # Two columns.
    "dest = 'LAX' AND flights_date BETWEEN DATE '2013-08-01' AND DATE '2013-08-31'",
    "dest = 'BOS' AND flights_date >= DATE '2013-04-15' AND flights_date < DATE '2013-04-18'",
    "carrier = 'DL' AND flights_date = DATE '2013-01-31'",
    "carrier = 'UA' AND dest IN ('IAH', 'DEN')",
    "origin = 'JFK' AND dest = 'MIA'",
    "origin = 'LGA' AND carrier = 'US'",
    "tailnum = 'N711MQ' AND flights_date < DATE '2013-03-01'",
    "dest = 'ATL' OR flights_date = DATE '2013-05-23'",
)
