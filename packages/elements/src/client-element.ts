import { make } from './make.ts';
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

/** Loads what an element shows: of several loads that overlap, the last one is shown. */
const createLoader = (host: ClientElement, load: ElementView['load']) => {
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [stylesheet()];
  const content = make('div', { role: 'status', part: 'content' });
  root.append(content);
  let last = 0;
  return async (client: TollgateClient): Promise<void> => {
    const turn = (last += 1);
    host.setAttribute('aria-busy', 'true');
    try {
      const nodes = await load(host, client);
      if (turn === last) content.replaceChildren(...nodes);
    } catch (error) {
      if (turn !== last) return;
      const text = host.getAttribute('failed-text') ?? 'Not available now.';
      content.replaceChildren(make('span', { class: 'refusal' }, text));
      host.dispatchEvent(new CustomEvent(failedEvent, { bubbles: true, detail: error }));
    } finally {
      if (turn === last) host.removeAttribute('aria-busy');
    }
  };
};

/** Makes the class of an element. A function, since `HTMLElement` does not exist where a server imports this module. */
export const clientElement = ({ load, attributes }: ElementView): ClientElementClass =>
  // Custom elements have no other form than a class.
  class extends HTMLElement implements ClientElement {
    static readonly observedAttributes = attributes;
    #client: TollgateClient | null = null;
    #stopListening: (() => void) | null = null;
    readonly #load = createLoader(this, load);

    get client(): TollgateClient | null {
      return this.#client;
    }

    set client(client: TollgateClient | null) {
      this.#client = client;
      if (this.isConnected) this.connectedCallback();
    }

    connectedCallback(): void {
      this.#stopListening?.();
      this.#stopListening = this.#client?.onChange(() => void this.refresh()) ?? null;
      void this.refresh();
    }

    disconnectedCallback(): void {
      this.#stopListening?.();
      this.#stopListening = null;
    }

    attributeChangedCallback(): void {
      if (this.isConnected) void this.refresh();
    }

    async refresh(): Promise<void> {
      if (this.#client !== null) await this.#load(this.#client);
    }
  };
