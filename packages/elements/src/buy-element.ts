import { make } from './make.ts';
import { stylesheet } from './stylesheet.ts';
import type { TollgateClient } from './tollgate-client.ts';

/** A pack of credits as the host sells it. The price is text of the host: what is charged, its server alone decides. */
export interface CreditPack {
  readonly id: string;
  /** Such as `1 000 credits for 10 €`. */
  readonly label: string;
}

/** How a purchase runs on the host's server. */
export interface Purchase {
  /** Begins the purchase of a pack; returns the address of the payment page. */
  readonly start: (packId: string) => Promise<string>;
  /** Whether the order of the address, to which the payment page returned, is credited; the element asks until it is. */
  readonly isCredited?: ((orderId: string) => Promise<boolean>) | undefined;
}

export interface BuyElement extends HTMLElement {
  packs: readonly CreditPack[];
  purchase: Purchase | null;
  client: TollgateClient | null;
}

/** The first wait between two questions about an order; each further one is half longer. */
const firstWaitMs = 1_000;
const waitsMax = 12;
/** The name in the address under which the payment page returns the order. */
const orderParameter = 'order';

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Asks for the order, and not for another balance: a call that costs something would look like a purchase. */
const waitForOrder = async (isCredited: NonNullable<Purchase['isCredited']>, orderId: string): Promise<boolean> => {
  for (let tries = 0; tries < waitsMax; tries += 1) {
    if (await isCredited(orderId)) return true;
    await pause(firstWaitMs * 1.5 ** tries);
  }
  return false;
};

/** `<tollgate-buy>`: a button for each pack, and after the payment the news that the credits are there. */
export const buyElement = (): new () => BuyElement =>
  // Custom elements have no other form than a class.
  class extends HTMLElement implements BuyElement {
    client: TollgateClient | null = null;
    #packs: readonly CreditPack[] = [];
    #purchase: Purchase | null = null;
    readonly #news: HTMLElement;
    readonly #list: HTMLElement;

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [stylesheet()];
      this.#news = make('p', { role: 'status', part: 'news' });
      this.#list = make('ul', { class: 'packs', part: 'packs' });
      root.append(this.#list, this.#news);
    }

    get packs(): readonly CreditPack[] {
      return this.#packs;
    }

    set packs(packs: readonly CreditPack[]) {
      this.#packs = packs;
      this.#list.replaceChildren(...packs.map((pack) => make('li', {}, this.#button(pack))));
    }

    get purchase(): Purchase | null {
      return this.#purchase;
    }

    set purchase(purchase: Purchase | null) {
      this.#purchase = purchase;
      if (this.isConnected) void this.#follow();
    }

    connectedCallback(): void {
      void this.#follow();
    }

    #button(pack: CreditPack): HTMLElement {
      const button = make('button', { type: 'button', part: 'button' }, pack.label);
      button.addEventListener('click', () => void this.#start(pack));
      return button;
    }

    #setBusy(isBusy: boolean): void {
      for (const button of this.#list.querySelectorAll('button')) button.disabled = isBusy;
    }

    async #start(pack: CreditPack): Promise<void> {
      if (this.#purchase === null) return;
      this.#setBusy(true);
      this.#news.textContent = 'To the payment…';
      try {
        location.assign(await this.#purchase.start(pack.id));
      } catch (error) {
        this.#setBusy(false);
        this.#news.textContent = 'The purchase could not begin. Try again.';
        this.dispatchEvent(new CustomEvent('tollgate-failed', { bubbles: true, detail: error }));
      }
    }

    /** After the payment page returned: waits until the order is credited. */
    async #follow(): Promise<void> {
      const orderId = new URL(location.href).searchParams.get(orderParameter);
      const isCredited = this.#purchase?.isCredited;
      if (orderId === null || isCredited === undefined) return;
      this.#news.textContent = 'The payment is being confirmed…';
      try {
        const arrived = await waitForOrder(isCredited, orderId);
        this.#news.textContent = arrived
          ? 'Your credits are here.'
          : 'The payment is not confirmed yet. Look again later.';
        if (!arrived) return;
        this.client?.changed();
        this.dispatchEvent(new CustomEvent('tollgate-credited', { bubbles: true, detail: { orderId } }));
      } catch (error) {
        this.#news.textContent = 'The state of the payment is not known. Look again later.';
        this.dispatchEvent(new CustomEvent('tollgate-failed', { bubbles: true, detail: error }));
      }
    }
  };
