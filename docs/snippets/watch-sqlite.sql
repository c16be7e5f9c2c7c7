WITH clock AS (SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now_ms)
SELECT
  count(*) FILTER (WHERE state = 'uncertain') AS uncertain,
  coalesce(sum(hold_micros) FILTER (WHERE state = 'uncertain'), 0) AS uncertain_hold_micros,
  coalesce(max(now_ms - created_at_ms) FILTER (WHERE state = 'uncertain'), 0) AS oldest_uncertain_ms,
  coalesce(max(now_ms - created_at_ms) FILTER (WHERE state <> 'uncertain'
    AND kind NOT IN ('batch', 'cache', 'document', 'interaction', 'live', 'video')), 0) AS oldest_running_ms,
  coalesce(max(0, (SELECT now_ms FROM clock) - (
    SELECT min(due_at_ms) FROM operation WHERE due_at_ms IS NOT NULL)), 0) AS most_overdue_ms,
  (SELECT count(*) FROM anomaly WHERE created_at_ms > (SELECT now_ms FROM clock) - 86400000
    AND code <> 'hold_exceeded') AS anomalies_of_a_day,
  (SELECT count(*) FROM anomaly WHERE created_at_ms > (SELECT now_ms FROM clock) - 86400000
    AND code = 'hold_exceeded') AS beyond_hold_of_a_day
FROM clock LEFT JOIN operation ON ended_at_ms IS NULL
