import {
  GatewayError,
  parseChatRequest,
  parseEmbeddingRequest,
  type CatalogModel,
  type RouteFamily,
} from '@tollgate/contract';
import {
  estimateEmbedding,
  estimateGeneration,
  pricesNow,
  toStoredEmbedding,
  toStoredGeneration,
  type Access,
  type Estimate,
  type ItemForm,
  type StoredItem,
} from '@tollgate/engine';
import type { GenerationCall } from '@tollgate/provider';
import { createRemoteImages } from '../../chat/remote-images.ts';
import { findContexts } from '../../chat/find-contexts.ts';
import { fileIdsOf, toGenerationCall } from '../../chat/to-generation-call.ts';
import { checkCapabilities } from '../../check-capabilities.ts';
import { checkOffer } from '../../embeddings/check-offer.ts';
import { embeddingPolicy } from '../../embeddings/embedding-policy.ts';
import { embeddingFileIds, embeddingParts } from '../../embeddings/run-embedding.ts';
import { toEmbeddingCall } from '../../embeddings/to-embedding-call.ts';
import type { ResolvedFiles } from '../../files/resolve-files.ts';
import { refuseKeptStates } from '../../kept-states.ts';
import { checkWorkable } from '../../require-workable.ts';
import type { BodyTurn } from '../../body-turns.ts';
import type { Service } from '../../service.ts';
import { refuseServiceTier } from '../../service-tier.ts';
import type { GenerationDialect } from '../generation/generation-dialect.ts';
import { atOnceCall } from '../generation/carried-tools.ts';
import type { HistoryBudget } from '../generation/history-budget.ts';
import { askedOf, readAsked } from '../generation/prepare-generation.ts';
import { chatForm, vectorForm } from './item-forms.ts';

/** An item that is ready to be put aside, with what it uses at the most. */
export interface PreparedItem {
  readonly stored: StoredItem;
  readonly estimate: Estimate;
}

/** The body of an item as its own wire reads it. */
export interface ReadItem {
  /** The model that it names; undefined leaves it to the key. */
  readonly model: string | undefined;
  readonly fileIds: readonly string[];
  /** Refuses what the model does not offer. */
  readonly toItem: (model: CatalogModel, files: ResolvedFiles['parts']) => PreparedItem;
}

/** Whose batch an item is read for. */
export interface BatchOwner {
  readonly service: Service;
  readonly access: Access;
  /** The turns of the request that opens it. */
  readonly turn?: BodyTurn | undefined;
}

/** How the bodies of one wire become items of a batch. */
export interface ItemReader {
  readonly family: RouteFamily;
  /** Where base64 stands in a body. */
  readonly mediaPlaces: readonly string[];
  readonly dataUrls: boolean;
  /** `budget` is what earlier answers may still add to the items of this batch. */
  readonly read: (owner: BatchOwner, body: unknown, budget: HistoryBudget) => Promise<ReadItem>;
}

const refuseStream = (stream: boolean): void => {
  if (stream)
    throw new GatewayError('unsupported_parameter', {
      detail: 'The field stream is true; accepted is false in a batch, or no such field.',
    });
};

interface FormedCall {
  readonly call: Omit<GenerationCall, 'operationId'>;
  readonly form: ItemForm;
  /** The field that holds a schema for the answer. */
  readonly schemaField: string;
}

const generationItem = (
  service: Service,
  model: CatalogModel,
  { call, form, schemaField }: FormedCall,
): PreparedItem => {
  refuseKeptStates(call);
  refuseServiceTier(call, 'in a batch');
  checkCapabilities(model, call, service.models.providerOf(model));
  const { responseFormat: format } = call;
  if (format.kind === 'json_schema') checkWorkable(format.schema, schemaField);
  return {
    stored: { kind: 'generation', call: toStoredGeneration(call), cache: null, form },
    estimate: estimateGeneration(call, model),
  };
};

/** Bodies of a dialect of generations. Nothing of an item can be queried by its own id, so it keeps no input for that. */
export const generationReader = (dialect: GenerationDialect): ItemReader => ({
  family: 'chat',
  mediaPlaces: dialect.mediaPlaces,
  dataUrls: dialect.dataUrls,
  read: async ({ service, access }, body, budget) => {
    const { asked, contexts } = await readAsked({ service, access, dialect, budget }, body);
    refuseStream(asked.stream);
    return {
      model: asked.model,
      fileIds: asked.fileIds,
      toItem: (model, files) => {
        const own = askedOf(asked, model);
        const { inputs: _inputs, ...settings } = own.echo;
        return generationItem(service, model, {
          call: atOnceCall(service, model, own, { files, contexts }),
          form: { name: dialect.name, settings },
          schemaField: dialect.schemaField,
        });
      },
    };
  },
});

/** Bodies of chat completions in the compatible mode. Images by address are refused: a batch runs later, and fetches nothing. */
export const chatReader: ItemReader = {
  family: 'chat',
  mediaPlaces: ['image_url.url', 'input_audio.data', 'file.file_data'].map((part) => `messages.*.content.*.${part}`),
  dataUrls: true,
  read: async ({ service, access }, body) => {
    const chat = parseChatRequest(body, {
      openaiCompat: true,
      extraFields: service.extraFields,
      bodyNodesMax: service.bodyBounds.nodesMax,
      remoteImages: false,
      messagesMax: service.compatibility.messagesMax,
    });
    refuseStream(chat.stream);
    const contexts = await findContexts(service, access.projectId, chat);
    const images = createRemoteImages(null, access.projectId, chat);
    const form = { name: chatForm, settings: { legacyFunctions: chat.legacyFunctions === true } };
    return {
      model: chat.model,
      fileIds: fileIdsOf(chat),
      toItem: (model, files) =>
        generationItem(service, model, {
          call: toGenerationCall(chat, model, { contexts, files, images, openaiCompat: true }),
          form,
          schemaField: 'response_format.json_schema.schema',
        }),
    };
  },
};

/** Bodies of embeddings. */
export const embeddingReader: ItemReader = {
  family: 'embeddings',
  mediaPlaces: ['content.parts.*.inlineData.data'],
  dataUrls: false,
  read: ({ service, access }, body) => {
    const asked = parseEmbeddingRequest(body, embeddingPolicy(service, true));
    const form = { name: vectorForm, settings: { encoding: asked.encoding_format } };
    return Promise.resolve({
      model: asked.model,
      fileIds: embeddingFileIds(asked),
      toItem: (model, files) => {
        checkOffer(model, asked);
        const call = toEmbeddingCall(asked, model, embeddingParts(model, asked, files));
        const tariff = pricesNow(service.engine, { access, model: model.id, kind: 'batch' });
        return {
          stored: { kind: 'embedding', call: toStoredEmbedding(call), form },
          estimate: estimateEmbedding(call, tariff),
        };
      },
    });
  },
};
