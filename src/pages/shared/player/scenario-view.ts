import { type Html, html } from '../../../http/html/html.ts';
import { block, inline } from './authored-html.ts';
import { practiceMessages } from './practice-messages.ts';
import { replayPath, type Visit } from './visit.ts';

type Question = Visit['written']['steps'][number]['questions'][number];

/** Renders the scene that the learner has reached, with its choices as part of the form of the step. */
export function renderScene(visit: Visit, { id, askHtml, scenario }: Question, fault: Html | undefined): Html {
  const messages = practiceMessages[visit.written.language];
  const { html: text, choices, path } = scenario!;
  return html`<h2>${inline(askHtml)}</h2>
    ${block(text)}
    <input type="hidden" name=${`${id}-path`} value=${path.join('.')} />
    <fieldset aria-describedby=${fault && `${id}-fault`}>
      <legend>${messages.whatNow}</legend>
      ${fault}
      ${choices.map(
        (choice) => html`<label><input type="radio" name=${id} value=${choice.id} /> ${inline(choice.html)}</label>`,
      )}
    </fieldset>`;
}

/** Renders the end of a scenario, or a scene of a replay, whose choices are links because nothing is stored. */
export function renderOutcome(visit: Visit, place: number, { askHtml, scenario }: Question): Html {
  const messages = practiceMessages[visit.written.language];
  const { html: text, end, choices, path, isReplay } = scenario!;
  const again = html`<p><a class="button quiet" href=${replayPath(visit, place, [])}>${messages.playAgain}</a></p>`;
  return html`<h2>${inline(askHtml)}</h2>
    ${isReplay && html`<p class="hint">${messages.replay}</p>`} ${block(text)}
    ${
      end !== null &&
      html`<p class=${end === 'good' ? 'good' : 'fault'} role="status">
          <strong>${end === 'good' ? messages.goodEnd : messages.badEnd}</strong>
        </p>
        ${!isReplay && html`<p>${messages.firstEndCounts}</p>`}`
    }
    ${
      end === null &&
      isReplay &&
      html`<h3>${messages.whatNow}</h3>
        <ul class="items">
          ${choices.map(
            (choice) =>
              html`<li><a href=${replayPath(visit, place, [...path, choice.id])}>${inline(choice.html)}</a></li>`,
          )}
        </ul>`
    }
    ${(end !== null || !isReplay) && again}`;
}
