import type { Requirement } from '../requirement.ts';

export const agentsRequirements: readonly Requirement[] = [
  {
    id: 'agents:body:fields',
    area: 'agents',
    kind: 'spec',
    source: 'L259, L377',
    rule: 'POST /agents takes display_name (string), system_instruction (string) and tools (array of typed tool objects such as {type:"code_execution"} or {type:"web_search"}); an unknown tool type is 422.',
    observe: 'valid body -> 200 record; tools as object or {type:"nope"} -> 422',
    status: 'verified',
  },
  {
    id: 'agents:model:key-model',
    area: 'agents',
    kind: 'spec',
    source: 'L259',
    rule: 'An agent is created for the model of the calling key; the body does not choose one.',
    observe: 'agent made with key of model A reports/uses model A',
    status: 'verified',
  },
  {
    id: 'agents:record:echo',
    area: 'agents',
    kind: 'decision',
    source: 'F4',
    rule: 'The agent record repeats system_instruction and tools as sent and its result is null.',
    observe: 'GET /agents/{id} schema assertion',
    status: 'verified',
  },
];
