// The form of a campaign: converts the entered values to a request of the contract, and a campaign to the form's
// values.
//
// The form can state one condition of the audience and one of the exclusions. A campaign with further conditions, which
// only the API can set, keeps them: the form selects `keep` as its audience, and the request omits the audience. The
// same holds for reminders and for everything else that the form sends only if it was changed.
import { Temporal } from 'temporal-polyfill';
import type { Schemas } from '../../../contract/contract.ts';
import { invalidField } from '../../../contract/errors.ts';
import type { FieldValues } from '../../shared/parts/fields.ts';

type Campaign = Schemas['Campaign'];
type Condition = Schemas['CampaignCondition'];
type ConditionInput = Schemas['CampaignConditionInput'];
type Item = Schemas['CampaignItem'];
export type CampaignInput = Omit<Schemas['CreateCampaignInput'], 'status' | 'externalId' | 'recurrence'> & {
  recurrence: Schemas['CampaignRecurrence'] | null;
};

/** Values entered in the campaign form. */
export interface CampaignForm {
  typed: FieldValues;
  /** Further items, as `type:id`. */
  moreItems: readonly string[];
  riskLevels: readonly string[];
  excludedGroups: readonly string[];
}

/** Fields with one value each. */
const TEXTS = [
  ...['name', 'items', 'audience', 'startAt', 'due', 'dueDate', 'departments', 'locations', 'countries'],
  ...['excludedDepartments', 'recurrence', 'months', 'before', 'after', 'message', 'replyName', 'escalation'],
  ...['includeNewcomers', 'keepOpenAfterLeaving', 'version'],
];

/** Lists of a condition that the form shows. */
const SHOWN = ['groupIds', 'departments', 'locations', 'countries', 'riskLevels'];
const SHOWN_EXCLUDED = ['groupIds', 'departments'];

export function readCampaignForm(form: URLSearchParams): CampaignForm {
  return {
    typed: Object.fromEntries(TEXTS.map((name) => [name, form.get(name) ?? ''])),
    moreItems: form.getAll('moreItems'),
    riskLevels: form.getAll('riskLevels'),
    excludedGroups: form.getAll('excludedGroups'),
  };
}

/** Returns the initial values of the form for a new campaign. */
export function newCampaignForm(): CampaignForm {
  const typed = { audience: 'everyone', due: '14', before: '7, 1', after: '1, 7, 14', includeNewcomers: 'yes' };
  return { typed, moreItems: [], riskLevels: [], excludedGroups: [] };
}

/** Returns the form's values for a campaign, with days in the given time zone. */
export function toCampaignForm(
  campaign: Campaign,
  { timeZone, version }: { timeZone: string; version: string },
): CampaignForm {
  const { audience, due, recurrence, reminders } = campaign;
  const isShown = canShow(campaign);
  const isDated = campaign.status !== 'draft' || Date.parse(campaign.startAt) > Date.now();
  const [condition, excluded] = isShown ? [audience.include[0], audience.exclude[0]] : [];
  const [item, ...moreItems] = campaign.items.map(formatItem);
  return {
    typed: {
      name: campaign.name,
      items: item ?? '',
      audience: isShown ? formatAudience(condition) : 'keep',
      startAt: isDated ? toDay(campaign.startAt, timeZone) : '',
      due: due.days === null ? '' : String(due.days),
      dueDate: due.date ?? '',
      ...{ departments: lines(condition?.departments), locations: lines(condition?.locations) },
      ...{ countries: condition?.countries?.join(', ') ?? '', excludedDepartments: lines(excluded?.departments) },
      ...{ recurrence: recurrence?.type ?? '', months: String(recurrence?.months ?? '') },
      ...{ before: reminders.before.join(', '), after: reminders.after.join(', ') },
      ...{ message: campaign.message ?? '', replyName: campaign.replyName ?? '' },
      escalation: String(campaign.escalation?.afterDays ?? ''),
      includeNewcomers: campaign.includeNewcomers ? 'yes' : '',
      keepOpenAfterLeaving: campaign.keepOpenAfterLeaving ? 'yes' : '',
      version,
    },
    moreItems,
    riskLevels: condition?.riskLevels ?? [],
    excludedGroups: excluded?.groupIds ?? [],
  };
}

/** Reports whether the form can show the audience of a campaign. */
export function canShow({ audience: { include, exclude } }: Pick<Campaign, 'audience'>): boolean {
  const hasOnly = (condition: Condition, names: readonly string[]) =>
    Object.entries(condition).every(([name, values]) => values === null || names.includes(name));
  return (
    include.length <= 1 &&
    exclude.length <= 1 &&
    include.every((condition) => hasOnly(condition, SHOWN) && (condition.groupIds?.length ?? 0) <= 1) &&
    exclude.every((condition) => hasOnly(condition, SHOWN_EXCLUDED))
  );
}

export const formatItem = ({ type, id }: Item): string => `${type}:${id}`;

const formatAudience = (condition?: Condition): string =>
  condition?.groupIds?.[0] === undefined ? 'everyone' : `group:${condition.groupIds[0]}`;

const lines = (values: readonly string[] | null | undefined): string => (values ?? []).join('\n');

/**
 * Builds a request from the values of the form. The contract validates it later.
 * @throws {ApiError} `invalid_request` for values that are not numbers
 */
export function toCampaignInput(form: CampaignForm, timeZone: string): CampaignInput {
  const { typed } = form;
  const text = (name: string) => (typed[name] ?? '').trim();
  return {
    name: typed.name ?? '',
    items: [...new Set([text('items'), ...form.moreItems])].filter((item) => item !== '').map(parseItem),
    ...(text('audience') !== 'keep' && { audience: toAudience(form) }),
    ...(text('startAt') !== '' && { startAt: toStart(text('startAt'), timeZone) }),
    due: text('dueDate') !== '' ? { date: text('dueDate') } : { days: toNumber(text('due'), 'due') },
    recurrence: toRecurrence(text('recurrence'), text('months')),
    reminders: { before: toNumbers(text('before')), after: toNumbers(text('after')) },
    message: orNull(text('message').replaceAll(/\s+/g, ' ')),
    replyName: orNull(text('replyName')),
    escalation: text('escalation') === '' ? null : { afterDays: toNumber(text('escalation'), 'escalation') },
    includeNewcomers: typed.includeNewcomers === 'yes',
    keepOpenAfterLeaving: typed.keepOpenAfterLeaving === 'yes',
  } as CampaignInput;
}

function parseItem(text: string): Item {
  const [type, id] = text.split(':');
  return { type, id } as Item;
}

function toAudience({ typed, riskLevels, excludedGroups }: CampaignForm): Schemas['CampaignAudienceInput'] {
  const [kind, groupId] = (typed.audience ?? '').split(':');
  const condition = withoutEmpty({
    groupIds: kind === 'group' ? [groupId ?? ''] : [],
    departments: toLines(typed.departments),
    locations: toLines(typed.locations),
    countries: (typed.countries ?? '').split(/[,;\n]/).map((country) => country.trim()),
    riskLevels,
  });
  const excluded = withoutEmpty({ groupIds: excludedGroups, departments: toLines(typed.excludedDepartments) });
  return {
    everyone: condition === undefined,
    include: condition === undefined ? [] : [condition],
    exclude: excluded === undefined ? [] : [excluded],
  };
}

/** Leaves out empty values; undefined if nothing is left. */
function withoutEmpty(lists: Record<string, readonly string[]>): ConditionInput | undefined {
  const filled = Object.entries(lists)
    .map(([name, values]) => [name, [...new Set(values.filter((value) => value !== ''))]] as const)
    .filter(([, values]) => values.length > 0);
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

function toLines(text = ''): string[] {
  return text.split(/\r?\n/).map((line) => line.trim());
}

function toRecurrence(type: string, months: string): CampaignInput['recurrence'] {
  if (type === '') return null;
  const recurrence = type as Schemas['CampaignRecurrence']['type'];
  return type === 'afterCompletion'
    ? { type: recurrence, months: toNumber(months, 'recurrence') }
    : { type: recurrence };
}

function toNumbers(text: string): number[] {
  return text.split(/[\s,;]+/).flatMap((number) => (number === '' ? [] : [toNumber(number, 'reminders')]));
}

/** @throws {ApiError} `invalid_request` */
function toNumber(text: string, field: string): number {
  if (!/^\d{1,5}$/.test(text)) throw invalidField(`body/${field}`, 'must be a whole number');
  return Number(text);
}

const orNull = (text: string): string | null => (text === '' ? null : text);

/** Returns the start of a day in a time zone. The contract rejects a string that is not a day. */
function toStart(day: string, timeZone: string): string {
  try {
    return Temporal.PlainDate.from(day).toZonedDateTime(timeZone).toInstant().toString();
  } catch {
    return day;
  }
}

/** Returns the calendar date of a time in a time zone. */
export function toDay(time: string, timeZone: string): string {
  return Temporal.Instant.from(time).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}
