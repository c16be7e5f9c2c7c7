import type { Requirement } from '../requirement.ts';

export const storesRequirements: readonly Requirement[] = [
  {
    id: 'stores:body:display-name',
    area: 'stores',
    kind: 'spec',
    source: 'L251',
    rule: 'POST /stores takes display_name (string).',
    observe: '-> 200; number -> 422',
    status: 'verified',
  },
  {
    id: 'stores:delete:in-use',
    area: 'stores',
    kind: 'decision',
    source: 'F6, L265',
    rule: 'Deleting a store while one of its documents is processing or an interaction uses it is 409.',
    observe: 'both cases -> 409',
    status: 'verified',
  },
  {
    id: 'stores:record:document-count',
    area: 'stores',
    kind: 'decision',
    source: 'F4',
    rule: 'A store record shows document_count and its result is null.',
    observe: 'count rises with each document',
    status: 'verified',
  },
];
