import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { breachFigure } from './breach-figure.ts';
import { getFormats } from './figure-formats.ts';
import type { Shown } from './figure-shown.ts';
import { figureMessages } from './figure-messages.ts';
import type { Figures, Outcome } from './figures.ts';
import { groupFigure } from './group-figure.ts';
import { overviewMessages } from './overview-messages.ts';
import { riskFigure } from './risk-figure.ts';
import { simulationFigure } from './simulation-figure.ts';

export interface OverviewOptions {
  language: Language;
  /** The child that the figures are of; undefined for the own company. */
  companyId: string | undefined;
  /** Whether there is a list of companies to go back to. */
  isOneOfMany: boolean;
  today: Date;
}

/** The overview of one company: what it is in numbers, and a figure for each kind of fact. */
export function overviewPage(figures: Figures, options: OverviewOptions): { title: string; content: Html } {
  const { language, companyId, isOneOfMany, today } = options;
  const messages = overviewMessages[language];
  const child: Shown['child'] = companyId === undefined ? {} : { companyId };
  const shown: Shown = { messages: figureMessages[language], formats: getFormats(language), child, today };
  const company = 'data' in figures.groups ? figures.groups.data.company : undefined;
  const part = <T>(title: string, outcome: Outcome<T>, show: (data: T, shown: Shown) => Html) =>
    'data' in outcome ? show(outcome.data, shown) : missing(title, shown.messages.missing[outcome.missing]);
  const { risk, groups, simulations, breaches } = shown.messages;
  return {
    title: company && isOneOfMany ? messages.of(company.name) : messages.overview,
    content: html`${isOneOfMany && html`<p><a href="/console">${messages.children.back}</a></p>`}
      ${company && tiles(company, language)} ${company?.learnerCount === 0 && firstSteps(language)}
      <div class="figures">
        ${part(risk.title, figures.risk, ({ rows }) => riskFigure(rows, shown))}
        ${part(groups.title, figures.groups, groupFigure)}
        ${part(simulations.title, figures.simulations, simulationFigure)}
        ${part(breaches.title, figures.breaches, breachFigure)}
      </div>`,
  };
}

function missing(title: string, text: string): Html {
  return html`<section class="figure">
    <h2>${title}</h2>
    <p>${text}</p>
  </section>`;
}

function tiles(company: Schemas['GroupReportCompany'], language: Language): Html {
  const { learners, risk, training, policies, nothing } = overviewMessages[language];
  const { number, score, percent } = getFormats(language);
  const { levels } = figureMessages[language];
  const { learnerCount, averageRiskScore, riskScoreLevel } = company;
  const share = (completed: number, all: number) => (all === 0 ? nothing : percent(completed, all));
  const tile = (name: string, value: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return html`<dl class="tiles">
    ${tile(learners, number(learnerCount))}
    ${
      averageRiskScore !== null &&
      riskScoreLevel !== null &&
      tile(risk, `${score(averageRiskScore)} (${levels[riskScoreLevel]})`)
    }
    ${company.training && tile(training, share(company.training.finishedCount, company.training.enrollmentCount))}
    ${company.policies && tile(policies, share(company.policies.signedCount, company.policies.assignedCount))}
  </dl>`;
}

function firstSteps(language: Language): Html {
  const { title, text, directory, hr, call, then } = overviewMessages[language].start;
  return html`<section class="note">
    <h2>${title}</h2>
    <p>${text}</p>
    <ul>
      <li><a href="/docs/directories">${directory}</a></li>
      <li><a href="/docs/hr">${hr}</a></li>
      <li><a href="/docs/operations/createLearners">${call}</a></li>
    </ul>
    <p>${then}</p>
  </section>`;
}
