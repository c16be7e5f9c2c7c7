import type { VNode } from 'preact';
import { api } from '../api.ts';
import { Dialog, Field, Form, type ReadField } from '../dialog.ts';
import { html } from '../html.ts';
import type { Key } from '../records.ts';

interface KeyLimitsProps {
  readonly apiKey: Key;
  readonly onClose: () => void;
}

/** The limits of a key: its name, its end, and its rates. */
export const KeyLimits = ({ apiKey, onClose }: KeyLimitsProps): VNode => {
  const save = async (read: ReadField): Promise<void> => {
    await api.patch(`keys/${apiKey.id}`, { name: read('name') });
    onClose();
  };
  return html`<${Dialog} title="Limits of the key" onClose=${onClose}>
    <${Form} submit="Save" onSubmit=${save}>
      <${Field} name="name" label="Name" defaultValue=${apiKey.name} required maxlength="120" />
    <//>
  <//>`;
};
