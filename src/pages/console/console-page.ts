import type { Request, Response } from 'express';
import { type PersonPage, sendPersonPage } from '../shared/person-page.ts';
import { getPageContext } from '../shared/page-context.ts';
import { html } from '../../http/html/html.ts';
import { consoleMessages } from './console-messages.ts';
import { findPlaces, type PlaceLink } from './places.ts';
import { placesMessages } from './places-messages.ts';

/** The console as a place to sign in to. */
export const CONSOLE = { home: '/console', messages: consoleMessages };

/** Sends a page to the signed-in admin, in their language. */
export function sendConsolePage(res: Response, options: PersonPage): void {
  const context = getPageContext(res);
  const messages = placesMessages[context.language];
  const { baseUrl, path } = res.req as Request;
  const { places, section } = findPlaces(context, baseUrl + path.replace(/\/$/, ''));
  const toLink = ({ name, href, current }: PlaceLink) => {
    const text = name === 'people' && context.caller.isManager === true ? messages.yourPeople : messages[name];
    return html`<a href=${href} aria-current=${current}>${text}</a>`;
  };
  const second =
    section && html`<nav class="section" aria-label=${messages[section.name]}>${section.places.map(toLink)}</nav>`;
  sendPersonPage(res, { ...CONSOLE, places: html`${places.map(toLink)}`, section: second }, options);
}
