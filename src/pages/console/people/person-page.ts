import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls, type ApiRequest } from '../../shared/parts/api-calls.ts';
import { renderDay } from '../../shared/parts/fields.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { facts, tiles } from '../../shared/parts/tiles.ts';
import { sessionsMessages } from '../../shared/sessions-messages.ts';
import { formatWay, renderTime, sessionsTable } from '../../shared/sessions-page.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { figureMessages } from '../overview/figure-messages.ts';
import { formatCountry } from './people-list-page.ts';
import { peopleListMessages } from './people-list-messages.ts';
import { mailStatusSection } from './mail-status/mail-status-section.ts';
import { PEOPLE_PATH, toPersonPath } from './people-paths.ts';
import { type PersonMessages, personMessages } from './person-messages.ts';
import type { PersonRecords } from './person-reading.ts';
import { type TimelineEntry, toTimeline } from './person-timeline.ts';
import { timelineMessages } from './timeline-messages.ts';

export interface PersonView {
  language: Language;
  records: PersonRecords;
  /** The actions that the role permits, as links. */
  actions: readonly { href: string; text: string }[];
  /** Token of the form that clears the mail status; undefined if the role cannot clear it. */
  mailFormToken: string | undefined;
}

/** Number of history entries that are shown at first; the rest are folded away. */
const SHOWN_ENTRIES = 30;

/** Renders everything that the role can read about one person. */
export function personContent({ language, records, actions, mailFormToken }: PersonView): Html {
  const messages = personMessages[language];
  const { learner, assignments, risk, corrections } = records;
  return html`
    <p><a href=${PEOPLE_PATH}>${messages.all}</a></p>
    ${actions.length > 0 && html`<p class="links">${actions.map(({ href, text }) => html`<a href=${href}>${text}</a>${' '}`)}</p>`}
    ${assignments && openAssignments(assignments, records.names, language)} ${proposalsSection(records, language)}
    ${riskSection(learner, risk, language)} ${history(toTimeline(records, timelineMessages[language]), language)}
    ${details(learner, language)}
    ${mailStatusSection({ learner, bounces: records.bounces, formToken: mailFormToken, language })}
    ${signInSection(records, language)} ${corrections && correctionsSection(corrections, language)}
    ${apiCalls(listCalls(records), language)}
  `;
}

function details(learner: Schemas['Learner'], language: Language): Html {
  const { fields, details: title, byDirectory } = personMessages[language];
  const { active, inactive } = peopleListMessages[language];
  const { manager, groups, country, managedBy } = learner;
  return html`<h2>${title}</h2>
    ${facts([
      [fields.email, learner.email],
      [fields.state, `${learner.inactive ? inactive : active}${managedBy === 'directory' ? ` (${byDirectory})` : ''}`],
      fact(fields.externalLearnerId, learner.externalLearnerId),
      fact(fields.department, learner.department),
      fact(fields.jobTitle, learner.jobTitle),
      manager && [fields.manager, html`<a href=${toPersonPath(manager.id)}><bdi>${manager.name}</bdi></a>`],
      groups.length > 0 && [
        fields.groups,
        html`${groups.map(({ id, name }, index) => html`${index > 0 && ', '}<a href=${`${PEOPLE_PATH}?groupId=${id}`}><bdi>${name}</bdi></a>`)}`,
      ],
      fact(fields.location, learner.location),
      fact(fields.country, country && formatCountry(country, language)),
      fact(fields.locale, learner.locale),
      fact(fields.timeZone, learner.timeZone),
      learner.absentUntil !== null && [fields.absentUntil, renderDay(learner.absentUntil, language, '–')],
      [fields.createdAt, renderDay(learner.createdAt, language, '–')],
    ])}`;
}

function fact(name: string, value: string | null): [string, string] | false {
  return value !== null && value !== '' && [name, value];
}

function openAssignments(
  assignments: NonNullable<PersonRecords['assignments']>,
  names: PersonRecords['names'],
  language: Language,
): Html {
  const messages = personMessages[language];
  const toRow = (assignment: (typeof assignments)[number]) => {
    const { item, dueOn, overdue } = assignment;
    const due = html`${renderDay(dueOn, language, '–')}${overdue && html` <strong>(${messages.overdue})</strong>`}`;
    const name = names.get(item.id) ?? timelineMessages[language][item.type === 'policy' ? 'aPolicy' : 'aCourse'];
    return [name, due, 'explanation' in assignment ? formatReason(assignment.explanation, messages) : '–'];
  };
  return html`<h2>${messages.open}</h2>
    ${
      assignments.length === 0
        ? html`<p>${messages.nothingOpen}</p>`
        : dataTable({ caption: messages.open, columns: messages.openHead, rows: assignments.map(toRow) })
    }`;
}

/** Renders the courses that the gap analysis proposes; nothing if it proposes none. */
function proposalsSection({ proposals = [] }: PersonRecords, language: Language): Html | false {
  if (proposals.length === 0) return false;
  const { proposed, proposedAbout, proposedHead, proposalStates } = personMessages[language];
  const { percent } = getFormats(language);
  const rows = proposals.map(({ name, score, status }) => [
    html`<bdi>${name}</bdi>`,
    percent(score, 100),
    (proposalStates as Record<string, string>)[status] ?? status,
  ]);
  return html`<h2>${proposed}</h2>
    <p class="hint">${proposedAbout}</p>
    ${dataTable({ caption: proposed, columns: proposedHead, rows })}`;
}

function formatReason(
  { campaignName, conditionMet, repeatedBecause, dueBecause, messages: mails }: Schemas['AssignmentExplanation'],
  messages: PersonMessages,
): string {
  const reasons = [
    conditionMet === null ? messages.everyone : messages.condition,
    ...(repeatedBecause === null ? [] : [messages.repeatedBecause[repeatedBecause] ?? repeatedBecause]),
    messages.dueBecause[dueBecause],
    ...(mails.length > 0 ? [messages.mailed(mails.length)] : []),
  ];
  return messages.why(campaignName, reasons.join('; '));
}

function riskSection(learner: Schemas['Learner'], risk: PersonRecords['risk'], language: Language): Html {
  const messages = personMessages[language];
  const { number, score, day } = getFormats(language);
  const level = figureMessages[language].levels[learner.riskScoreLevel];
  const factors = Object.entries(messages.factors).map(([name, label]) => {
    const value = risk?.factors[name as keyof typeof messages.factors] ?? null;
    return { name: label, value: value === null ? messages.notCounted : score(value) };
  });
  return html`<h2>${messages.risk}</h2>
    ${
      risk
        ? html`${tiles([{ name: messages.risk, value: `${number(risk.score)} (${level})` }, ...factors])}
            <p class="hint">${messages.riskSince(day(risk.date))}</p>`
        : html`<p>${level}. ${messages.noRisk}</p>`
    }`;
}

function history(entries: readonly TimelineEntry[], language: Language): Html {
  const messages = personMessages[language];
  const toRow = ({ at, kind, text }: TimelineEntry) => [
    at.includes('T') ? renderTime(at, language) : renderDay(at, language, '–'),
    timelineMessages[language].kinds[kind],
    html`<bdi>${text}</bdi>`,
  ];
  const table = (shown: readonly TimelineEntry[]) =>
    dataTable({ caption: messages.history, columns: messages.historyHead, rows: shown.map(toRow) });
  const earlier = entries.slice(SHOWN_ENTRIES);
  return html`<h2>${messages.history}</h2>
    ${
      entries.length === 0
        ? html`<p>${messages.noHistory}</p>`
        : html`<p class="hint">${messages.historyAbout}</p>
            ${table(entries.slice(0, SHOWN_ENTRIES))}`
    }
    ${
      earlier.length > 0 &&
      html`<details>
        <summary>${messages.earlier(earlier.length)}</summary>
        ${table(earlier)}
      </details>`
    }`;
}

function signInSection({ signIns, sessions, learner }: PersonRecords, language: Language): Html | false {
  if (!signIns && !sessions) return false;
  const messages = personMessages[language];
  const last = signIns?.find(({ outcome }) => outcome === 'succeeded');
  return html`<h2>${messages.signIn}</h2>
    ${
      signIns &&
      facts([
        [
          messages.lastSignIn,
          last
            ? html`${renderTime(last.occurredAt, language)} (${formatWay(last.method, sessionsMessages[language])})`
            : messages.never,
        ],
      ])
    }
    ${sessions && sessionsTable({ path: toPersonPath(learner.id), language, sessions })}`;
}

function correctionsSection(corrections: readonly Schemas['Correction'][], language: Language): Html {
  const messages = personMessages[language];
  const toRow = ({ correctedAt, kind, action, reason }: Schemas['Correction']) => [
    renderTime(correctedAt, language),
    (messages.recordKinds as Record<string, string>)[kind] ?? kind,
    (messages.correctionActions as Record<string, string>)[action] ?? action,
    html`<bdi>${reason}</bdi>`,
  ];
  return html`<h2>${messages.corrections}</h2>
    ${
      corrections.length === 0
        ? html`<p>${messages.noCorrections}</p>`
        : dataTable({
            caption: messages.corrections,
            columns: messages.correctionHead,
            rows: corrections.map(toRow),
          })
    }`;
}

/** Lists the calls that read what the page shows. */
function listCalls({ learner, ...parts }: PersonRecords): ApiRequest[] {
  const path = { learnerId: learner.id };
  const calls: [unknown, ApiRequest][] = [
    [true, { operationId: 'getLearner', path }],
    [parts.assignments, { operationId: 'listAssignments', query: path }],
    [parts.proposals, { operationId: 'getLearnerGapAnalysisProposals', path }],
    [parts.courses, { operationId: 'listLearnerCourseResults', path }],
    [parts.policies, { operationId: 'listLearnerPolicyResults', path }],
    [parts.simulations, { operationId: 'listLearnerSimulationResults', path }],
    [parts.messages, { operationId: 'listLearnerMessages', path }],
    [parts.bounces, { operationId: 'listLearnerBounces', path }],
    [parts.memberships, { operationId: 'listLearnerMemberships', path }],
    [parts.corrections, { operationId: 'listCorrections', query: path }],
  ];
  return calls.filter(([isShown]) => isShown !== undefined).map(([, call]) => call);
}
