import { createGateway, type Gateway } from 'tollgate';

// On the global object, because each bundle of Next has its own copy of this module.
const shared = globalThis as { tollgate?: Promise<Gateway> };

/** Opens the gateway at the first call, and not while Next builds. Where that fails, the next call tries again. */
export const openGateway = (): Promise<Gateway> =>
  (shared.tollgate ??= createGateway({ compatibility: { openai: true } }).catch((cause: unknown) => {
    delete shared.tollgate;
    throw cause;
  }));
