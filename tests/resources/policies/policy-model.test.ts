/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import fc from 'fast-check';
import { type Answer, del, expectError, get, patch, post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { dataOf, forgetPolicies, policy, queuedMessages, read, restorePolicies, sign } from './policy-state.ts';
import { storeFile, versionsOf } from './policy-state.ts';

/** Minimal model of a policy as the contract describes it. */
interface Model {
  id: string;
  shown: Content;
  draft: Content | null;
  versions: string[];
  major: number;
  minor: number;
  settings: Settings | null;
  /** Version for which each assigned learner was last asked; assumes that no step takes an hour. */
  assigned: Map<Person, string>;
  signed: Set<Person>;
}
interface Content {
  name: string;
  category: string | null;
  ownerName: string | null;
  ownerEmail: string | null;
  isPublic: boolean;
  pdfFile: string | null;
}
interface Settings {
  type: string;
  useDefault?: boolean;
  setDefault?: boolean;
}
type Action = 'draft' | 'live';
/** Number of a learner of the tenant. */
type Person = 1 | 2;

type Step = { of: number } & (
  | { do: 'create'; action: Action; name: string; file: number; fields: object; versions: object; settings?: Settings }
  | { do: 'patch'; action: Action; fields: object; file?: number; flags: Flags; settings?: Settings }
  | { do: 'publish'; flags: Flags }
  | { do: 'discard' | 'delete' | 'assign' }
  | { do: 'sign'; learner: Person }
);
interface Flags {
  major?: boolean;
  resend?: boolean;
}

const optional = { requiredKeys: [] };
const word = fc.constantFrom('A', 'B', 'Zoë 🦊');
const action = fc.constantFrom<Action>('draft', 'live');
const file = fc.nat(2);
const flags = fc.record({ major: fc.boolean(), resend: fc.boolean() }, optional);
const ownerEmail = fc.constantFrom('a@tenant.test', 'b@tenant.test');
const contents = { category: word, ownerName: word, ownerEmail, isPublic: fc.boolean() };
const clearable = { category: fc.option(word), ownerName: fc.option(word), ownerEmail: fc.option(ownerEmail) };
const type = fc.constantFrom('none', 'newUsers');
const setting = fc.record({ type, useDefault: fc.boolean(), setDefault: fc.boolean() }, { requiredKeys: ['type'] });
const settings = fc.option(setting, { nil: undefined, freq: 4 });
/** Generates no fields about as often as some fields. */
const few = (fields: fc.Arbitrary<object>): fc.Arbitrary<object> => fc.option(fields, { nil: {}, freq: 1 });
const version = fc.record({ majorVersion: fc.nat(3), minorVersion: fc.nat(12) }, optional);
const of = fc.nat(2);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constant('create' as const), of, action, name: word, file, settings },
      ...{ fields: fc.record(contents, optional), versions: version },
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      ...{ do: fc.constant('patch' as const), of, action, flags, settings },
      ...{
        fields: few(fc.record({ name: word, ...contents, ...clearable }, optional)),
        file: fc.option(file, { nil: undefined, freq: 1 }),
      },
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('publish' as const), of, flags }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('discard' as const), of }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), of }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('assign' as const), of }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('sign' as const), of, learner: fc.constantFrom<Person>(1, 2) }) },
);

const CONTRADICTION = ['body/signatureSettings/setDefault'];
const people: Person[] = [1, 2];
let files: string[];
/** Existing policies of a run, and the learners whom the last step must have asked. */
let models: Model[];
let asked: Person[];
/** Type of the company's default settings and the policy that owns them. */
let standard: { type: string; of: string } | null;

restorePolicies();

/** Deletes the policies of the test world and stores three files. */
async function begin(): Promise<void> {
  await forgetPolicies();
  await del('/policies/bulk', { policyIds: [policy(1), policy(2), policy(3)] });
  files = await Promise.all([1, 2, 3].map((n) => storeFile({ fileName: `${n}.pdf` })));
  models = [];
  standard = null;
}

function publishes(model: Model, content: Content, { major }: Flags): void {
  if (model.versions.length > 0) {
    [model.major, model.minor] = major ? [model.major + 1, 0] : [model.major, model.minor + 1];
  }
  model.versions.push(`${model.major}.${model.minor} ${content.name} ${content.pdfFile}`);
  model.shown = content;
  model.draft = null;
}

function asks(model: Model, { resend }: Flags): void {
  if (!resend) return;
  asked = people.filter((number) => model.assigned.has(number) && model.assigned.get(number) !== model.versions.at(-1));
  for (const number of asked) {
    model.assigned.set(number, model.versions.at(-1)!);
    model.signed.delete(number);
  }
}

function sets(model: Model, settings: Settings | undefined): void {
  if (!settings) return;
  model.settings = settings;
  const { type, setDefault = standard?.of === model.id } = settings;
  if (setDefault) standard = { type, of: model.id };
  else if (standard?.of === model.id) standard = null;
}

/** Reports whether settings both follow the default and are the default; `id` is undefined for a new policy. */
function contradict(id: string | undefined, settings: Settings | undefined): boolean {
  const { useDefault = false, setDefault = id !== undefined && standard?.of === id } = settings ?? {};
  return useDefault && setDefault;
}

/** Reports whether a change with the action `live` has nothing to publish. */
function saysTheSame(model: Model, next: Content): boolean {
  const isLive = model.versions.length > 0;
  return isLive && !model.draft && JSON.stringify(next) === JSON.stringify(model.shown);
}

const done = (answer: Answer): void =>
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });

/** Performs a step over HTTP and in the model. */
async function take(given: Step): Promise<void> {
  asked = [];
  if (given.do === 'create') return create(given);
  const model = models[given.of];
  if (!model) return;
  const path = `/policies/${model.id}`;
  const isLive = model.versions.length > 0;
  switch (given.do) {
    case 'patch': {
      const { action, flags, settings } = given;
      const fields = { ...given.fields, ...(given.file !== undefined && { pdfFile: files[given.file] }) };
      const answer = await patch(path, { action, ...fields, ...flags, signatureSettings: settings });
      const next: Content = { ...(model.draft ?? model.shown), ...fields };
      const isOfSettings = action === 'draft' && Object.keys(fields).length === 0;
      if (next.pdfFile === null && !isOfSettings) {
        return expectError(answer, 400, 'invalid_request', ['body/pdfFile']);
      }
      if (contradict(model.id, settings)) return expectError(answer, 400, 'invalid_request', CONTRADICTION);
      done(answer);
      sets(model, settings);
      if (isOfSettings) return;
      if (action === 'draft') {
        model.draft = next;
        if (!isLive) model.shown = next;
        return;
      }
      if (!saysTheSame(model, next)) publishes(model, next, flags);
      return asks(model, flags);
    }
    case 'publish': {
      const answer = await post(`${path}/publish-draft`, given.flags);
      if (!model.draft) return expectError(answer, 400, 'no_draft');
      done(answer);
      publishes(model, model.draft, given.flags);
      return asks(model, given.flags);
    }
    case 'discard': {
      const answer = await post(`${path}/discard-draft`);
      if (!model.draft) return expectError(answer, 400, 'no_draft');
      done(answer);
      model.draft = null;
      if (!isLive) model.shown = { ...model.shown, pdfFile: null };
      return;
    }
    case 'delete': {
      const answer = await del('/policies/bulk', { policyIds: [model.id] });
      expect(answer.body.data).toEqual({ deletedIds: [model.id], skippedIds: [] });
      models = models.filter((other) => other !== model);
      return expectError(await get(path), 404, 'not_found');
    }
    case 'assign': {
      const learnerIds = people.map((number) => learnerId('tenant', number));
      const data = await dataOf(post('/policy-assignments', { policyIds: [model.id], learnerIds }));
      expect(data.success).toBe(isLive);
      if (!isLive) return;
      asked = people.filter((number) => !model.assigned.has(number));
      for (const number of asked) model.assigned.set(number, model.versions.at(-1)!);
      return;
    }
    case 'sign':
      if (!model.assigned.has(given.learner)) return;
      await sign(learnerId('tenant', given.learner), model.id);
      model.signed.add(given.learner);
  }
}

async function create({ action, name, file, fields, versions, settings }: Step & { do: 'create' }): Promise<void> {
  if (models.length === 3) return;
  const pdfFile = files[file]!;
  const body = { name, pdfFile, action, ...fields, ...versions, signatureSettings: settings };
  const answer = await post('/policies', body);
  if (contradict(undefined, settings)) return expectError(answer, 400, 'invalid_request', CONTRADICTION);
  done(answer);
  const { id } = answer.body.data;
  const nothing = { category: null, ownerName: null, ownerEmail: null, isPublic: false };
  const shown: Content = { name, ...nothing, pdfFile, ...fields };
  const { majorVersion: major = 1, minorVersion: minor = 0 } = versions as {
    majorVersion?: number;
    minorVersion?: number;
  };
  const nobody = { assigned: new Map<Person, string>(), signed: new Set<Person>() };
  const model: Model = { id, shown, draft: null, versions: [], major, minor, settings: null, ...nobody };
  models.push(model);
  sets(model, settings);
  if (action === 'draft') model.draft = shown;
  else publishes(model, shown, {});
}

function fileOf({ pdfFile }: Content): object {
  if (pdfFile === null) return { fileName: null, pageCount: null };
  return { fileName: `${files.indexOf(pdfFile) + 1}.pdf`, pageCount: 1 };
}

function listed({ id, shown: { name, category, isPublic }, draft, versions, major, minor }: Model): object {
  const state = { type: 'pdf', isLive: versions.length > 0, inDraft: draft !== null };
  return { id, name, category, isPublic, ...state, majorVersion: major, minorVersion: minor };
}

/** Compares the responses of the service with the model, and the queued messages with the learners asked. */
async function compare(stepOf: number): Promise<void> {
  for (const model of models) {
    const { publishedAt, createdAt, updatedAt, versions: all, liveVersionId, ...shown } = await read(model.id);
    const { draft, settings, assigned, signed } = model;
    expect(shown).toEqual({
      ...listed(model),
      ...model.shown,
      ...fileOf(model.shown),
      draft: draft && { ...draft, ...fileOf(draft), updatedAt: expect.any(String) },
      signatureSettings: settings && {
        ...{ startDate: null, intervalLength: null, intervalUnit: null },
        type: (settings.useDefault && standard?.type) || settings.type,
        useDefault: settings.useDefault ?? false,
        setDefault: standard?.of === model.id,
      },
      assignedCount: assigned.size,
      signedCount: signed.size,
      results: null,
      signatures: null,
    });
    expect({ isLive: publishedAt !== null, order: createdAt <= updatedAt }).toEqual({
      isLive: model.versions.length > 0,
      order: true,
    });
    const versions = (await versionsOf(model.id)).map(({ version, name, fileId }) => `${version} ${name} ${fileId}`);
    expect(versions).toEqual(model.versions);
    const numbers = all.map((version: any) => `${version.majorVersion}.${version.minorVersion} ${version.name}`);
    expect(numbers).toEqual(versions.map((version) => version.slice(0, version.lastIndexOf(' '))).reverse());
    expect(liveVersionId).toBe(all[0]?.id ?? null);
  }
  expect((await get('/policies')).body.data).toEqual(models.map(listed));
  const live = models.filter(({ versions }) => versions.length > 0);
  expect((await get('/policies?publishedOnly=true')).body.data).toEqual(live.map(listed));
  const id = models[stepOf]?.id;
  expect(await queuedMessages()).toEqual(asked.map((number) => ['policy_request', learnerId('tenant', number), id]));
  await testService.query('delete from messages; delete from mail_log; delete from graphile_worker._private_jobs');
}

test('any sequence of policy operations leaves the state that the contract describes', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25, size: 'max' }), async (steps) => {
    await begin();
    for (const next of steps) {
      await take(next);
      await compare(next.of);
    }
  });
  // Stops shrinking a failure before the test times out.
  await fc.assert(property, { numRuns: 40, interruptAfterTimeLimit: 60_000 });
});
