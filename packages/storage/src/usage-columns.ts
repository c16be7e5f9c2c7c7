const amounts = { requests: 'integer', chargedMicros: 'amount', correctedMicros: 'amount', units: 'json' } as const;

const source = { accountId: 'text', projectId: 'text', keyId: 'text', model: 'text', provider: 'text' } as const;

/** The fields of the tables of usage, in the terms of `tableColumns`. */
export const usageColumns = {
  usageLine: { id: 'text', ...source, ...amounts, createdAtMs: 'integer' },
  usageHour: { id: 'text', ...source, ...amounts, startMs: 'integer' },
  usageDay: { id: 'text', accountId: 'text', model: 'text', ...amounts, startMs: 'integer' },
} as const;
