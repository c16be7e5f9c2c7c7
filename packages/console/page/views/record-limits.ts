import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Dialog, Form, type ReadField } from '../dialog.ts';
import { html } from '../html.ts';
import { RateFields, ratesOf, type Rates } from './rate-fields.ts';

interface RecordLimitsProps {
  /** Where the account or the project is changed. */
  readonly path: string;
  readonly of: 'account' | 'project';
  readonly limits: Rates;
  readonly onSaved: () => void;
}

/** A button that opens the rates of an account or a project, for operators. */
export const RecordLimits = ({ path, of, limits, onSaved }: RecordLimitsProps): VNode => {
  const [isOpen, setOpen] = useState(false);
  const save = async (read: ReadField): Promise<void> => {
    await api.patch(path, { limits: ratesOf(read) });
    setOpen(false);
    onSaved();
  };
  return html`<button type="button" aria-label=${`Limits of the ${of}`} onClick=${() => setOpen(true)}>Limits</button>
    ${
      isOpen
        ? html`<${Dialog} title=${`Limits of the ${of}`} onClose=${() => setOpen(false)}>
            <${Form} submit="Save" onSubmit=${save}>
              <p>Of all its ${of === 'account' ? 'projects' : 'keys'} together. Empty: no limit.</p>
              <${RateFields} limits=${limits} />
            <//>
          <//>`
        : null
    }`;
};
