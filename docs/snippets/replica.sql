-- On the primary, which needs wal_level = logical: what usage, statements and the lists of accounts, projects and keys read.
-- Without setting and context rows, which hold sealed secrets, and without operations, which hold most of the data.
CREATE PUBLICATION tollgate_reports FOR TABLE
  tollgate.account, tollgate.wallet, tollgate.project, tollgate.api_key, tollgate.tariff,
  tollgate.entry, tollgate.deposit, tollgate.usage_line, tollgate.usage_hour, tollgate.usage_day;
