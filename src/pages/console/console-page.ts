import type { Request, Response } from 'express';
import { hasScope, type Scope } from '../../auth/caller.ts';
import { type PersonPage, sendPersonPage } from '../shared/person-page.ts';
import { getPageContext } from '../shared/page-context.ts';
import { html } from '../../http/html/html.ts';
import { type ConsoleMessages, consoleMessages } from './console-messages.ts';

/** The console as a place to sign in to. */
export const CONSOLE = { home: '/console', messages: consoleMessages };

/**
 * The pages of the navigation, by their names in `messages.pages`, with the scope that each needs; `manager` for the
 * pages of managers.
 */
const PLACES: readonly (readonly [keyof ConsoleMessages['pages'], string, Scope | 'manager' | null])[] = [
  ['overview', '/console', null],
  ['people', '/console/people', 'manager'],
  ['simulations', '/console/simulations', 'simulations:read'],
  ['keys', '/console/keys', 'api_keys:read'],
  ['sources', '/console/sources', 'sources:read'],
  ['applications', '/console/applications', 'api_keys:read'],
  ['admins', '/console/admins', 'admins:read'],
  ['signIn', '/console/identity-providers', 'identity_providers:read'],
  ['signIns', '/console/sign-ins', 'audit_log:read'],
  ['passkeys', '/console/passkeys', null],
  ['sessions', '/console/sessions', null],
];

/** Sends a page to the signed-in admin, in their language. */
export function sendConsolePage(res: Response, options: PersonPage): void {
  const { caller, language, modules } = getPageContext(res);
  const messages = consoleMessages[language];
  const { baseUrl, path } = res.req as Request;
  const here = baseUrl + path.replace(/\/$/, '');
  const open = PLACES.filter(([name, , scope]) => {
    if (scope === 'manager') return caller.isManager === true;
    return (scope === null || hasScope(caller, scope)) && (name !== 'simulations' || modules.includes('smphish'));
  });
  const places = open.map(([name, href]) => {
    return html`<a href=${href} aria-current=${here === href ? 'page' : undefined}>${messages.pages[name]}</a>`;
  });
  sendPersonPage(res, { ...CONSOLE, places: html`${places}` }, options);
}
