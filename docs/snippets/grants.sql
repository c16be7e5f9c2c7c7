-- Run by the role that owns the two schemas. Tables of later migrations are covered too.
GRANT USAGE ON SCHEMA tollgate, tollgate_limits TO gateway;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA tollgate, tollgate_limits TO gateway;
ALTER DEFAULT PRIVILEGES IN SCHEMA tollgate, tollgate_limits
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO gateway;
