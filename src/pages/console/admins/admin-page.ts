import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { formatFullName } from '../../../db/expressions.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { formFault, hiddenFields, renderDay } from '../../shared/parts/fields.ts';
import { facts } from '../../shared/parts/tiles.ts';
import { canCall } from '../admin.ts';
import { AUDIT_LOG_PATH } from '../audit-log/audit-log-page.ts';
import { adminMessages } from './admin-messages.ts';
import { ADMINS_PATH, formatState } from './admins-page.ts';
import { adminsMessages } from './admins-messages.ts';
import { findRole, formatRole } from './role-field.ts';

export interface AdminView {
  language: Language;
  formToken: string;
  /** One-time id of the form that sends the invitation again, so that a double click sends only one. */
  once: string;
  /** The signed-in admin, who sees only the actions that the role permits. */
  caller: Pick<Caller, 'scopes'>;
  admin: Schemas['Admin'];
  roles: readonly Schemas['Role'][];
  /** Reason why the requested action failed. */
  fault: string | undefined;
}

/** Renders an admin of the company, with the actions that the role of the signed-in admin permits. */
export function adminContent(view: AdminView): Html {
  const { language, caller, admin, roles, fault } = view;
  const [messages, list] = [adminMessages[language], adminsMessages[language]];
  const path = `${ADMINS_PATH}/${admin.id}`;
  const isManaged = admin.managedBy !== null;
  const links = [
    canCall(caller, 'updateAdmin') && ([`${path}/role`, list.changeRole] as const),
    admin.status === 'active' &&
      canCall(caller, 'listAdminPasskeys') &&
      ([`${path}/passkeys`, messages.passkeysAndSessions] as const),
    canCall(caller, 'listAuditLog') && ([`${AUDIT_LOG_PATH}?actorId=${admin.id}`, messages.entries] as const),
    canCall(caller, 'deleteAdmin') && !isManaged && ([`${path}/remove`, messages.remove] as const),
  ];
  return html`
    <p><a href=${ADMINS_PATH}>${list.back}</a></p>
    ${formFault(fault)}
    ${facts([
      [list.email, admin.email],
      [list.role, formatRole(findRole(admin, roles), list)],
      [list.state, formatState(admin, list)],
      [list.since, renderDay(admin.invitedAt, language, '–')],
    ])}
    ${isManaged && html`<p class="note">${messages.fromDirectory}</p>`}
    ${admin.status !== 'active' && canCall(caller, 'resendAdminInvite') && resendForm(view)}
    <ul class="items">
      ${links.map((link) => link && html`<li><a href=${link[0]}>${link[1]}</a></li>`)}
    </ul>
    ${apiCalls(
      [
        { operationId: 'resendAdminInvite', path: { adminId: admin.id } },
        { operationId: 'deleteAdmin', path: { adminId: admin.id } },
      ],
      language,
    )}
  `;
}

function resendForm({ language, formToken, once, admin }: AdminView): Html {
  const messages = adminMessages[language];
  return html`<h2>${messages.resendTitle}</h2>
    <p>${messages.resendAbout(admin.email)}</p>
    <form method="post" action=${`${ADMINS_PATH}/${admin.id}/invite`}>
      ${hiddenFields(formToken, once)}
      <button type="submit">${messages.resend}</button>
    </form>`;
}

/** Renders the page that confirms the removal of an admin. */
export function removeAdminContent(admin: Schemas['Admin'], formToken: string, language: Language): Html {
  const messages = adminMessages[language];
  const name = formatFullName(admin);
  return confirmation({
    about: admin.status === 'active' ? messages.removeAbout(name) : messages.removeInvitedAbout(name),
    action: `${ADMINS_PATH}/${admin.id}/remove`,
    hidden: hiddenFields(formToken),
    button: messages.removeButton,
    keep: { href: `${ADMINS_PATH}/${admin.id}`, text: messages.keep },
  });
}
