import { stylesheet } from './stylesheet.ts';
import type { TollgateClient } from './tollgate-client.ts';

/** What an element shows and does; the rest is the same for all. */
export interface ElementView {
  /** Asks the gateway and returns what is shown; called again when credits may have changed. */
  readonly load: (host: ClientElement, client: TollgateClient) => Promise<readonly Node[]>;
  /** Attributes whose change loads anew. */
  readonly attributes: readonly string[];
}

/** An element that shows what a gateway says. */
export interface ClientElement extends HTMLElement {
  /** The connection that it reads by; nothing is shown before it is set. */
  client: TollgateClient | null;
  /** Loads anew. Resolves when the new content is shown, also where it is a refusal. */
  refresh(): Promise<void>;
}

export type ClientElementClass = new () => ClientElement;

/** Fired on an element whose content was refused; `detail` is the error. */
const failedEvent = 'tollgate-failed';

/** Makes the class of an element. A function, since `HTMLElement` does not exist where a server imports this module. */
export const clientElement = ({ load, attributes }: ElementView): ClientElementClass =>
  // Custom elements have no other form than a class.
  class extends HTMLElement implements ClientElement {
    static readonly observedAttributes = attributes;
    #client: TollgateClient | null = null;
    #stopListening: (() => void) | null = null;
    #turn = 0;
    readonly #content: HTMLElement;

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [stylesheet()];
      this.#content = document.createElement('div');
      this.#content.setAttribute('role', 'status');
      this.#content.setAttribute('part', 'content');
      root.append(this.#content);
    }

    get client(): TollgateClient | null {
      return this.#client;
    }

    set client(client: TollgateClient | null) {
      this.#client = client;
      if (this.isConnected) this.#connect();
    }

    connectedCallback(): void {
      this.#connect();
    }

    disconnectedCallback(): void {
      this.#stopListening?.();
      this.#stopListening = null;
    }

    attributeChangedCallback(): void {
      if (this.isConnected) void this.refresh();
    }

    #connect(): void {
      this.#stopListening?.();
      this.#stopListening = this.#client?.onChange(() => void this.refresh()) ?? null;
      void this.refresh();
    }

    async refresh(): Promise<void> {
      const client = this.#client;
      if (client === null) return;
      this.#turn += 1;
      const turn = this.#turn;
      this.setAttribute('aria-busy', 'true');
      try {
        const nodes = await load(this, client);
        if (turn === this.#turn) this.#content.replaceChildren(...nodes);
      } catch (error) {
        if (turn !== this.#turn) return;
        const text = this.getAttribute('failed-text') ?? 'Not available now.';
        const refusal = Object.assign(document.createElement('span'), { className: 'refusal', textContent: text });
        this.#content.replaceChildren(refusal);
        this.dispatchEvent(new CustomEvent(failedEvent, { bubbles: true, detail: error }));
      } finally {
        if (turn === this.#turn) this.removeAttribute('aria-busy');
      }
    }
  };
