import { roles, type Need, type Role } from './need.ts';
import type { ConformanceOptions } from './kit-options.ts';
import type { Survey } from './survey.ts';

const keyWords: Readonly<Record<Role, string>> = {
  chat: 'a key of a model of text (--key)',
  embedding: 'a key of a model of embeddings (--key)',
  video: 'a key of a model of videos (--key)',
  omni: 'a key of an omni model of videos (--key)',
  music: 'a key of a model of music (--key)',
  transcription: 'a key of a model of transcription (--key)',
  image: 'a key of a model of images (--key)',
  speech: 'a key of a model of speech (--key)',
  realtime: 'a key of a realtime model (--key)',
  'realtime-music': 'a key of a realtime model of music (--key)',
  unbound: 'a key that is bound to no model (--key)',
  other: 'a key of another project (--other-key)',
  poor: 'a key of an account without credits (--poor-key)',
  revoked: 'a revoked key (--refused-key revoked=…)',
  inactive: 'a key that is switched off (--refused-key inactive=…)',
  paused: 'a key of a paused project (--refused-key paused=…)',
  blocked: 'a key of a blocked project or account (--refused-key blocked=…)',
  'no-contract': 'a key of an account without a contract (--refused-key no-contract=…)',
  sibling: 'a key of the same project and a model of text, beside the first (--key)',
};

const isRole = (need: Need): need is Role => roles.some((role) => role === need);

const unmetTerm = (need: Exclude<Need, Role>, survey: Survey, options: ConformanceOptions): string | null => {
  switch (need) {
    case 'bound':
      return survey.actors.get('chat')?.isBound === true
        ? null
        : 'needs a key that is bound to a model of text (--key)';
    case 'directives':
      return survey.directives
        ? null
        : 'needs an upstream that obeys directives: a gateway in test mode, or --upstream-port';
    case 'test-mode':
      return survey.directives && options.upstream === undefined ? null : 'needs a gateway in test mode';
    case 'upstream':
      return options.upstream === undefined ? 'needs to see what the upstream receives: --upstream-port' : null;
    case 'strict':
      return survey.strict ? null : 'needs a gateway without compatible modes';
    case 'receiver':
      return options.receiver === undefined ? 'needs to receive webhooks: --webhook-url and --webhook-port' : null;
    case 'balance':
      return survey.hasBalance ? null : 'needs the route /account/balance, which is beside the contract';
    case 'slow':
      return options.slow === true ? null : 'waits for a minute or longer: --slow';
    default: {
      const capability = need.slice('can:'.length);
      return survey.capabilities.has(capability) ? null : `needs a chat model with the capability ${capability}`;
    }
  }
};

/** Why a case cannot run here; null where it can. */
export const unmetNeed = (needs: readonly Need[], survey: Survey, options: ConformanceOptions): string | null => {
  for (const need of needs) {
    const unmet = isRole(need)
      ? survey.actors.has(need)
        ? null
        : `needs ${keyWords[need]}`
      : unmetTerm(need, survey, options);
    if (unmet !== null) return unmet;
  }
  return null;
};
