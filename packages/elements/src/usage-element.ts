import { clientElement, type ClientElementClass } from './client-element.ts';
import { shownCredits } from './credits.ts';
import { make } from './make.ts';
import { listAt, textAt } from './read-json.ts';

const daysDefault = 30;
const daysMax = 366;
const dayMs = 86_400_000;

/** The range of an element's `days`, to whole days of UTC. */
const rangeOf = (days: string | null): { readonly from: string; readonly until: string } => {
  const asked = Number(days ?? daysDefault);
  const count = Number.isInteger(asked) && asked >= 1 && asked <= daysMax ? asked : daysDefault;
  const untilMs = (Math.floor(Date.now() / dayMs) + 1) * dayMs;
  return { from: new Date(untilMs - count * dayMs).toISOString(), until: new Date(untilMs).toISOString() };
};

const row = (model: string, requests: string, credits: string): HTMLElement =>
  make(
    'tr',
    {},
    make('th', { scope: 'row' }, model),
    make('td', { class: 'figure' }, requests),
    make('td', { class: 'figure' }, credits),
  );

const head = (...names: readonly string[]): HTMLElement =>
  make(
    'thead',
    {},
    make(
      'tr',
      {},
      ...names.map((name, place) => make('th', { scope: 'col', class: place === 0 ? '' : 'figure' }, name)),
    ),
  );

/** `<tollgate-usage>`: what the visitor used in the last `days` (30 by default), by model. */
export const usageElement = (): ClientElementClass =>
  clientElement({
    attributes: ['days', 'label'],
    load: async (host, client) => {
      const usage = await client.get('account/usage', { ...rangeOf(host.getAttribute('days')), group_by: 'model' });
      const rows = listAt(usage, 'data').map((entry) =>
        row(
          textAt(entry, 'model'),
          String(Reflect.get(Object(entry), 'requests')),
          shownCredits(textAt(entry, 'charged_credits')),
        ),
      );
      if (rows.length === 0) return [make('p', { class: 'soft', part: 'empty' }, 'Nothing was used yet.')];
      const caption = make('caption', { class: 'soft' }, host.getAttribute('label') ?? 'Usage by model');
      return [
        make('table', { part: 'table' }, caption, head('Model', 'Requests', 'Credits'), make('tbody', {}, ...rows)),
      ];
    },
  });
