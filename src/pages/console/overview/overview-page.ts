import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { breachFigure } from '../breaches/breach-figure.ts';
import { IMPORTS_PATH } from '../people/imports/imports-page.ts';
import { simulationFigure } from '../simulations/simulation-figure.ts';
import { tiles } from '../../shared/parts/tiles.ts';
import { getFormats } from './figure-formats.ts';
import { figureMessages } from './figure-messages.ts';
import { type Outcome, type OverviewFigure, type ReportReader, readOutcome, type Shown } from './figures.ts';
import { groupFigure } from './group-figure.ts';
import { overviewMessages } from './overview-messages.ts';
import { riskFigure } from './risk-figure.ts';

/** The figures, in page order. */
const FIGURES = { risk: riskFigure, groups: groupFigure, simulations: simulationFigure, breaches: breachFigure };
const ENTRIES = Object.entries(FIGURES) as [keyof typeof FIGURES, OverviewFigure<unknown>][];

/** The data of each figure, or the reason why the data is missing. */
export type Figures = {
  [Name in keyof typeof FIGURES]: Outcome<Awaited<ReturnType<(typeof FIGURES)[Name]['read']>>>;
};

/**
 * Reads the figures of a company through operations of the contract, so their permissions, limits and audit log apply.
 * A figure that fails does not affect the others.
 * @param companyId a managed child; undefined for the caller's own company
 * @throws {ApiError} `forbidden` for a company that the caller cannot read
 */
export async function readFigures(reader: ReportReader, companyId: string | undefined): Promise<Figures> {
  const child = companyId === undefined ? {} : { companyId };
  const outcomes = ENTRIES.map(async ([name, figure]) => [name, await readOutcome(reader, figure.read(reader, child))]);
  return Object.fromEntries(await Promise.all(outcomes)) as Figures;
}

export interface OverviewOptions {
  language: Language;
  /** The child whose figures the page shows; undefined for the admin's own company. */
  companyId: string | undefined;
  /** Whether the page links back to a list of companies. */
  isOneOfMany: boolean;
  /** Whether the admin can import people. */
  canImport: boolean;
  today: Date;
}

/** Renders the overview of one company: its key numbers, and the figures. */
export function overviewPage(figures: Figures, options: OverviewOptions): { title: string; content: Html } {
  const { language, companyId, isOneOfMany, canImport, today } = options;
  const messages = overviewMessages[language];
  const child = companyId === undefined ? {} : { companyId };
  const shown: Shown = { language, messages: figureMessages[language], formats: getFormats(language), child, today };
  const company = 'data' in figures.groups ? figures.groups.data.company : undefined;
  const part = (figure: OverviewFigure<unknown>, outcome: Outcome<unknown>) =>
    'data' in outcome
      ? figure.show(outcome.data, shown)
      : missing(figure.title(language), shown.messages.missing[outcome.missing]);
  return {
    title: company && isOneOfMany ? messages.of(company.name) : messages.overview,
    content: html`${isOneOfMany && companyId === undefined && html`<p><a href="/console">${messages.back}</a></p>`}
      ${company && keyNumbers(company, language)} ${company?.learnerCount === 0 && firstSteps(canImport, language)}
      <div class="figures">${ENTRIES.map(([name, figure]) => part(figure, figures[name]))}</div>`,
  };
}

function missing(title: string, text: string): Html {
  return html`<section class="figure">
    <h2>${title}</h2>
    <p>${text}</p>
  </section>`;
}

function keyNumbers(company: Schemas['GroupReportCompany'], language: Language): Html {
  const { learners, risk, training, policies, nothing } = overviewMessages[language];
  const { number, score, percent } = getFormats(language);
  const { levels } = figureMessages[language];
  const { learnerCount, averageRiskScore, riskScoreLevel } = company;
  const share = (completed: number, all: number) => (all === 0 ? nothing : percent(completed, all));
  return tiles([
    { name: learners, value: number(learnerCount) },
    averageRiskScore !== null &&
      riskScoreLevel !== null && { name: risk, value: `${score(averageRiskScore)} (${levels[riskScoreLevel]})` },
    company.training && {
      name: training,
      value: share(company.training.finishedCount, company.training.enrollmentCount),
    },
    company.policies && { name: policies, value: share(company.policies.signedCount, company.policies.assignedCount) },
  ]);
}

function firstSteps(canImport: boolean, language: Language): Html {
  const { title, text, table, directory, hr, call, then } = overviewMessages[language].start;
  return html`<section class="note">
    <h2>${title}</h2>
    <p>${text}</p>
    <ul>
      ${canImport && html`<li><a href=${IMPORTS_PATH}>${table}</a></li>`}
      <li><a href="/docs/directories">${directory}</a></li>
      <li><a href="/docs/hr">${hr}</a></li>
      <li><a href="/docs/operations/createLearners">${call}</a></li>
    </ul>
    <p>${then}</p>
  </section>`;
}
