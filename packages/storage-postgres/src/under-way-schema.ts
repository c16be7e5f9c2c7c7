/** Batches and videos under way are counted by project, beginning with those that are there. */
export const underWaySchema = `
INSERT INTO project_usage (id, used, revision)
SELECT project_id, json_build_object(
  'batchesUnderWay', count(*) FILTER (WHERE kind = 'batch'),
  'videosUnderWay', count(*) FILTER (WHERE kind = 'video')
), 1
FROM operation WHERE kind IN ('batch', 'video') AND ended_at_ms IS NULL
GROUP BY project_id
ON CONFLICT (id) DO UPDATE SET used = (project_usage.used::jsonb || excluded.used::jsonb)::json,
  revision = project_usage.revision + 1;
`;
