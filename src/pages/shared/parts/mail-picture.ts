import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { MailPictureMessages } from './mail-picture-messages.ts';

/** An email of a simulation as its recipients see it. An operation has escaped and checked each `…Html`. */
export interface PicturedMail {
  senderNameHtml: string;
  senderAddressHtml: string;
  subjectHtml: string;
  bodyHtml: string;
  attachment: { nameHtml: string; titleHtml: string; textHtml: string } | null;
  cues: readonly { text: string; isMarked: boolean }[];
}

interface Surroundings {
  messages: MailPictureMessages;
  /** The language of the email. */
  language: Language;
  /** When the email was sent, if it was. */
  date?: Html | null;
}

/** Renders an email with its numbered marks. The page's policy must allow `style-src-attr`. */
export function mailPicture(mail: PicturedMail, { messages, language, date }: Surroundings): Html {
  const { attachment } = mail;
  return html`<article class="mail" aria-label=${messages.mail} lang=${language}>
    <dl>
      <dt>${messages.from}</dt>
      <dd><strong>${raw(mail.senderNameHtml)}</strong>${' '}${'<'}${raw(mail.senderAddressHtml)}${'>'}</dd>
      <dt>${messages.subject}</dt>
      <dd>${raw(mail.subjectHtml)}</dd>
      ${
        date &&
        html`<dt>${messages.date}</dt>
          <dd>${date}</dd>`
      }
      ${
        attachment &&
        html`<dt>${messages.attachment}</dt>
          <dd>${raw(attachment.nameHtml)}</dd>`
      }
    </dl>
    <div class="body" dangerouslySetInnerHTML=${{ __html: mail.bodyHtml }}></div>
    ${
      attachment &&
      html`<div class="body paper">
        <p><strong>${raw(attachment.titleHtml)}</strong></p>
        <p class="lines">${raw(attachment.textHtml)}</p>
      </div>`
    }
  </article>`;
}

/** Renders the explanations of the marks. */
export function cueList(cues: PicturedMail['cues'], messages: MailPictureMessages): Html {
  return html`<ol class="cues">
    ${cues.map(({ text, isMarked }, index) => {
      const number = index + 1;
      return html`<li id=${`cue-${number}`} tabindex="-1">
        ${!isMarked && html`<span class="hint">${messages.unmarked}</span>${' '}`}${text}
        ${isMarked && html`${' '}<a href=${`#mark-${number}`} role="doc-backlink" aria-label=${messages.toMark(number)}>↑</a>`}
      </li>`;
    })}
  </ol>`;
}

function raw(text: string): Html {
  return html`<span dangerouslySetInnerHTML=${{ __html: text }}></span>`;
}
