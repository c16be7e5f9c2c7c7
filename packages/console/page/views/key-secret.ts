import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from '../dialog.ts';
import { html } from '../html.ts';
import type { CreatedKey } from '../records.ts';
import { linkTo } from '../router.ts';

interface KeySecretProps {
  readonly created: CreatedKey;
  readonly onClose: () => void;
}

/** Shows the text of a new key: the gateway keeps its hash only, so that this is the one time. */
export const KeySecret = ({ created, onClose }: KeySecretProps): VNode => {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard.writeText(created.key).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return html`<${Dialog} title="The new key" onClose=${onClose}>
    <p>Copy it now. It is shown this once and cannot be read again.</p>
    <code class="secret" data-testid="secret">${created.key}</code>
    <p class="row">
      <button type="button" class="primary" onClick=${copy}>Copy</button>
      <a class="button" href=${linkTo('projects', created.project_id)} onClick=${onClose}>To the project</a>
      <span role="status">${isCopied ? 'Copied.' : ''}</span>
    </p>
  <//>`;
};
