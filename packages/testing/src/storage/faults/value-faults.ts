import type { PlainParts, Row } from './plain-parts.ts';
import type { StorageFault } from './storage-fault.ts';
import { tableColumns, type ColumnKind, type Key, type TableName } from '@tollgate/storage';

const everyValue = 'keeps every value of a record exactly: ';

/** Keeps rows with their values changed. */
const changing =
  (change: (value: unknown, kind: ColumnKind) => unknown) =>
  (parts: PlainParts): Partial<PlainParts> => ({
    keep: (table: TableName, record: Row): Row => {
      const kept = parts.keep(table, record);
      for (const [name, kind] of Object.entries<ColumnKind>(tableColumns[table]))
        if (name !== 'id') Reflect.set(kept, name, change(Reflect.get(kept, name), kind));
      return kept;
    },
  });

const throughUtf8 = (text: string): string => Buffer.from(text).toString();

const keysThroughUtf8 = (keys: readonly Key[]): readonly Key[] =>
  keys.map((key) => ({ ...key, id: throughUtf8(key.id) }));

const isJson = (kind: ColumnKind): boolean => kind === 'json' || kind === 'json?';

/** The JSON with each text and each key changed. */
const changedJson = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => changedJson(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), changedJson(item, change)]));
};

/** The JSON with its keys in the order of their characters. */
const sortedJson = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedJson);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, item]) => [key, sortedJson(item)]));
};

const nonNull = (record: Row): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

export const valueFaults: readonly StorageFault[] = [
  {
    name: 'rounds amounts through floating point',
    failing: [
      `${everyValue}operation`,
      `${everyValue}entry`,
      `${everyValue}deposit`,
      `${everyValue}balanceAlert`,
      `${everyValue}debt`,
      'keeps both ends of the amounts',
    ],
    fault: changing((value) => (typeof value === 'bigint' ? BigInt(Math.fround(Number(value))) : value)),
  },
  {
    name: 'keeps integers in 32 bits',
    failing: [
      `${everyValue}account`,
      `${everyValue}wallet`,
      `${everyValue}project`,
      `${everyValue}apiKey`,
      `${everyValue}answer`,
      `${everyValue}identity`,
      `${everyValue}tariff`,
      `${everyValue}undelivered`,
      `${everyValue}toolContext`,
      `${everyValue}file`,
      `${everyValue}pendingBlob`,
      `${everyValue}resource`,
      `${everyValue}batchItem`,
      `${everyValue}webhook`,
      `${everyValue}outbox`,
      `${everyValue}delivery`,
      `${everyValue}trigger`,
      `${everyValue}occurrence`,
      `${everyValue}liveSession`,
      `${everyValue}environmentTree`,
      `${everyValue}usageLine`,
      `${everyValue}usageHour`,
      `${everyValue}usageDay`,
      `${everyValue}hostEvent`,
      `${everyValue}payment`,
      `${everyValue}paymentOrder`,
      `${everyValue}spend`,
      `${everyValue}browserToken`,
      `${everyValue}topUp`,
      `${everyValue}moveLog`,
    ],
    fault: changing((value) => (typeof value === 'number' ? value | 0 : value)),
  },
  {
    name: 'takes an empty text for none',
    failing: [`${everyValue}setting`],
    fault: changing((value) => (value === '' ? null : value)),
  },
  {
    name: 'cuts text at 65,535 characters',
    failing: ['keeps the longest text'],
    fault: changing((value) => (typeof value === 'string' ? value.slice(0, 65_535) : value)),
  },
  {
    name: 'sends the steps that come at once in a packet that is too long',
    failing: ['keeps the longest texts of several steps'],
    fault: (parts) => {
      let sentBytes = 0;
      return {
        commit: (writes) => {
          sentBytes += JSON.stringify(writes, (_, value: unknown) => (typeof value === 'bigint' ? 0 : value)).length;
          setImmediate(() => (sentBytes = 0));
          if (sentBytes > 16_777_216) throw new Error('the packet is too long');
          parts.commit(writes);
        },
      };
    },
  },
  {
    name: 'cuts text at 20 characters',
    failing: [everyValue.concat('setting'), everyValue.concat('apiKey')],
    fault: changing((value) => (typeof value === 'string' ? value.slice(0, 20) : value)),
  },
  {
    name: 'composes accents',
    failing: [`${everyValue}apiKey`],
    fault: changing((value) => (typeof value === 'string' ? value.normalize('NFC') : value)),
  },
  {
    name: 'keeps JSON numbers in single precision',
    failing: [`${everyValue}subscriptions`, `${everyValue}anomaly`],
    fault: changing((value, kind) =>
      isJson(kind)
        ? (JSON.parse(
            JSON.stringify(value, (_, member: unknown) => (typeof member === 'number' ? Math.fround(member) : member)),
          ) as unknown)
        : value,
    ),
  },
  {
    name: 'keeps the old value where a new one is null',
    failing: ['keeps what a later step puts in place of a record, nulls included'],
    fault: (parts) => ({
      keep: (table, record) => ({ ...parts.keep(table, record), ...parts.find(table, record.id), ...nonNull(record) }),
    }),
  },
  {
    name: 'takes any value',
    failing: ['refuses amounts beyond their range'],
    fault: () => ({ keep: (_, record) => structuredClone(record) }),
  },
  {
    name: 'replaces half a surrogate pair by another character',
    failing: ['gives odd text back as it was or refuses it'],
    fault: () => ({
      keep: (_, record) => {
        const kept = structuredClone(record);
        for (const [name, value] of Object.entries(kept))
          if (typeof value === 'string') Reflect.set(kept, name, throughUtf8(value));
        return kept;
      },
    }),
  },
  {
    name: 'ends text at a NUL',
    failing: ['gives odd text back as it was or refuses it'],
    fault: changing((value) => (typeof value === 'string' ? value.split('\u0000', 1)[0] : value)),
  },
  {
    name: 'looks up ids by their UTF-8 bytes',
    failing: ['does not take one odd id for another'],
    fault: (parts) => {
      return {
        checkKeys: () => undefined,
        view: (keys, load) => {
          const records = parts.view(keysThroughUtf8(keys), load);
          return { get: (table, id) => records.get(table, throughUtf8(id)) };
        },
      };
    },
  },
  {
    name: 'replaces half a surrogate pair inside JSON',
    failing: ['gives odd text in any column of any table back'],
    fault: changing((value, kind) => (isJson(kind) ? changedJson(value, throughUtf8) : value)),
  },
  {
    name: 'ends a text inside JSON at a NUL',
    failing: ['gives odd text in any column of any table back'],
    fault: changing((value, kind) =>
      isJson(kind) ? changedJson(value, (text) => text.split('\u0000', 1)[0] ?? '') : value,
    ),
  },
  {
    name: 'sorts the keys of JSON',
    failing: ['keeps the order of the keys of JSON'],
    fault: changing((value, kind) => (isJson(kind) ? sortedJson(value) : value)),
  },
];
