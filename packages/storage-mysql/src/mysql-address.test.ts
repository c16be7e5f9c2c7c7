import { isConfigurationError } from '@tollgate/contract/configuration';
import { describe, expect, test } from 'vitest';
import { addressAt, parseAddress, placeOf } from './mysql-address.ts';
import { mysqlStorage } from './mysql-storage.ts';

const ssl = (settings: object): string => encodeURIComponent(JSON.stringify(settings));

describe('parseAddress', () => {
  test('reads each part, decoded, and takes the port of MySQL where none is written', () => {
    expect(parseAddress('mysql://g%40w:p%23%2F@db.example:3307/gate%20way')).toEqual({
      host: 'db.example',
      port: 3_307,
      user: 'g@w',
      password: 'p#/',
      database: 'gate way',
      tls: null,
    });
    expect(parseAddress('mysql://root@[::1]/gateway')).toMatchObject({ host: '::1', port: 3_306, password: '' });
  });

  test('reads ssl as true, or as settings in JSON that it knows', () => {
    expect(parseAddress('mysql://u@h/d?ssl=true')?.tls).toEqual({});
    const settings = { ca: 'PEM', minVersion: 'TLSv1.3', verifyIdentity: true };
    expect(parseAddress(`mysql://u@h/d?ssl=${ssl(settings)}`)?.tls).toEqual(settings);
    for (const written of ['false', 'Amazon+RDS', '', '1', ssl({ rejectUnauthorised: false }), ssl({ ca: 1 }), 'null'])
      expect(parseAddress(`mysql://u@h/d?ssl=${written}`)).toBeNull();
  });
});

test('addressAt keeps user, password, database and encryption, and placeOf tells the host and the port alone', () => {
  const address = parseAddress('mysql://u:p@h:3307/d?ssl=true');
  if (address === null) throw new Error('it is an address');
  const other = addressAt(address, '[::1]:4000');
  expect(other).toEqual({ ...address, host: '::1', port: 4_000 });
  expect([placeOf(address), placeOf(other), placeOf(addressAt(address, 'db2'))]).toEqual([
    'h:3307',
    '[::1]:4000',
    'db2:3306',
  ]);
});

describe('mysqlStorage', () => {
  test.each([
    ['whose password has a #', 'mysql://gw:p#hush@localhost/gateway'],
    ['whose password begins with digits and a #, which parses as a port', 'mysql://gw:12#hush@localhost/gateway'],
    ['that ends with a #', 'mysql://gw:hush@localhost/gateway#'],
    ['whose password has a slash', 'mysql://gw:p/hush@localhost/gateway'],
    ['whose password is not encoded as it says', 'mysql://gw:hush%zz@localhost/gateway'],
    ['whose port is no number', 'mysql://gw:hush@localhost:port/gateway'],
    ['whose port is too large', 'mysql://gw:hush@localhost:99999/gateway'],
    ['without a host', 'mysql://gw:hush@/gateway'],
    ['without a database', 'mysql://gw:hush@localhost'],
    ['with an empty database', 'mysql://gw:hush@localhost:3306/'],
    ['with two databases', 'mysql://gw:hush@localhost:3306/a/b'],
    ['of PostgreSQL', 'postgres://gw:hush@localhost:5432/gateway'],
    ['with a parameter that the driver would ignore', 'mysql://gw:hush@localhost/gateway?ssl-mode=REQUIRED'],
    ['that is none', 'hush'],
  ])('refuses an address %s, and repeats nothing of it', async (_, connectionString) => {
    const error: unknown = await mysqlStorage({ connectionString }).catch((cause: unknown) => cause);
    if (!isConfigurationError(error)) throw new Error('no configuration error', { cause: error });
    expect(error.faults).toEqual([
      {
        place: 'connectionString',
        message: expect.stringContaining('accepted is mysql://user:password@host:3306/database, with special'),
      },
    ]);
    expect(error).not.toHaveProperty('cause');
    expect(`${error.message}${JSON.stringify(error)}${String(error.stack)}`).not.toMatch(/hush|gw:/u);
  });

  test('names the host and the port where no server listens, and neither the user nor the password', async () => {
    await expect(mysqlStorage({ connectionString: 'mysql://gw:hush@127.0.0.1:1/gateway' })).rejects.toMatchObject({
      code: 'connection_lost',
      message: 'no connection to MySQL at 127.0.0.1:1 could be opened (ECONNREFUSED)',
    });
  });
});
