import { type Html, html } from '../../../http/html/html.ts';
import { inline } from './authored-html.ts';
import type { PlayerMessages } from './player-messages.ts';
import { type MailPart, type PracticeMessages, practiceMessages } from './practice-messages.ts';
import type { Visit } from './visit.ts';

/**
 * Shows an email as a mail client does. Each part that can be marked has a checkbox. The URL of a link has a separate
 * line below the link, as in the status bar of a mail client: it appears while the pointer rests on the link, or the
 * link has the focus, and covers no text. A tap gives the link the focus. Links lead nowhere.
 */

type Question = Visit['written']['steps'][number]['questions'][number];
type Mail = NonNullable<Question['mail']>;

/** State of an email: either to be marked, with the parts that a rejected form had marked, or reviewed. */
interface Marking {
  question: Question;
  messages: PracticeMessages;
  /** Ids of the marked parts; undefined if the email is reviewed. */
  given: readonly string[] | undefined;
}

const HARMLESS = 'harmless';

/** Renders the email with a checkbox for each part, and one that declares the email harmless. */
export function renderMarkableMail(
  question: Question,
  given: readonly string[],
  language: keyof typeof practiceMessages,
): Html {
  const messages = practiceMessages[language];
  const marking = { question, messages, given };
  return html`<p class="hint">${messages.howToMark(question.atLeast)} ${messages.howToSeeAddresses}</p>
    ${renderMail(question.mail!, marking)}
    <label>${checkbox(marking, HARMLESS)} ${messages.harmless}</label>`;
}

/** Renders the email with its suspicious parts highlighted, and the explanation of each part. */
export function renderReviewedMail(
  question: Question,
  language: keyof typeof practiceMessages,
  player: PlayerMessages,
): Html {
  const messages = practiceMessages[language];
  return html`${renderMail(question.mail!, { question, messages, given: undefined })}
    <ul class="items">
      ${question.answers.map((answer) => renderExplanation(answer, messages, player))}
    </ul>`;
}

function renderExplanation(
  { id, isRight, isGiven, html: text, becauseHtml }: Question['answers'][number],
  messages: PracticeMessages,
  player: PlayerMessages,
): Html {
  const isHarmless = id === HARMLESS;
  const verdict = isHarmless ? (isRight ? player.rightAnswer : player.wrongAnswer) : messages.cue(isRight);
  const isGood = isHarmless ? isRight : !isRight;
  return html`<li>
    <p>${isHarmless ? messages.harmless : inline(text)}</p>
    <p>
      <strong class=${isGood ? 'good' : 'fault'}>${verdict}</strong>
      ${isGiven && html`<span> (${isHarmless ? player.yours : messages.marked})</span>`}: ${inline(becauseHtml)}
    </p>
  </li>`;
}

function renderMail(mail: Mail, marking: Marking): Html {
  const { messages } = marking;
  const line = (id: string | null, label: string, value: string) =>
    renderPart(marking, id, html`<span><strong>${label}</strong> ${value}</span>`);
  const named = (id: MailPart, value: string) => line(id, messages.parts[id], value);
  return html`<div class="mail" role="group" aria-label=${messages.mail}>
    <div class="mail-head">
      ${named('from', `${mail.from.name} <${mail.from.address}>`)} ${named('to', mail.to)} ${named('date', mail.date)}
      ${named('subject', mail.subject)} ${mail.attachment !== null && named('attachment', mail.attachment)}
      ${
        mail.headers.length > 0 &&
        html`<details open=${isHeaderShown(mail, marking)}>
          <summary>${messages.headers}</summary>
          ${mail.headers.map(({ id, name, value }) => line(id, `${name}:`, value))}
        </details>`
      }
    </div>
    ${mail.body.map((piece, index) =>
      piece.address === null
        ? renderPart(marking, piece.id, inline(piece.textHtml))
        : renderLink(marking, piece, `${marking.question.id}-address-${index}`),
    )}
  </div>`;
}

/** Reports whether the email's headers start expanded: they do if a marked or explained part is among them. */
function isHeaderShown({ headers }: Mail, { question, given }: Marking): boolean {
  const ids = given ?? question.answers.flatMap(({ id, isRight, isGiven }) => (isRight || isGiven ? id : []));
  return headers.some(({ id }) => id !== null && ids.includes(id));
}

/** Renders a part: with a checkbox, highlighted if it is a reviewed cue, or plain. */
function renderPart(marking: Marking, id: string | null, content: Html): Html {
  const answer = marking.question.answers.find((one) => one.id === id);
  if (answer && marking.given) return html`<label>${checkbox(marking, answer.id)} ${content}</label>`;
  return html`<p>${answer?.isRight ? html`<mark>${content}</mark>` : content}</p>`;
}

function renderLink(marking: Marking, { id, textHtml, address }: Mail['body'][number], addressId: string): Html {
  const answer = marking.question.answers.find((one) => one.id === id);
  const link = html`<span
    class="mail-target"
    role="link"
    aria-disabled="true"
    tabindex="0"
    aria-describedby=${addressId}
    >${inline(textHtml)}</span
  >`;
  const label = `${marking.messages.markLink}: ${stripTags(textHtml)}`;
  return html`<div class="mail-link">
    ${answer && marking.given && checkbox(marking, answer.id, label)}
    ${answer?.isRight && !marking.given ? html`<mark>${link}</mark>` : link}
    <code class="mail-address" id=${addressId}>${address}</code>
  </div>`;
}

function checkbox({ question, given }: Marking, id: string, label?: string): Html {
  return html`<input
    type="checkbox"
    name=${question.id}
    value=${id}
    checked=${given?.includes(id)}
    aria-label=${label}
  />`;
}

function stripTags(text: string): string {
  return text.replace(/<[^>]*>/g, '');
}
