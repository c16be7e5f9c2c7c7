import type { VNode } from 'preact';
import { api } from './api.ts';
import { Field, Form, type ReadField } from './dialog.ts';
import { html } from './html.ts';
import { settings } from './settings.ts';

/** What a visitor without a session sees. */
export const SignIn = ({ onSignedIn }: { readonly onSignedIn: () => void }): VNode => {
  const send = async (read: ReadField): Promise<void> => {
    await api.signIn(read('credential'));
    onSignedIn();
  };
  return html`<main class="sign-in">
    <h1>${settings.title}</h1>
    ${
      settings.hasSignIn
        ? html`<${Form} submit="Sign in" onSubmit=${send}>
            <${Field}
              name="credential"
              label="Credential"
              type="password"
              autocomplete="current-password"
              required
              autofocus
            />
          <//>`
        : html`<p>You are not signed in, or this console is not open to you.</p>`
    }
    ${settings.signInUrl === null ? null : html`<p><a class="button" href=${settings.signInUrl}>Sign in</a></p>`}
  </main>`;
};
