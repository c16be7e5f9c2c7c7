import type { InteractionTool } from '@tollgate/contract';
import type { ResourceRecord } from '@tollgate/storage';
import type { Service } from '../service.ts';

/** What interactions that name an agent begin with. */
export interface KeptAgent {
  readonly systemInstruction: string | null;
  readonly tools: readonly InteractionTool[];
}

interface AgentWork {
  readonly sealed: string;
}

const isAgentWork = (work: unknown): work is AgentWork =>
  typeof work === 'object' && work !== null && 'sealed' in work && typeof work.sealed === 'string';

/** Headers of its servers are secrets: all of it is sealed. */
export const sealAgent = ({ interactions }: Service, agent: KeptAgent): AgentWork => ({
  sealed: interactions.seal.seal(JSON.stringify(agent)),
});

/** Null where nothing is left of it. */
export const agentWork = ({ interactions }: Service, { work }: ResourceRecord): KeptAgent | null =>
  // Sound: only `sealAgent` writes the work of agents, and its seal cannot be forged.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  isAgentWork(work) ? (JSON.parse(interactions.seal.open(work.sealed)) as KeptAgent) : null;
