import { call } from '../../../support/client.ts';
import { policyId } from '../../../support/world-policies.ts';
import { companies, managedCourses, ownCourseId } from '../../../support/world.ts';
import { BEFORE_ALL, toLocal } from './calendar.ts';
import { type Campaign, COMPANY_ZONE, type CompanyModel, type Person } from './company-model.ts';

const DEPARTMENTS = ['Sales', 'Support', 'Office'];
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/New_York'];
const MANAGERS = 5;

const phishing = { type: 'course', id: managedCourses.phishing } as const;
const passwords = { type: 'course', id: managedCourses.passwords } as const;
const own = { type: 'course', id: ownCourseId('tenant'), validForMonths: 5 } as const;
const policy = { type: 'policy', id: policyId('tenant', 1) } as const;

const DEFAULTS = {
  ...{
    department: null,
    dueDays: 14,
    isYearly: false,
    months: null,
    renews: false,
    keepsOpen: false,
    includesNewcomers: true,
  },
  ...{ remindBefore: [7, 1], remindAfter: [1, 7, 14], escalateAfter: null },
};

/** A campaign of the model company, and the number of the day on which it starts. */
export interface PlannedCampaign extends Omit<Campaign, 'id' | 'dueDate' | 'startedOn' | 'isAssigned' | 'isEnded'> {
  startsAfter: number;
  /** Days from the start to the due date, if it is a date. */
  dueAfter?: number;
  endsAfter?: number;
}

export const PLANNED: PlannedCampaign[] = [
  { ...DEFAULTS, name: 'Yearly', startsAfter: 1, items: [phishing], isYearly: true, escalateAfter: 7 },
  {
    ...{ ...DEFAULTS, name: 'Half-yearly', startsAfter: 20, department: 'Sales', items: [passwords, policy] },
    ...{ dueDays: 30, months: 6, escalateAfter: 3, remindBefore: [10, 3], remindAfter: [2, 9, 30] },
  },
  {
    ...{
      ...DEFAULTS,
      name: 'By a date',
      startsAfter: 40,
      endsAfter: 200,
      department: 'Support',
      items: [phishing, own],
    },
    ...{ dueDays: null, dueAfter: 45, keepsOpen: true, includesNewcomers: false, remindAfter: [1, 7, 60] },
  },
  { ...DEFAULTS, name: 'Renewed', startsAfter: 60, items: [own, phishing], dueDays: 10, renews: true },
  { ...DEFAULTS, name: 'Once', startsAfter: 90, items: [own], dueDays: 5, remindBefore: [], escalateAfter: 14 },
];

/** Daily probabilities, for each person or each open assignment. */
export interface Rates {
  leave: number;
  return: number;
  hire: number;
  move: number;
  travel: number;
  finish: number;
  fail: number;
  waive: number;
}

async function send(method: string, path: string, body: unknown): Promise<any> {
  const answer = await call('tenant', method, path, { body, alone: false });
  expect({ path, status: answer.status, error: answer.body.error }).toMatchObject({ status: 200, error: undefined });
  return answer.body.data;
}

/** Changes the model company at random, both through the API and in the model. */
export class CompanyLife {
  readonly #model: CompanyModel;
  readonly #random: () => number;
  readonly #rates: Rates;
  #made = 0;

  constructor(model: CompanyModel, random: () => number, rates: Rates) {
    this.#model = model;
    this.#random = random;
    this.#rates = rates;
  }

  #pick<Value>(values: Value[]): Value {
    return values[Math.floor(this.#random() * values.length)]!;
  }

  #happens(probability: number): boolean {
    return this.#random() < probability;
  }

  async hire(): Promise<void> {
    const managers = this.#model.people.slice(0, MANAGERS);
    const manager = managers.length < MANAGERS ? undefined : this.#pick(managers);
    const fields = { department: this.#pick(DEPARTMENTS), timeZone: this.#pick(ZONES), managerId: manager?.id ?? null };
    const email = `model${++this.#made}@tenant.test`;
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
    const { id } = await send('POST', '/learners', { email, firstName: 'Mo', lastName: `No ${this.#made}`, ...given });
    const { department, timeZone: zone, managerId } = fields;
    const person: Person = { id, email, inactive: false, zone, department, managerId, ...NO_MAILS(), results: [] };
    this.#model.people.push(person);
    this.#model.changed.add(person);
  }

  /** Lets part of a day pass. */
  async change(at: number): Promise<void> {
    const { people } = this.#model;
    for (let left = people.length; left > 0; left -= 1) if (this.#happens(this.#rates.hire)) await this.hire();
    await this.#setInactive(
      true,
      people.filter(({ inactive }) => !inactive && this.#happens(this.#rates.leave)),
    );
    await this.#setInactive(
      false,
      people.filter(({ inactive }) => inactive && this.#happens(this.#rates.return)),
    );
    for (const person of people) {
      if (this.#happens(this.#rates.move)) await this.#set(person, { department: this.#pick(DEPARTMENTS) });
      if (this.#happens(this.#rates.travel)) await this.#set(person, { timeZone: this.#pick(ZONES) });
    }
    await this.#finish(at);
    await this.#waive(at);
  }

  async #setInactive(inactive: boolean, people: Person[]): Promise<void> {
    if (people.length === 0) return;
    const learnerIds = people.map(({ id }) => id);
    await send('POST', inactive ? '/learners/deactivate' : '/learners/activate', { learnerIds });
    for (const person of people) {
      person.inactive = inactive;
      this.#model.changed.add(person);
    }
  }

  async #set(person: Person, fields: { department?: string; timeZone?: string }): Promise<void> {
    const learners = [{ learner: { id: person.id }, ...fields }];
    expect(await send('PATCH', '/learners/bulk', { learners })).toMatchObject({ success: true });
    const { department = person.department, timeZone = person.zone } = fields;
    Object.assign(person, { department, zone: timeZone });
    this.#model.changed.add(person);
  }

  /** Lets people pass or fail courses and sign policies for which they have open assignments. */
  async #finish(at: number): Promise<void> {
    const time = new Date(at).toISOString();
    const results: object[] = [];
    const signatures: object[] = [];
    const done: [Person, string][] = [];
    for (const person of this.#model.people.filter(({ inactive }) => !inactive)) {
      const items = new Map(this.#model.open(person).map(({ item }) => [item.id, item]));
      for (const { id, type } of items.values()) {
        const [passes, fails] = [this.#happens(this.#rates.finish), this.#happens(this.#rates.fail)];
        if (!passes && !fails) continue;
        const fact = { eventId: `model-${++this.#made}`, learner: { id: person.id } };
        if (passes) done.push([person, id]);
        if (type === 'course') results.push({ ...fact, course: { id }, finishedAt: time, score: passes ? 100 : 10 });
        else if (passes) signatures.push({ ...fact, policyId: id, signedAt: time, offline: true });
      }
    }
    if (results.length > 0) expect(await send('POST', '/course-results', { results })).toMatchObject({ failures: [] });
    if (signatures.length > 0) {
      expect(await send('POST', '/policy-signatures', { signatures })).toMatchObject({ failures: [] });
    }
    for (const [person, item] of done) this.#model.finish(person, item, at);
  }

  async #waive(at: number): Promise<void> {
    const waived = this.#model.people
      .flatMap((person) => this.#model.open(person))
      .filter(() => this.#happens(this.#rates.waive));
    for (const one of waived) {
      const { campaign, person, item, round } = one;
      const [row] = await testService.query(
        'select id from campaign_assignments where campaign_id = $1 and learner_id = $2 and item_id = $3 and round = $4',
        [campaign.id, person.id, item.id, round],
      );
      await send('POST', '/assignments/waive', { assignmentIds: [row!['id']], reason: 'Away' });
      this.#model.waive(one, at);
    }
  }

  /** Creates a campaign that starts at a time. The service uses the real clock, so the due date can already be past. */
  async plan(campaign: PlannedCampaign, startAt: number): Promise<Campaign> {
    const { dueAfter, ...planned } = campaign;
    const { name, department, escalateAfter } = planned;
    const items = planned.items.map(({ type, id: itemId }) => ({ type, id: itemId }));
    const recurrence = findRecurrence(planned);
    const { id } = await send('POST', '/campaigns', {
      ...{ name, items, status: 'active', startAt: new Date(startAt).toISOString(), ...(recurrence && { recurrence }) },
      audience: department === null ? { everyone: true } : { include: [{ departments: [department] }] },
      due: { days: planned.dueDays ?? 1 },
      reminders: { before: planned.remindBefore, after: planned.remindAfter },
      ...(escalateAfter !== null && { escalation: { afterDays: escalateAfter } }),
      ...{ includeNewcomers: planned.includesNewcomers, keepOpenAfterLeaving: planned.keepsOpen },
    });
    const dueDate = dueAfter === undefined ? null : toLocal(startAt + dueAfter * 86_400_000, COMPANY_ZONE).day;
    if (dueDate !== null) {
      await testService.query('update campaigns set due_days = null, due_date = $2 where id = $1', [id, dueDate]);
    }
    return { ...planned, id, dueDate, startedOn: null, isAssigned: false, isEnded: false };
  }

  async end(campaign: Campaign): Promise<void> {
    await send('PATCH', `/campaigns/${campaign.id}`, { status: 'ended' });
    await testService.query('update campaigns set evaluate_at = now() where id = $1', [campaign.id]);
  }
}

function findRecurrence({ isYearly, months, renews }: Pick<Campaign, 'isYearly' | 'months' | 'renews'>): object | null {
  if (isYearly) return { type: 'yearly' };
  if (renews) return { type: 'beforeExpiry' };
  return months === null ? null : { type: 'afterCompletion', months };
}

const NO_MAILS = () => ({ mailedOn: BEFORE_ALL, mailedAt: 0, notifiedOn: BEFORE_ALL });

/**
 * Removes the company's learners of the test world, so that a campaign for everyone has only those of the model, and sets
 * the validity of the courses.
 */
export async function removeOthers(): Promise<void> {
  await testService.query('delete from learners where company_id = $1', [companies.tenant]);
  await testService.query('delete from campaigns where company_id = $1', [companies.tenant]);
  await send('PATCH', `/courses/${own.id}`, { validForMonths: own.validForMonths });
  await testService.query('delete from campaign_digests');
  await testService.query('delete from messages where company_id = $1', [companies.tenant]);
  await testService.query(
    `alter table policy_versions disable trigger user;
     update policy_versions set published_at = '2000-01-01';
     alter table policy_versions enable trigger user`,
  );
}
