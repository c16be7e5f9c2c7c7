import { followOrder, orderOfAddress } from './follow-order.ts';
import { make } from './make.ts';
import { stylesheet } from './stylesheet.ts';
import type { TollgateClient } from './tollgate-client.ts';

/** A pack of credits as the host sells it. What it costs and brings, the host's server alone decides. */
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

/** What the element shows. */
const createBody = (host: HTMLElement) => {
  const root = host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [stylesheet()];
  const news = make('p', { role: 'status', part: 'news' });
  const list = make('ul', { class: 'packs', part: 'packs' });
  root.append(list, news);
  return {
    say: (text: string): void => {
      news.textContent = text;
    },
    setBusy: (isBusy: boolean): void => {
      for (const button of list.querySelectorAll('button')) button.disabled = isBusy;
    },
    showPacks: (packs: readonly CreditPack[], start: (pack: CreditPack) => void): void => {
      const items = packs.map((pack) => {
        const button = make('button', { type: 'button', part: 'button' }, pack.label);
        button.addEventListener('click', () => start(pack));
        return make('li', {}, button);
      });
      list.replaceChildren(...items);
    },
  };
};

type Body = ReturnType<typeof createBody>;

const fire = (host: HTMLElement, name: string, detail: unknown): void =>
  void host.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));

const start = async (host: BuyElement, body: Body, pack: CreditPack): Promise<void> => {
  if (host.purchase === null) return;
  body.setBusy(true);
  body.say('To the payment…');
  try {
    location.assign(await host.purchase.start(pack.id));
  } catch (error) {
    body.setBusy(false);
    body.say('The purchase could not begin. Try again.');
    fire(host, 'tollgate-failed', error);
  }
};

/** After the payment page returned: waits until the order is credited. */
const follow = async (host: BuyElement, body: Body): Promise<void> => {
  const orderId = orderOfAddress();
  const isCredited = host.purchase?.isCredited;
  if (orderId === null || isCredited === undefined) return;
  body.say('The payment is being confirmed…');
  try {
    const isThere = await followOrder(isCredited, orderId);
    body.say(isThere ? 'Your credits are here.' : 'The payment is not confirmed yet. Come back later.');
    if (!isThere) return;
    host.client?.changed();
    fire(host, 'tollgate-credited', { orderId });
  } catch (error) {
    body.say('The state of the payment is not known. Come back later.');
    fire(host, 'tollgate-failed', error);
  }
};

/** `<tollgate-buy>`: a button for each pack, and after the payment the news that the credits are there. */
export const buyElement = (): new () => BuyElement =>
  // Custom elements have no other form than a class.
  class extends HTMLElement implements BuyElement {
    client: TollgateClient | null = null;
    #packs: readonly CreditPack[] = [];
    #purchase: Purchase | null = null;
    readonly #body = createBody(this);

    get packs(): readonly CreditPack[] {
      return this.#packs;
    }

    set packs(packs: readonly CreditPack[]) {
      this.#packs = packs;
      this.#body.showPacks(packs, (pack) => void start(this, this.#body, pack));
    }

    get purchase(): Purchase | null {
      return this.#purchase;
    }

    set purchase(purchase: Purchase | null) {
      this.#purchase = purchase;
      if (this.isConnected) void follow(this, this.#body);
    }

    connectedCallback(): void {
      void follow(this, this.#body);
    }
  };
