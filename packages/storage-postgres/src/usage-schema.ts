/** What each project keeps is counted, beginning with what is there. */
export const usageSchema = `
ALTER TABLE file ADD COLUMN kept_bytes bigint;
UPDATE file SET kept_bytes = size_bytes WHERE status IN ('processing', 'active');
CREATE INDEX file_kept ON file (project_id, created_at_ms, id) WHERE kept_bytes IS NOT NULL;

ALTER TABLE resource ADD COLUMN kept_bytes bigint;
UPDATE resource SET kept_bytes = octet_length(public_fields::text) + coalesce(octet_length(work::text), 0)
  + coalesce((SELECT tree.size_bytes FROM environment_tree AS tree WHERE tree.id = resource.id), 0)
  WHERE kind IN ('environment', 'agent', 'store', 'document') AND availability NOT IN ('expired', 'deleted');
CREATE INDEX resource_kept ON resource (project_id, created_at_ms, id) WHERE kept_bytes IS NOT NULL;

ALTER TABLE trigger ADD COLUMN kept_bytes bigint;
UPDATE trigger SET kept_bytes = octet_length(interaction::text) WHERE status <> 'disabled';
CREATE INDEX trigger_kept ON trigger (project_id, created_at_ms, id) WHERE kept_bytes IS NOT NULL;

CREATE TABLE project_usage (
  id text COLLATE "C" PRIMARY KEY,
  used json NOT NULL,
  overrides json,
  revision bigint NOT NULL
);
INSERT INTO project_usage (id, used, revision)
SELECT project_id, json_build_object(
  'keptBytes', sum(bytes),
  'files', count(*) FILTER (WHERE quota = 'files'),
  'environments', count(*) FILTER (WHERE quota = 'environments'),
  'agents', count(*) FILTER (WHERE quota = 'agents'),
  'stores', count(*) FILTER (WHERE quota = 'stores'),
  'documents', count(*) FILTER (WHERE quota = 'documents'),
  'triggers', count(*) FILTER (WHERE quota = 'triggers'),
  'webhooks', count(*) FILTER (WHERE quota = 'webhooks')
), 1
FROM (
  SELECT project_id, 'files' AS quota, kept_bytes AS bytes FROM file WHERE kept_bytes IS NOT NULL
  UNION ALL SELECT project_id, kind || 's', kept_bytes FROM resource WHERE kept_bytes IS NOT NULL
  UNION ALL SELECT project_id, 'triggers', kept_bytes FROM trigger WHERE kept_bytes IS NOT NULL
  UNION ALL SELECT project_id, 'webhooks', 0 FROM webhook WHERE status <> 'disabled'
) AS kept
GROUP BY project_id;
`;
