import { expect, test } from 'vitest';
import { RequestRecord } from './request-record.ts';

const record = {
  id: '0190a5b2-7c7e-7c3a-9d0e-3a1f5b6c7d8e',
  status: 'completed',
  charged_credits: 1.5,
  reserved_credits: 0,
  response: { object: 'chat.completion' },
  error_code: null,
  created_at: '2026-11-20T06:49:00.000Z',
};

test('holds the fields of an operation [requests:get:record]', () => {
  expect(RequestRecord.parse(record)).toEqual(record);
  for (const field of Object.keys(record)) {
    const { [field]: _, ...rest } = record as Record<string, unknown>;
    expect(RequestRecord.safeParse(rest).success, field).toBe(false);
  }
});

test.each(['settling', 'cancelling', 'active', 'requires_action'])(
  'does not show the status %s [requests:record:states]',
  (status) => {
    expect(RequestRecord.safeParse({ ...record, status }).success).toBe(false);
  },
);
