import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { formMessages } from './form-messages.ts';

type Finding = Schemas['CourseContentFinding'];

/** Renders findings as a list. The command line prints the same messages, so they are in English. */
export function findingsList(findings: readonly Finding[], language: Language): Html | false {
  const texts = formMessages[language];
  const item = ({ path, line, place, message }: Finding) => {
    const at = [path, line === null ? '' : texts.line(line), place].filter(Boolean).join(', ');
    return html`<li><code>${at}</code>: <span lang="en">${message}</span></li>`;
  };
  return (
    findings.length > 0 &&
    html`<div class="warning">
      <h2>${texts.findings}</h2>
      <ul>
        ${findings.map(item)}
      </ul>
    </div>`
  );
}

/** Returns a step's findings in one language as the fault of a field; undefined if there are none. */
export function toFault(findings: readonly Finding[], step: string, path: string): string | undefined {
  const own = findings.filter((one) => one.step === step && one.path === path);
  return own.length === 0 ? undefined : own.map(({ message }) => message).join('; ');
}
