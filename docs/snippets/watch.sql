WITH clock AS (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms)
SELECT
  count(*) FILTER (WHERE state = 'uncertain') AS uncertain,
  coalesce(sum(hold_micros) FILTER (WHERE state = 'uncertain'), 0) AS uncertain_hold_micros,
  coalesce(max(now_ms - created_at_ms) FILTER (WHERE state = 'uncertain'), 0) AS oldest_uncertain_ms,
  -- Longer than a generation may take: something is stuck.
  coalesce(max(now_ms - created_at_ms) FILTER (WHERE state <> 'uncertain'), 0) AS oldest_running_ms,
  -- Far above zero: nobody sweeps, or the sweeps do not keep up.
  (SELECT coalesce((SELECT now_ms FROM clock) - min(due_at_ms), 0) FROM tollgate.operation) AS most_overdue_ms,
  (SELECT count(*) FROM tollgate.anomaly WHERE created_at_ms > (SELECT now_ms FROM clock) - 86400000) AS anomalies_of_a_day
FROM clock LEFT JOIN tollgate.operation ON ended_at_ms IS NULL
