import { describeGateway } from '@tollgate/testing/gateway';
import { onMariaDb } from '../on-mariadb.ts';
import { createMysqlData } from './mysql-data.ts';
import { openGateway } from './open-in-process.ts';

const data = createMysqlData();

describeGateway(onMariaDb('a gateway over mysqlStorage'), 'a gateway over mysqlStorage', (opening) =>
  openGateway(opening, { data }),
);
