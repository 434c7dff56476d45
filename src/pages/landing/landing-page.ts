import type { Response } from 'express';
import { type Language, toLanguage } from '../../contract/languages.ts';
import { loadAsset } from '../../http/html/assets.ts';
import { type Html, html } from '../../http/html/html.ts';
import { page, pageHeaders } from '../../http/html/page.ts';
import type { SharedServices } from '../../http/shared-services.ts';
import { cueList, mailPicture } from '../shared/parts/mail-picture.ts';
import { renderReporting } from '../shared/player/reporting-view.ts';
import { landingMessages, type LandingMessages } from './landing-messages.ts';

/** The recipient of a message whose link was followed. */
export type LandingLink = NonNullable<Awaited<ReturnType<SharedServices['openings']['simulations']['find']>>>;

type Message = NonNullable<ReturnType<LandingLink['renderMessage']>>;

export const SCRIPT = loadAsset(new URL('assets/landing.js', import.meta.url));

/** Prevents the page from submitting forms, and its script from connecting to any other site. */
const HEADERS = pageHeaders({
  formAction: "'none'",
  referrerPolicy: 'no-referrer',
  // The message keeps the styles of its elements, which the template's check allows; none can load anything.
  also: { 'script-src': "'self'", 'connect-src': "'self'", 'style-src-attr': "'unsafe-inline'" },
});

/**
 * Sends the page of a link. The page explains that the message was a simulation and who ran it, shows the message with
 * marks where something gave it away, and lists what to remember.
 * @param link.token the secret in the URL
 * @param trainingUrl where the recipient takes their training
 */
export function sendLandingPage(res: Response, link: LandingLink & { token: string }, trainingUrl: string): void {
  const { companyName, lesson, reporting, token, nonce } = link;
  const brand = link.brand && { ...link.brand, companyId: link.caller.companyId };
  const message = link.renderMessage();
  const language = toLanguage(link.locale);
  const messages = landingMessages[language];
  const content = html`
    <p>${messages.calm}</p>
    ${message && messageSection(message, link, messages)}
    <h2>${messages.lessonTitle}</h2>
    ${(lesson ?? messages.plainLesson).split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph}</p>`)}
    ${reporting && renderReporting(reporting, language)}
    <p><a class="button" href=${trainingUrl}>${messages.training}</a></p>
    <p class="quiet" data-page=${`/s/${token}`} data-nonce=${nonce}>${messages.recorded(companyName)}</p>
    <p hidden><a href=${`/s/${token}/more`} rel="nofollow">${messages.hidden}</a></p>
  `;
  send(res, { language, title: messages.title(companyName), content, brand, width: 'wide', scripts: [SCRIPT.path] });
}

function messageSection(message: Message, { sentAt, locale }: LandingLink, messages: LandingMessages): Html {
  const language = toLanguage(locale);
  const date = sentAt === null ? null : formatTime(sentAt, language);
  return html`
    <h2>${messages.messageTitle}</h2>
    <p>${messages.messageAbout}</p>
    ${mailPicture(message, { messages: messages.mail, language, date })}
    <h2>${messages.cuesTitle}</h2>
    ${cueList(message.cues, messages.mail)}
  `;
}

function formatTime(time: string, language: Language): Html {
  const options = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' } as const;
  const text = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, options).format(new Date(time));
  return html`<time datetime=${time}>${text}</time> UTC`;
}

export function sendFailurePage(res: Response, status: number, language: Language): void {
  const messages = landingMessages[language];
  const content = html`<p>${selectMessage(status, messages)}</p>`;
  send(res.status(status), { language, title: messages.failureTitle, content });
}

function selectMessage(status: number, messages: LandingMessages): string {
  if (status === 404) return messages.unknown;
  if (status === 429) return messages.tooMany;
  return status >= 500 ? messages.unavailable : messages.stale;
}

function send(res: Response, options: Parameters<typeof page>[0]): void {
  res.set(HEADERS).send(page(options));
}
