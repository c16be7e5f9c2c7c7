import { expect, test } from 'vitest';
import { hostsMax, isSoundHostList, splitHosts } from './host-list.ts';

test('makes one address for each host of a list, with the same credentials, database and parameters', () => {
  expect(splitHosts('postgres://u:p%2C@a,b:6432,[::1]:5433/db?sslmode=require')).toEqual([
    'postgres://u:p%2C@a/db?sslmode=require',
    'postgres://u:p%2C@b:6432/db?sslmode=require',
    'postgres://u:p%2C@[::1]:5433/db?sslmode=require',
  ]);
  expect(splitHosts('postgresql://a:1,b:2')).toEqual(['postgresql://a:1', 'postgresql://b:2']);
});

test('leaves what names one host as it is', () => {
  for (const one of [
    'postgres://u:p,q@a/db',
    'postgres://u:p@/db',
    'postgres:///db?host=/tmp',
    'socket:/tmp?db=a',
    '/var/run/postgresql db',
    'postgres://u@/db?host=/tmp/a,b',
  ])
    expect([splitHosts(one), isSoundHostList(one)]).toEqual([[one], true]);
});

test('refuses a list without a name in each place, too long a one, and one that asks for a standby', () => {
  expect(isSoundHostList('postgres://a,b/db?target_session_attrs=read-write')).toBe(true);
  expect(isSoundHostList(`postgres://${Array.from({ length: hostsMax }, () => 'a').join(',')}/db`)).toBe(true);
  expect(isSoundHostList('postgres://a,b/db#part')).toBe(false);
  expect(isSoundHostList('postgres://a,/db')).toBe(false);
  expect(isSoundHostList('postgres://a,b:x/db')).toBe(false);
  expect(isSoundHostList('postgres://a,b/db?target_session_attrs=standby')).toBe(false);
  expect(isSoundHostList(`postgres://${Array.from({ length: hostsMax + 1 }, () => 'a').join(',')}/db`)).toBe(false);
});
