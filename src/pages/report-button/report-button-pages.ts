import { readFileSync } from 'node:fs';
import type { Response } from 'express';
import { LANGUAGES, type Language } from '../../contract/languages.ts';
import { loadAsset } from '../../http/html/assets.ts';
import { html } from '../../http/html/html.ts';
import { page, pageHeaders } from '../../http/html/page.ts';
import type { Button } from './add-in.ts';
import { reportButtonMessages } from './report-button-messages.ts';

/** Maximum size of an email in base64: 20 MiB. */
export const MAX_MAIL_LENGTH = 28 * 1024 * 1024;

/**
 * URL of Microsoft's library that connects a page with Outlook. Microsoft allows loading the library only from this
 * URL.
 */
const OFFICE = 'https://appsforoffice.microsoft.com/lib/1/hosted/office.js';

/** The sites of Outlook on the web, and of the new Outlook on Windows and on Mac, which show the pane in a frame. */
const OUTLOOK = [
  ...['https://outlook.office.com', 'https://outlook.office365.com', 'https://outlook.cloud.microsoft'],
  ...['https://outlook.live.com', 'https://outlook.office365.us', 'https://outlook-dod.office365.us'],
];

const HEADERS = pageHeaders({
  formAction: "'none'",
  referrerPolicy: 'no-referrer',
  also: {
    'script-src': `'self' ${new URL(OFFICE).origin}`,
    'connect-src': "'self'",
    'frame-ancestors': OUTLOOK.join(' '),
  },
});

export const PANE_SCRIPT = loadAsset(new URL('assets/pane.js', import.meta.url));
const EVENTS_SCRIPT = readFileSync(new URL('assets/events.js', import.meta.url), 'utf8');

/** Sends the task pane. */
export function sendPane(res: Response, { companyId, brand, forwardTo }: Button, language: Language): void {
  const messages = reportButtonMessages[language];
  const address = forwardTo ?? undefined;
  const failure = (id: string, text: string) =>
    html`<template id=${id}
      ><h2>${messages.failedTitle}</h2>
      <p>${text}</p></template
    >`;
  const content = html`
    <script src=${OFFICE}></script>
    <div
      id="report"
      data-reports="reports"
      data-language=${language}
      data-max-length=${MAX_MAIL_LENGTH}
      data-sending=${messages.sending}
    >
      <p>${messages.about}</p>
      <button type="button" disabled>${messages.report}</button>
    </div>
    <div id="status" role="status" tabindex="-1"></div>
    ${failure('failed', messages.failed(address))} ${failure('too-large', messages.tooLarge(address))}
  `;
  const options = { language, title: messages.title, content, scripts: [PANE_SCRIPT.path] };
  send(res, page({ ...options, brand: brand && { ...brand, companyId } }));
}

/** Sends the page in which the handler of spam reports runs, except in classic Outlook on Windows. Nobody sees it. */
export function sendEventsPage(res: Response, language: Language): void {
  const content = html`<script src=${OFFICE}></script>
    <script src="events.js"></script>`;
  send(res, page({ language, title: reportButtonMessages[language].title, content }));
}

function send(res: Response, text: string): void {
  // The Content-Security-Policy states which sites can show the page in a frame; this older header would forbid all of
  // them.
  res.removeHeader('X-Frame-Options');
  res.removeHeader('Cross-Origin-Opener-Policy');
  res.set(HEADERS).send(text);
}

/** Builds the script of the handler, with the texts for failures. */
export function buildEventsScript({ forwardTo }: Button, base: string): string {
  const texts = Object.fromEntries(
    LANGUAGES.map((language) => {
      const messages = reportButtonMessages[language];
      const address = forwardTo ?? undefined;
      const { failedTitle } = messages;
      return [language, { failedTitle, failed: messages.failed(address), tooLarge: messages.tooLarge(address) }];
    }),
  );
  const settings = JSON.stringify({ reports: `${base}/reports`, maxLength: MAX_MAIL_LENGTH, texts });
  return `var reportButton = ${settings};\n${EVENTS_SCRIPT}`;
}
