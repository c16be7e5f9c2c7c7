import { clientElement, type ClientElementClass } from './client-element.ts';
import { shownCredits } from './credits.ts';
import { make } from './make.ts';
import { textAt } from './read-json.ts';

/** `<tollgate-balance>`: the credits that the visitor can spend now. `label` is the text before them. */
export const balanceElement = (): ClientElementClass =>
  clientElement({
    attributes: ['label'],
    load: async (host, client) => {
      const balance = await client.get('account/balance');
      const label = host.getAttribute('label') ?? 'Credits';
      const amount = make(
        'span',
        { class: 'amount', part: 'amount' },
        shownCredits(textAt(balance, 'available_credits')),
      );
      return [make('span', { class: 'soft', part: 'label' }, `${label} `), amount];
    },
  });
