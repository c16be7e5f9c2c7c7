// node back-up.ts /var/lib/gateway/gateway.db /backup/gateway.db
import { backUpSqlite } from './backup.ts';

const [path, into] = process.argv.slice(2);
if (path === undefined || into === undefined) throw new Error('usage: node back-up.ts DATABASE COPY');
// What is written from here on is for this user alone: the copy holds what customers sent.
process.umask(0o077);
await backUpSqlite(path, into);
