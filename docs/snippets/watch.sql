WITH clock AS (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms)
SELECT
  count(*) FILTER (WHERE state = 'uncertain') AS uncertain,
  coalesce(sum(hold_micros) FILTER (WHERE state = 'uncertain'), 0) AS uncertain_hold_micros,
  coalesce(max(now_ms - created_at_ms) FILTER (WHERE state = 'uncertain'), 0) AS oldest_uncertain_ms,
  -- Longer than a generation may take: something is stuck. What goes on in the background, or in a session, may take days.
  coalesce(max(now_ms - created_at_ms) FILTER (WHERE state <> 'uncertain'
    AND kind NOT IN ('batch', 'cache', 'document', 'interaction', 'live', 'video')), 0) AS oldest_running_ms,
  -- Far above zero: no process sweeps, or the sweeps do not keep up.
  greatest(0, (SELECT now_ms FROM clock) - (
    SELECT min(due_at_ms) FROM tollgate.operation WHERE id IN (
      (SELECT id FROM tollgate.operation_open ORDER BY due_at_ms LIMIT 100000)
      UNION ALL (SELECT id FROM tollgate.operation_kept ORDER BY due_at_ms LIMIT 1000)))) AS most_overdue_ms,
  (SELECT count(*) FROM tollgate.anomaly WHERE created_at_ms > (SELECT now_ms FROM clock) - 86400000
    AND code <> 'hold_exceeded') AS anomalies_of_a_day,
  -- Measures above what was reserved; the rows name the units.
  (SELECT count(*) FROM tollgate.anomaly WHERE created_at_ms > (SELECT now_ms FROM clock) - 86400000
    AND code = 'hold_exceeded') AS beyond_hold_of_a_day
FROM clock LEFT JOIN tollgate.operation ON ended_at_ms IS NULL AND id IN (SELECT id FROM tollgate.operation_open)
