import type { Request, Response } from 'express';
import { type PersonPage, sendPersonPage } from '../shared/person-page.ts';
import { getPageContext } from '../shared/page-context.ts';
import { type Html, html } from '../../http/html/html.ts';
import { childBanner } from './children/child-banner.ts';
import { moveLinks } from './children/child-links.ts';
import { consoleMessages } from './console-messages.ts';
import { findPlaces, type PlaceLink } from './places.ts';
import { placesMessages } from './places-messages.ts';

/** Configuration of the console's sign-in pages. */
export const CONSOLE = { home: '/console', messages: consoleMessages };

type ConsoleNavigation = Parameters<typeof sendPersonPage>[1];

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
  const navigation = { ...CONSOLE, places: html`${places.map(toLink)}`, section: second };
  if (context.child) sendChildPage(res, navigation, options);
  else sendPersonPage(res, navigation, options);
}

/** Sends a page of a managed company, with a banner that names the company and links that lead to its other pages. */
function sendChildPage(res: Response, { places, section, ...console }: ConsoleNavigation, options: PersonPage): void {
  const { child, language } = getPageContext(res);
  const inChild = (content: Html) => moveLinks(content, child!);
  const moved = { ...console, places: inChild(places), section: section && inChild(section) };
  const content = html`${childBanner(child!.name, language)} ${inChild(options.content)}`;
  sendPersonPage(res, moved, { ...options, content });
}
