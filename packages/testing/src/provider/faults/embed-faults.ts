import type { EmbeddingCall, Embeddings, Provider } from '@tollgate/provider';
import type { ProviderFault } from '../provider-fault.ts';

type Embed = NonNullable<Provider['embed']>;

const embedding =
  (change: (embed: Embed) => Embed): ProviderFault['wrap'] =>
  (right) =>
    right.embed === undefined ? right : { ...right, embed: change(right.embed.bind(right)) };

const answering = (change: (answer: Embeddings, call: EmbeddingCall) => Embeddings): ProviderFault['wrap'] =>
  embedding((embed) => async (call, context) => change(await embed(call, context), call));

const inOrderOf = 'embedding: returns a vector for each text, in order, with confirmed usage';

/** What only an embedding can do wrong. */
export const embedFaults: readonly ProviderFault[] = [
  {
    name: 'mixes up the order of the vectors',
    failsCase: inOrderOf,
    wrap: answering((answer) => ({ ...answer, vectors: answer.vectors.toReversed() })),
  },
  {
    name: 'leaves the last vector out',
    failsCase: inOrderOf,
    wrap: answering((answer) => ({ ...answer, vectors: answer.vectors.slice(0, -1) })),
  },
  {
    name: 'returns the same vector for every text',
    failsCase: inOrderOf,
    wrap: answering((answer) => ({ ...answer, vectors: answer.vectors.map(() => [1, 2]) })),
  },
  {
    name: 'passes over the dimensions',
    failsCase: 'embedding: returns as many dimensions as are asked for, or refuses the setting',
    wrap: answering((answer) => ({ ...answer, vectors: answer.vectors.map(() => [1, 2, 3]) })),
  },
  {
    name: 'embeds the parts of a content one by one',
    failsCase: 'embedding: returns one vector for a content, or refuses it before it sends anything',
    wrap: answering((answer, { input }) => ({
      ...answer,
      vectors: input.kind === 'texts' ? answer.vectors : input.parts.map(() => [1, 2]),
    })),
  },
  {
    name: 'confirms inputs where nothing was measured',
    failsCase: 'embedding: confirms no usage that was not measured',
    wrap: answering((answer) => ({ ...answer, usage: [{ unit: 'embedding_inputs', quantity: 3, confirmed: true }] })),
  },
];
