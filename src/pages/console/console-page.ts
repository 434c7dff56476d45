import type { Request, Response } from 'express';
import { type PersonPage, sendPersonPage } from '../shared/person-page.ts';
import { getPageContext } from '../shared/page-context.ts';
import { html } from '../../http/html/html.ts';
import { type ConsoleMessages, consoleMessages } from './console-messages.ts';

/** The console as a place to sign in to. */
export const CONSOLE = { home: '/console', messages: consoleMessages };

/** The pages of the navigation, by their names in `messages.pages`. */
const PLACES = [
  ['overview', '/console'],
  ['simulations', '/console/simulations'],
  ['keys', '/console/keys'],
  ['sources', '/console/sources'],
  ['applications', '/console/applications'],
  ['admins', '/console/admins'],
  ['passkeys', '/console/passkeys'],
] as const satisfies readonly (readonly [keyof ConsoleMessages['pages'], string])[];

/** Sends a page to the signed-in admin, in their language. */
export function sendConsolePage(res: Response, options: PersonPage): void {
  const { language, modules } = getPageContext(res);
  const messages = consoleMessages[language];
  const { baseUrl, path } = res.req as Request;
  const here = baseUrl + path.replace(/\/$/, '');
  const open = PLACES.filter(([name]) => name !== 'simulations' || modules.includes('smphish'));
  const places = open.map(([name, href]) => {
    return html`<a href=${href} aria-current=${here === href ? 'page' : undefined}>${messages.pages[name]}</a>`;
  });
  sendPersonPage(res, { ...CONSOLE, places: html`${places}` }, options);
}
