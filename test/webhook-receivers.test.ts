import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isGenuine } from '../docs/snippets/webhooks/verify.ts';
import { sign } from '../packages/signature/src/index.ts';

interface Vector {
  readonly clock: number;
  /** Null where it is left to the receiver. */
  readonly accept: boolean | null;
  readonly secret: string;
  readonly event_id: string;
  readonly timestamp: string;
  /** Null where the header is missing. */
  readonly signature: string | null;
  readonly body_base64: string;
}

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

const { verify } = JSON.parse(read('../packages/signature/test-data/signatures.json')) as {
  readonly verify: readonly Vector[];
};

interface Case {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now: number;
  readonly accept: boolean;
}

const fromVectors: readonly Case[] = verify.flatMap((vector): readonly Case[] =>
  vector.accept === null
    ? []
    : [
        {
          secret: vector.secret,
          headers: {
            'x-service-event-id': vector.event_id,
            'x-service-timestamp': vector.timestamp,
            ...(vector.signature === null ? {} : { 'x-service-signature': vector.signature }),
          },
          body: vector.body_base64,
          now: vector.clock,
          accept: vector.accept,
        },
      ],
);

const signedCase = (bytes: Buffer, secrets: readonly string[], accept: boolean): Case => {
  const parts = { eventId: 'event', timestamp: '1795147200', body: bytes };
  return {
    secret: 'first',
    headers: {
      'x-service-event-id': parts.eventId,
      'x-service-timestamp': parts.timestamp,
      'x-service-signature': secrets.map((secret) => sign(secret, parts)).join(','),
    },
    body: bytes.toString('base64'),
    now: 1_795_147_200,
    accept,
  };
};

/** Two signatures while a secret is being rotated, no headers, bodies that are no object, and a signature that is no ASCII. */
const more: readonly Case[] = [
  signedCase(Buffer.from('{"id":"event","note":"ação"}'), ['second', 'first'], true),
  signedCase(Buffer.from('{"id":"event"}'), ['second', 'third'], false),
  signedCase(Buffer.from('{"id":"another"}'), ['first'], false),
  signedCase(Buffer.from('["event"]'), ['first'], false),
  signedCase(Buffer.from('{"id":'), ['first'], false),
  signedCase(Buffer.from([0xff, 0xfe]), ['first'], false),
  { secret: 'first', headers: {}, body: '', now: 1_795_147_200, accept: false },
  // As many characters as a signature has, and more bytes.
  {
    secret: 'first',
    headers: {
      'x-service-event-id': 'event',
      'x-service-timestamp': '1795147200',
      'x-service-signature': `v1=${'é'.repeat(64)}`,
    },
    body: Buffer.from('{"id":"event"}').toString('base64'),
    now: 1_795_147_200,
    accept: false,
  },
];

const cases = [...fromVectors, ...more];
const verdicts = cases.map(({ accept }) => accept);

/** What a script says of each case, one line each. */
const ask = (command: string, script: string): readonly boolean[] => {
  const path = fileURLToPath(new URL(`../docs/snippets/webhooks/${script}`, import.meta.url));
  const input = cases.map((each) => `${JSON.stringify(each)}\n`).join('');
  const { stdout, stderr, status } = spawnSync(command, [path], { input, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line === 'True');
};

const isHere = (command: string, flag: string): boolean => spawnSync(command, [flag]).status === 0;

test('verifies deliveries in Node as the page for receivers says [webhooks:verify:constant-time] [webhooks:verify:id-match]', () => {
  const told = cases.map(({ secret, headers, body, now }) =>
    isGenuine(secret, headers, Buffer.from(body, 'base64'), now),
  );
  expect(told).toEqual(verdicts);
  expect(new Set(verdicts)).toEqual(new Set([true, false]));
});

test.skipIf(!isHere('python3', '--version'))('verifies deliveries in Python, where there is one', () => {
  expect(ask('python3', 'verify.py')).toEqual(verdicts);
});

test.skipIf(!isHere('perl', '-v'))('verifies deliveries in Perl, where there is one', () => {
  expect(ask('perl', 'verify.pl')).toEqual(verdicts);
});
