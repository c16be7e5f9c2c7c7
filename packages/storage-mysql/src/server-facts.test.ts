import { describe, expect, test } from 'vitest';
import { clocksApartMs, readServerFacts } from './server-facts.ts';

const safe = ['1', 'ON', '0', '0', '16777216', '10.11.19-MariaDB', '1764115200123'];
const cluster = '4edc0798-e93f-11f1-a75a-964942c7ff0a';
const nodeVariables = { wsrep_on: 'ON', wsrep_provider: '/usr/lib/galera/libgalera_smm.so', wsrep_OSU_method: 'TOI' };
const nodeStatus = {
  wsrep_ready: 'ON',
  wsrep_cluster_status: 'Primary',
  wsrep_local_state: '4',
  wsrep_local_state_comment: 'Synced',
  wsrep_cluster_state_uuid: cluster,
};

const read = (
  variables: Readonly<Record<string, string>> = {},
  status: Readonly<Record<string, string>> = {},
  server: readonly string[] = safe,
) => readServerFacts([[server], Object.entries(variables), Object.entries(status)]);

describe('readServerFacts', () => {
  test('takes a server for itself alone where it has no cluster, or one that is off', () => {
    expect(read()).toEqual({
      isMariaDb: true,
      packetBytesMax: 16_777_216,
      clusterId: null,
      clockMs: 1_764_115_200_123,
    });
    expect(read({ wsrep_on: 'OFF', wsrep_provider: 'none' }).clusterId).toBeNull();
    expect(read({ ...nodeVariables, wsrep_provider: 'none' }).clusterId).toBeNull();
    expect(read({}, {}, ['1', 'ON', '1', '1', '1', '8.4.2']).isMariaDb).toBe(false);
  });

  test('tells a node of a Galera cluster by what it says of itself', () => {
    expect(read(nodeVariables, nodeStatus).clusterId).toBe(cluster);
  });

  test.each([
    ['wsrep_ready', 'OFF'],
    ['wsrep_cluster_status', 'non-Primary'],
    ['wsrep_local_state', '2'],
  ])('takes a node for gone whose %s is %s', (name, value) => {
    expect(() => read(nodeVariables, { ...nodeStatus, [name]: value })).toThrow(
      expect.objectContaining({ code: 'connection_lost' }),
    );
  });

  test('refuses a node that would change the schema for itself alone', () => {
    expect(() => read({ ...nodeVariables, wsrep_OSU_method: 'RSU' }, nodeStatus)).toThrow(
      expect.objectContaining({
        code: 'unsafe_database',
        fault: 'wsrep_OSU_method',
        message: expect.stringContaining('wsrep_OSU_method is RSU'),
      }),
    );
  });

  test('refuses a server that shares its writes with others by Group Replication', () => {
    const group = { group_replication_group_name: 'a', group_replication_single_primary_mode: 'OFF' };
    expect(() => read(group)).toThrow(
      expect.objectContaining({ code: 'unsafe_database', message: expect.stringContaining('Group Replication') }),
    );
    expect(read({ ...group, group_replication_single_primary_mode: 'ON' }).clusterId).toBeNull();
    expect(read({ ...group, group_replication_group_name: '' }).clusterId).toBeNull();
  });

  test.each([
    [['2', 'ON', '0', '0'], 'innodb_flush_log_at_trx_commit', 'is 2. SET GLOBAL innodb_flush_log_at_trx_commit = 1,'],
    [['1', 'OFF', '0', '0'], 'innodb_doublewrite', 'is off. Set innodb_doublewrite = ON'],
    [['1', 'ON', '1', '0'], 'sync_binlog', 'is 0. SET GLOBAL sync_binlog = 1,'],
  ])('refuses a server that loses acknowledged steps, and says what to do: %j', (server, fault, message) => {
    expect(() => read({}, {}, [...server, '1', 'MariaDB'])).toThrow(
      expect.objectContaining({
        name: 'UnsafeServerError',
        code: 'unsafe_database',
        fault,
        message: expect.stringContaining(`${fault} ${message}`),
      }),
    );
  });
});

describe('clocksApartMs', () => {
  test('is no more than what the times of the answers prove', () => {
    expect(clocksApartMs([{ fromMs: 0, toMs: 90 }])).toBe(0);
    expect(
      clocksApartMs([
        { fromMs: 0, toMs: 90 },
        { fromMs: 80, toMs: 2_000 },
      ]),
    ).toBe(0);
    expect(
      clocksApartMs([
        { fromMs: 3_000, toMs: 3_010 },
        { fromMs: 0, toMs: 90 },
        { fromMs: 50, toMs: 60 },
      ]),
    ).toBe(2_940);
  });
});
