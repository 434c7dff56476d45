// The cards of the Gmail add-on, in the JSON form of Google Workspace add-ons with HTTP endpoints.
import type { Language } from '../../contract/languages.ts';
import { type AddIn, ICONS } from './add-in.ts';
import { manifestMessages } from './manifest-messages.ts';
import { reportButtonMessages } from './report-button-messages.ts';

type Widget = Record<string, unknown>;

/** Builds the deployment that an admin enters in Google Cloud. */
export function buildGmailDeployment({ base, origin }: AddIn): object {
  const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;
  return {
    oauthScopes: [
      scope('gmail.addons.execute'),
      scope('gmail.addons.current.message.readonly'),
      scope('userinfo.email'),
    ],
    addOns: {
      common: {
        name: manifestMessages.en.name,
        logoUrl: `${origin}${ICONS.get(128)!.path}`,
        useLocaleFromApp: true,
      },
      gmail: { contextualTriggers: [{ unconditional: {}, onTriggerFunction: `${base}/gmail/open` }] },
    },
  };
}

/** Builds the response when a person opens a message: a card with one button. */
export function buildOpenCard(base: string, language: Language): object {
  const { title, about, report } = reportButtonMessages[language];
  const button = { text: report, onClick: { action: { function: `${base}/gmail/report` } } };
  const widgets = [paragraph(about), { buttonList: { buttons: [button] } }];
  return { action: { navigations: [{ pushCard: card(title, widgets) }] } };
}

/** Texts about the outcome of a report, as people read them. */
export interface ShownOutcome {
  title: string;
  text: string;
  lesson?: { title: string; paragraphs: readonly string[] } | null;
}

/** Builds the response when a person presses the button: the card then shows the outcome. */
export function buildOutcomeCard({ title, text, lesson }: ShownOutcome): object {
  const lessonWidgets = lesson
    ? [paragraph(lesson.title, true), ...lesson.paragraphs.map((one) => paragraph(one))]
    : [];
  const updateCard = card(title, [paragraph(text), ...lessonWidgets]);
  return { renderActions: { action: { navigations: [{ updateCard }] } } };
}

function card(title: string, widgets: readonly Widget[]): object {
  return { header: { title }, sections: [{ widgets }] };
}

/** Builds a paragraph. Google reads some HTML in its text. */
function paragraph(text: string, isBold = false): Widget {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { textParagraph: { text: isBold ? `<b>${escaped}</b>` : escaped } };
}
