import type { Requirement } from '../requirement.ts';

export const documentsRequirements: readonly Requirement[] = [
  {
    id: 'documents:body:fields',
    area: 'documents',
    kind: 'spec',
    source: 'L253',
    rule: 'POST /documents takes store (uuid of a store) and file (uuid of an active file), both required.',
    observe: 'missing or non-uuid -> 422; both -> 200',
    status: 'verified',
  },
  {
    id: 'documents:body:file-active',
    area: 'documents',
    kind: 'decision',
    source: 'L253, F1',
    rule: 'Only an active file can be indexed: processing is 409, failed is 422, unknown, foreign, expired or deleted is 404.',
    observe: 'one call per state',
    status: 'verified',
  },
  {
    id: 'documents:body:store-known',
    area: 'documents',
    kind: 'spec',
    source: 'L253, L374',
    rule: 'A store that is unknown, deleted or of another project is 404.',
    observe: 'each -> 404',
    status: 'verified',
  },
  {
    id: 'documents:index:search-after-completion',
    area: 'documents',
    kind: 'spec',
    source: 'L253',
    rule: 'A document can be searched once its indexing is completed.',
    observe: 'completed document -> file_search over its store finds it',
    status: 'verified',
  },
  {
    id: 'documents:record:fields',
    area: 'documents',
    kind: 'decision',
    source: 'F4',
    rule: 'A document record shows store and file and, when done, result {chunk_count?, service}.',
    observe: 'schema assertion',
    status: 'verified',
  },
];
