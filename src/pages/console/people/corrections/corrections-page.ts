import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { confirmation } from '../../../shared/parts/confirmation.ts';
import { emptyState } from '../../../shared/parts/empty-state.ts';
import { formFault, hiddenFields, renderDay, textField } from '../../../shared/parts/fields.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import type { FormFaults } from '../../form-faults.ts';
import { toPersonPath } from '../people-paths.ts';
import { type CorrectionAction, type CorrectionField, correctionsMessages } from './corrections-messages.ts';
import { listCorrections, type PersonRecord } from './corrections-reading.ts';

/** Returns the path of a person's records. */
export function toCorrectionsPath(learnerId: string, form = ''): string {
  return `${toPersonPath(learnerId)}/records${form}`;
}

interface RecordsView {
  language: Language;
  learner: Schemas['Learner'];
  records: readonly PersonRecord[];
  canCorrect: boolean;
}

/** Renders the records of a person, each with the possible corrections. */
export function recordsContent({ language, learner, records, canCorrect }: RecordsView): Html {
  const messages = correctionsMessages[language];
  const toLink = ({ kind, eventId, text }: PersonRecord, action: CorrectionAction) => {
    const query = new URLSearchParams({ kind, eventId, action }).toString();
    const label = `${messages.actions[action]}: ${text}`;
    return html`<a href=${`${toCorrectionsPath(learner.id, '/correct')}?${query}`} aria-label=${label}
        >${messages.actions[action]}</a
      >${' '}`;
  };
  const toRow = (record: PersonRecord) => [
    html`${messages.kinds[record.kind]}: <bdi>${record.text}</bdi>`,
    renderDay(record.at, language, '–'),
    record.isVoided ? messages.states.voided : messages.states.counts,
    ...(canCorrect ? [html`${listCorrections(record).map((action) => toLink(record, action))}`] : []),
  ];
  return html`
    <p><a href=${toPersonPath(learner.id)}>${messages.back}</a></p>
    <p>${messages.about}</p>
    ${
      records.length === 0
        ? emptyState(messages.none)
        : dataTable({
            caption: messages.title(learner.name),
            columns: messages.head,
            rows: records.map(toRow),
          })
    }
    ${apiCalls([{ operationId: 'correctRecords' }], language)}
  `;
}

interface CorrectionView {
  language: Language;
  formToken: string;
  once: string;
  learnerId: string;
  record: PersonRecord;
  action: CorrectionAction;
  typed: Readonly<Record<string, string>>;
  faults: FormFaults;
}

const DATE = { type: 'date', autocomplete: 'off' };

const REPLACEMENTS: Partial<
  Record<PersonRecord['kind'], readonly (readonly [CorrectionField, Record<string, string>])[]>
> = {
  course_result: [
    ['startedOn', DATE],
    ['finishedOn', DATE],
    ['score', { inputmode: 'decimal', autocomplete: 'off' }],
  ],
  policy_signature: [
    ['signedOn', DATE],
    ['note', { autocomplete: 'off' }],
  ],
};

/** Renders the form that corrects a record. */
export function correctionContent(view: CorrectionView): Html {
  const { language, formToken, once, learnerId, record, action, typed, faults } = view;
  const messages = correctionsMessages[language];
  const field = (name: CorrectionField, also: Record<string, string | boolean>) =>
    textField(
      {
        ...{ name, label: messages.fields[name], also },
        ...(messages.hints[name] !== undefined && { hint: messages.hints[name] }),
      },
      typed,
      faults.fields,
    );
  const replacement = action === 'replace' ? (REPLACEMENTS[record.kind] ?? []) : [];
  return html`
    ${formFault(faults.whole)}
    <p>${messages.kinds[record.kind]}: <bdi>${record.text}</bdi>, ${renderDay(record.at, language, '–')}</p>
    ${confirmation({
      about: messages.effects[action],
      action: toCorrectionsPath(learnerId, '/correct'),
      hidden: html`${hiddenFields(formToken, once)}
        <input type="hidden" name="kind" value=${record.kind} />
        <input type="hidden" name="eventId" value=${record.eventId} />
        <input type="hidden" name="action" value=${action} />`,
      fields: html`${replacement.map(([name, also]) => field(name, also))}
      ${field('reason', { required: true, maxlength: '500', autocomplete: 'off' })}`,
      button: messages.actions[action],
      keep: { href: toCorrectionsPath(learnerId), text: messages.keep },
    })}
    ${apiCalls([{ operationId: 'correctRecords' }], language)}
  `;
}
