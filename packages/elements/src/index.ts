export { defineElements } from './define-elements.ts';
export type { BuyElement, CreditPack, Purchase } from './buy-element.ts';
export type { ClientElement } from './client-element.ts';
export {
  connectTollgate,
  TollgateRequestError,
  type BrowserToken,
  type TollgateClient,
  type TollgateClientOptions,
} from './tollgate-client.ts';
