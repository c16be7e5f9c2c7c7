import { defaultCatalog, type CatalogModel, type ResourceState, resourceState } from '@tollgate/contract';
import type { Provider, Usage } from '@tollgate/provider';
import type { CreditLedger } from '@tollgate/storage';
import { scriptedProvider, type ScriptedProvider } from '@tollgate/testing/fakes';
import type { Engine } from '../src/engine.ts';
import { interactionKind } from '../src/resources/interaction/interaction-kind.ts';
import { defaultInteractionLimits, type InteractionLimits } from '../src/resources/interaction/interaction-limits.ts';
import type { InteractionKindOptions } from '../src/resources/interaction/interaction-turn.ts';
import {
  prepareInteraction,
  type InteractionAsk,
  type PreparedInteraction,
} from '../src/resources/interaction/prepare-interaction.ts';
import { createTextSeal } from '../src/access/seal-text.ts';
import type { StoredStep } from '../src/resources/interaction/stored-step.ts';
import { createResource } from '../src/resources/create-resource.ts';
import { openInteraction } from '../src/resources/interaction/interaction-work.ts';
import type { ResourcePlan } from '../src/resources/resource-plan.ts';
import { findResource, type FoundResource } from '../src/resources/find-resource.ts';
import type { WorkKind } from '../src/workers/work-kind.ts';
import type { ModelTariffInput } from '../src/ledger/tariff-input.ts';
import { parseTariff } from '../src/ledger/tariff.ts';
import type { ToolRunners } from '../src/tools/tool-runner.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';
import { giveKinds, sweep, workersOf } from './process-parts.ts';

const flash = defaultCatalog.find(({ id }) => id === 'flash-2.5');
if (flash === undefined) throw new Error('the default catalog has no text model');

const usualPrices: ModelTariffInput = {
  perMillion: { input_text_tokens: '1', output_text_tokens: '1', code_execution_runs: '100' },
};

export interface InteractionWorldOptions {
  readonly provider?: Provider;
  readonly runners?: ToolRunners;
  readonly limits?: Partial<InteractionLimits>;
  readonly row?: Partial<CatalogModel>;
  readonly prices?: ModelTariffInput;
  /** What a provider noted of a store or an environment; nothing unless a test says otherwise. */
  readonly findReference?: InteractionKindOptions['findReference'];
  readonly ledger?: CreditLedger;
}

/** What a client is shown. */
export interface PublicResult {
  readonly status?: string;
  readonly steps: readonly { readonly [name: string]: unknown }[];
}

export type Asked = Partial<Pick<InteractionAsk, 'input' | 'tools' | 'settings' | 'previousId' | 'environmentId'>>;

/** An engine that carries out interactions, with a scripted provider unless another one is given. */
export interface InteractionWorld {
  readonly world: EngineWorld;
  readonly provider: ScriptedProvider;
  /** Registers the kinds on another engine on the same storage, as another process. */
  readonly register: (engine: Engine, change?: (kind: WorkKind) => WorkKind) => void;
  /** Opens an interaction, or answers why it is refused. */
  readonly ask: (asked?: Asked) => Promise<string>;
  readonly open: (asked?: Asked) => Promise<string>;
  readonly work: (engine?: Engine) => Promise<void>;
  /** Hands what is due to workers, and does not wait for them. */
  readonly begin: () => Promise<unknown>;
  readonly find: (id: string) => Promise<FoundResource>;
  readonly state: (id: string) => Promise<ResourceState>;
  readonly result: (id: string) => Promise<PublicResult>;
}

export const said = (text: string): StoredStep => ({ kind: 'user_input', content: [{ kind: 'text', text }] });

export const tokens = (quantity: number): readonly Usage[] => [
  { unit: 'input_text_tokens', quantity, confirmed: true },
];

const plain: InteractionAsk['settings'] = { systemInstruction: null, format: { kind: 'text' }, sampling: {} };

const planOf = (
  world: EngineWorld,
  ask: Pick<InteractionAsk, 'id' | 'model' | 'previousId'>,
  { estimate, refusal, order, guard }: Extract<PreparedInteraction, { readonly kind: 'prepared' }>,
): ResourcePlan => {
  const { accountId, projectId, keyId } = world;
  const { id, model, previousId } = ask;
  return {
    access: { keyId, projectId, accountId },
    id,
    kind: 'interaction',
    model: model.row.id,
    identity: null,
    fingerprint: id,
    estimate,
    refusal,
    draft: openInteraction(order, {}),
    uses: previousId === null ? [] : [{ id: previousId, kind: 'interaction', model: null, whenCompleted: true }],
    guard,
  };
};

const createLooks = (world: EngineWorld) => {
  const find = async (id: string): Promise<FoundResource> => {
    const found = await findResource(world.engine, world.projectId, 'interaction', id);
    if (found === null) throw new Error(`no such interaction: ${id}`);
    return found;
  };
  return {
    find,
    state: async (id: string): Promise<ResourceState> => {
      const { resource, operation } = await find(id);
      return resourceState(resource.availability, operation.state);
    },
    result: async (id: string): Promise<PublicResult> => {
      const { result } = await find(id);
      // Sound: the engine alone writes results, and writes them so; what is in them is what a test looks at.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return JSON.parse(result ?? '{"steps":[]}') as PublicResult;
    },
  };
};

type Shared = Pick<InteractionKindOptions, 'limits' | 'seal' | 'runners' | 'findReference'>;

const createAsk =
  (world: EngineWorld, shared: Shared, model: InteractionAsk['model']): InteractionWorld['ask'] =>
  async (asked = {}) => {
    const { engine, projectId } = world;
    const { input = [said('Hello')], tools = [], settings = plain, previousId = null, environmentId = null } = asked;
    const ask = { id: engine.newId(), projectId, model, input, tools, settings, previousId, environmentId };
    const preparing = { ...shared, engine, check: () => {}, count: () => Promise.resolve(null) };
    const prepared = await prepareInteraction(preparing, ask);
    if (prepared.kind === 'refused') return prepared.code;
    const created = await createResource(engine, planOf(world, ask, prepared));
    return created.kind === 'created' ? ask.id : created.code;
  };

const contentUrl = (id: string, index: number): string => `/interactions/${id}/content?index=${index}`;

export const createInteractionWorld = async (given: InteractionWorldOptions = {}): Promise<InteractionWorld> => {
  const world = await createEngineWorld(1_000_000n, {
    tariff: parseTariff({ version: 'v1', models: { '*': given.prices ?? usualPrices } }),
    ledger: given.ledger,
  });
  const provider = scriptedProvider();
  const model = { row: { ...flash, ...given.row }, provider: given.provider ?? provider };
  const shared: Shared = {
    limits: { ...defaultInteractionLimits, ...given.limits },
    seal: createTextSeal(['secret'], 'tools', world.engine.randomBytes),
    runners: given.runners ?? {},
    findReference: given.findReference ?? (() => Promise.resolve(null)),
  };
  const register: InteractionWorld['register'] = (engine, change = (kind) => kind) =>
    giveKinds(engine, change(interactionKind({ ...shared, engine, findModel: () => model, contentUrl })));
  register(world.engine);
  const ask = createAsk(world, shared, model);
  const looks = createLooks(world);
  return {
    ...looks,
    world,
    provider,
    register,
    ask,
    begin: () => sweep(world.engine),
    open: async (asked) => {
      const id = await ask(asked);
      await looks.find(id);
      return id;
    },
    work: async (engine = world.engine) => {
      await sweep(engine);
      await workersOf(engine).idle();
    },
  };
};
