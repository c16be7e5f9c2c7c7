import { balanceElement } from './balance-element.ts';
import { buyElement } from './buy-element.ts';
import { usageElement } from './usage-element.ts';

const elements = {
  'tollgate-balance': balanceElement,
  'tollgate-buy': buyElement,
  'tollgate-usage': usageElement,
} as const;

/** Makes the elements known to the page; a name that is known already stays as it is. On a server this does nothing. */
export const defineElements = (): void => {
  if (typeof customElements === 'undefined') return;
  for (const [name, classOf] of Object.entries(elements))
    if (customElements.get(name) === undefined) customElements.define(name, classOf());
};
