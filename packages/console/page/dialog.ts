import type { VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { html } from './html.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: unknown;
}

/** A modal window: the browser keeps the focus in it, and Escape closes it. */
export const Dialog = ({ title, onClose, children }: DialogProps): VNode => {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return html`<dialog ref=${element} aria-labelledby="dialog-title" onClose=${onClose}>
    <header>
      <h2 id="dialog-title">${title}</h2>
      <button type="button" class="quiet" aria-label="Close" onClick=${() => element.current?.close()}>✕</button>
    </header>
    ${children}
  </dialog>`;
};

/** The text of a field, without spaces around it. */
export type ReadField = (name: string) => string;

const readerOf = (form: HTMLFormElement): ReadField => {
  const values = new FormData(form);
  return (name) => {
    const value = values.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
};

interface FormProps {
  readonly submit: string;
  readonly onSubmit: (read: ReadField) => Promise<void>;
  readonly children: unknown;
  readonly isDangerous?: boolean;
}

/** A form that says what was refused, and sends nothing twice while it waits. */
export const Form = ({ submit, onSubmit, children, isDangerous = false }: FormProps): VNode => {
  const [refusal, setRefusal] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy || !(event.currentTarget instanceof HTMLFormElement)) return;
    setBusy(true);
    setRefusal(null);
    onSubmit(readerOf(event.currentTarget)).then(
      () => setBusy(false),
      (error: unknown) => {
        setBusy(false);
        setRefusal(error instanceof Error ? error.message : String(error));
      },
    );
  };
  return html`<form onSubmit=${send} aria-busy=${isBusy}>
    ${children} ${refusal === null ? null : html`<p class="refusal" role="alert">${refusal}</p>`}
    <button type="submit" class=${isDangerous ? 'danger' : 'primary'} aria-disabled=${isBusy}>${submit}</button>
  </form>`;
};

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly note?: string;
  readonly [attribute: string]: unknown;
}

/** A browser heeds `autofocus` when it draws next, and once for each page: what is typed before, or into a later field, would be lost. */
const takeFocus = (field: HTMLInputElement | null): void => field?.focus();

/** A text field with its label, and a note that belongs to it. */
export const Field = ({ name, label, note, ...attributes }: FieldProps): VNode => {
  const id = useId();
  const noteId = note === undefined ? undefined : `${id}-note`;
  const ref = attributes['autofocus'] === true ? takeFocus : undefined;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input ref=${ref} id=${id} name=${name} aria-describedby=${noteId} ...${attributes} />
    ${note === undefined ? null : html`<small id=${noteId}>${note}</small>`}
  </div>`;
};

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

/** A choice among named values. */
export const Choice = ({ name, label, options, value, onChange }: ChoiceProps): VNode => {
  const changed = (event: Event): void => {
    if (event.currentTarget instanceof HTMLSelectElement) onChange?.(event.currentTarget.value);
  };
  const id = useId();
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} name=${name} value=${value} onChange=${changed}>
      ${options.map(([option, text]) => html`<option value=${option} selected=${option === value}>${text}</option>`)}
    </select>
  </div>`;
};
