import type { OwnPasskey, Passkey } from '../../../identity/passkey-repository.ts';
import type { Language } from '../../../contract/languages.ts';
import { loadAsset } from '../../../http/html/assets.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { renderDay, hiddenFields, textField } from '../../shared/parts/fields.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { passkeysMessages, type PasskeysMessages } from './passkeys-messages.ts';
import { suspendedPasskeysMessages } from './suspended-passkeys-messages.ts';
import { renderKeepForms } from './suspended-passkeys-page.ts';

export const PASSKEYS_PATH = '/console/passkeys';
/** Path of the sign-in by passkey, for admins who are not signed in. */
export const PASSKEY_ENTRANCE = '/console/passkey-sign-in';

const LIBRARY = loadAsset(new URL('../dist/bundle/index.umd.min.js', import.meta.resolve('@simplewebauthn/browser')));
const SCRIPT = loadAsset(new URL('assets/passkeys.js', import.meta.url));
export const PASSKEY_ASSETS = [LIBRARY, SCRIPT];

/** Data of a page whose form asks the device for a passkey. */
export const PASSKEY_PAGE = { scripts: PASSKEY_ASSETS.map(({ path }) => path), also: { 'connect-src': "'self'" } };

export interface PasskeysView {
  language: Language;
  formToken: string;
  passkeys: readonly OwnPasskey[];
  /** Whether browsers support passkeys for the service's URL. */
  canAdd: boolean;
  /** Whether the admin has recently confirmed who they are; otherwise they cannot add a passkey. */
  hasRecentProof: boolean;
  /** Whether the company requires a passkey, and the admin has none. */
  isRequired: boolean;
  /** The fault of the last attempt to add a passkey. */
  fault?: 'name' | 'device' | undefined;
  /** The result of the last attempt to restore suspended passkeys. */
  outcome?: 'refused' | 'mailed' | undefined;
}

/** Renders the passkeys and the sessions of the admin. */
export function passkeysContent(view: PasskeysView): Html {
  const { language, formToken, passkeys, canAdd, hasRecentProof, isRequired, fault, outcome } = view;
  const messages = passkeysMessages[language];
  return html`
    ${isRequired && html`<p class="warning" role="status">${messages.required}</p>`}
    <p>${messages.about}</p>
    ${passkeys.length === 0 ? html`<p>${messages.none}</p>` : passkeysTable(passkeys, { path: PASSKEYS_PATH, language, canRemove: true })}
    ${canAdd && hasRecentProof && renderKeepForms({ language, formToken, passkeys, outcome })}
    ${canAdd && (hasRecentProof ? addForm(formToken, messages, fault) : confirmForm(formToken, messages))}
    <h2>${messages.sessionsTitle}</h2>
    <p><a href="/console/sessions">${messages.otherSessions}</a></p>
    <p>${messages.sessions}</p>
    <form method="post" action="/console/sign-out-everywhere">
      ${hiddenFields(formToken)}
      <button type="submit">${messages.endAll}</button>
    </form>
  `;
}

interface PasskeysTable {
  /** Path of the page that lists the passkeys. */
  path: string;
  language: Language;
  canRemove: boolean;
}

/** Renders a table of passkeys, each with a link to its removal. */
export function passkeysTable(passkeys: readonly Passkey[], { path, language, canRemove }: PasskeysTable): Html {
  const messages = passkeysMessages[language];
  const toRow = ({ id, name, createdAt, lastUsedAt, suspendedUntil }: Passkey) => [
    html`${name}${renderSuspension(suspendedUntil, language)}`,
    renderDay(createdAt, language, ''),
    renderDay(lastUsedAt, language, messages.never),
    canRemove &&
      html`<a href=${`${path}/${id}/remove`} aria-label=${messages.remove(name)}>${messages.removeShort}</a>`,
  ];
  const columns = [messages.name, messages.made, messages.used];
  return dataTable({ caption: messages.title, columns, rows: passkeys.map(toRow) });
}

function renderSuspension(suspendedUntil: string | null, language: Language): Html | undefined {
  if (suspendedUntil === null) return undefined;
  const { suspendedUntil: label } = suspendedPasskeysMessages[language];
  return html` (${label} ${renderDay(suspendedUntil, language, '')})`;
}

/** Renders the form on which the admin confirms who they are before they can add a passkey. */
function confirmForm(formToken: string, messages: PasskeysMessages): Html {
  return html`
    <h2>${messages.addTitle}</h2>
    <p>${messages.confirmFirst}</p>
    <form method="post" action=${`${PASSKEYS_PATH}/confirm`}>
      ${hiddenFields(formToken)}
      <button type="submit">${messages.confirm}</button>
    </form>
  `;
}

function addForm(formToken: string, messages: PasskeysMessages, fault: PasskeysView['fault']): Html {
  const name = {
    name: 'name',
    label: messages.name,
    hint: messages.nameHint,
    also: { autocomplete: 'off', required: true },
  };
  const faults: Record<string, string> = fault === 'name' ? { name: messages.nameFault } : {};
  return html`
    <h2>${messages.addTitle}</h2>
    <noscript><p>${messages.needsScript}</p></noscript>
    <form method="post" action=${PASSKEYS_PATH} data-passkey="add" data-options=${`${PASSKEYS_PATH}/options`} hidden>
      ${hiddenFields(formToken)}
      <input type="hidden" name="response" value="" />
      ${textField(name, {}, faults)}
      <p class="fault" role="alert" hidden=${fault !== 'device'}>${messages.addFault}</p>
      <button type="submit">${messages.add}</button>
    </form>
  `;
}

/** Renders the form that signs in with a passkey. */
export function renderSignInForm(language: Language, hasFailed: boolean): Html {
  const messages = passkeysMessages[language];
  return html`
    <form
      method="post"
      action=${PASSKEY_ENTRANCE}
      data-passkey="enter"
      data-options=${`${PASSKEY_ENTRANCE}/options`}
      hidden
    >
      <input type="hidden" name="response" value="" />
      <p class="fault" role="alert" hidden=${!hasFailed}>${messages.enterFault}</p>
      <button class="quiet" type="submit">${messages.enter}</button>
    </form>
  `;
}

interface Removal {
  /** Path of the page that lists the passkey. */
  path: string;
  formToken: string;
  language: Language;
  /** The owner of the passkey; undefined for the signed-in admin. */
  ownerName?: string;
}

/** Renders the page that confirms the removal of a passkey. */
export function removeContent({ id, name }: Passkey, { path, formToken, language, ownerName }: Removal): Html {
  const messages = passkeysMessages[language];
  return confirmation({
    about: ownerName === undefined ? messages.removeAbout(name) : messages.removeOfAnother(name, ownerName),
    action: `${path}/${id}/remove`,
    hidden: hiddenFields(formToken),
    button: messages.removeButton,
    keep: { href: path, text: messages.keep },
  });
}

/** Renders the passkeys of another admin. */
export function renderAdminPasskeys(
  admin: { firstName: string; lastName: string; email: string },
  { passkeys, ...table }: PasskeysTable & { passkeys: readonly Passkey[] },
): Html {
  const messages = passkeysMessages[table.language];
  return html`
    <p>${messages.ofAnother(`${admin.firstName} ${admin.lastName}`, admin.email)}</p>
    ${passkeys.length === 0 ? html`<p>${messages.noneOfAnother}</p>` : passkeysTable(passkeys, table)}
  `;
}
