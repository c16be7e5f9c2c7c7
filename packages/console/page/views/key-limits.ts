import type { VNode } from 'preact';
import { api } from '../api.ts';
import { Choice, Dialog, Field, Form, type ReadField } from '../dialog.ts';
import { html } from '../html.ts';
import type { Key } from '../records.ts';
import { RateFields, ratesOf } from './rate-fields.ts';

interface KeyLimitsProps {
  readonly apiKey: Key;
  /** Whether the visitor may set rates. */
  readonly isOperator: boolean;
  readonly onClose: () => void;
}

const windows = [
  ['hour', 'an hour'],
  ['day', 'a day'],
  ['week', 'a week'],
  ['month', 'a month'],
  ['total', 'in all'],
] as const;

const modelsOf = (text: string): readonly string[] | null => {
  const models = text.split(/[\s,]+/u).filter((model) => model !== '');
  return models.length === 0 ? null : models;
};

const changeOf = (read: ReadField, isOperator: boolean): Readonly<Record<string, unknown>> => ({
  name: read('name'),
  expires_at: read('expires_at') === '' ? null : new Date(read('expires_at')).toISOString(),
  models: modelsOf(read('models')),
  cap: read('cap') === '' ? null : { amount_credits: read('cap'), window: read('window') },
  ...(isOperator ? { limits: ratesOf(read) } : {}),
});

/** An instant as a field of the browser takes it: in the visitor's zone, without seconds. */
const localInstant = (iso: string | null | undefined): string => {
  if (iso === null || iso === undefined) return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

/** What bounds a key: its models, its end, what it may spend, and for operators its rates. */
export const KeyLimits = ({ apiKey, isOperator, onClose }: KeyLimitsProps): VNode => {
  const { cap, limits } = apiKey;
  const save = async (read: ReadField): Promise<void> => {
    await api.patch(`keys/${apiKey.id}`, changeOf(read, isOperator));
    onClose();
  };
  return html`<${Dialog} title="Limits of the key" onClose=${onClose}>
    <${Form} submit="Save" onSubmit=${save}>
      <${Field} name="name" label="Name" defaultValue=${apiKey.name} required maxlength="120" />
      <${Field}
        name="models"
        label="Models"
        defaultValue=${(apiKey.models ?? []).join(', ')}
        note="With commas between. Empty: every model."
      />
      <${Field}
        name="expires_at"
        label="Expires"
        type="datetime-local"
        defaultValue=${localInstant(apiKey.expires_at)}
        note="Empty: never."
      />
      <div class="row">
        <${Field}
          name="cap"
          label="Spends at the most"
          defaultValue=${cap?.amount_credits ?? ''}
          inputmode="decimal"
          pattern="[0-9]+([.][0-9]{1,6})?"
          note="Credits. Empty: no cap."
        />
        <${Choice} name="window" label="In" options=${windows} value=${cap?.window ?? 'month'} />
      </div>
      ${isOperator ? html`<${RateFields} limits=${limits} />` : null}
    <//>
  <//>`;
};
