import { get, patch, post } from '../support/client.ts';
import { onePagePdf, policyId, versionId } from '../support/world-policies.ts';
import { Learner } from '../support/learner.ts';
import { companies, unknownId } from '../support/world.ts';
import { policy, publish, queuedMessages, read, restorePolicies, update } from '../resources/policies/policy-state.ts';
import { learner, record, results } from '../resources/policies/signature-event-state.ts';

restorePolicies();

const page = `/learn/policies/${policy(1)}`;
const first = versionId('tenant', 1);
let name: string;
let browser: Learner;
beforeEach(async () => {
  browser = await Learner.of('tenant', 2);
  const { firstName, lastName } = (await get(`/learners/${learner(2)}`)).body.data;
  name = `${firstName} ${lastName}`;
});

const sign = (fields: Record<string, string> = {}, from = browser) =>
  from.post(`${page}/signatures`, { name, agreed: 'yes', versionId: first, ...fields });
const visit = (fields: Record<string, string> = {}) => browser.post(`${page}/visits`, { versionId: first, ...fields });
const publishNext = async (): Promise<string> => {
  await update(policy(1), { name: 'Policy <b>2</b>', action: 'draft' });
  return (await publish(policy(1))).liveVersionId;
};
const result = async () => (await results(2)).find(({ policyId: id }) => id === policy(1));

describe('the page of a policy', () => {
  test('shows the version to sign, loads only from its own origin, and records nothing', async () => {
    const before = await result();
    const { status, html, headers } = await browser.get(page);
    expect(status).toBe(200);
    expect(html).toContain('Policy 1 of tenant');
    expect(html).toContain(`${page}/versions/${first}.pdf`);
    const sources = headers.get('content-security-policy')!;
    expect(sources).toContain("script-src 'self'");
    expect(sources).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(await result()).toEqual(before);
  });

  test('serves its script, pdf.js and the worker from its own origin', async () => {
    const { html } = await browser.get(page);
    const paths = [...html.matchAll(/(?:src|data-library|data-worker)="(\/assets[^"]+)"/g)].map(([, path]) => path!);
    expect(paths).toHaveLength(3);
    const fallback = `${/data-resources="([^"]+)"/.exec(html)![1]!}/wasm/openjpeg_nowasm_fallback.js`;
    for (const path of [...paths, fallback]) {
      const { status, headers } = await browser.get(path);
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
      expect(headers.get('cache-control')).toContain('immutable');
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe/);
    }
  });

  test('serves the file of the version as an attachment', async () => {
    const { status, html, headers } = await browser.get(`${page}/versions/${first}.pdf`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(html).toBe(onePagePdf.toString());
  });

  test('records the opening with its version and redirects to the file', async () => {
    const { status, headers } = await visit();
    expect([status, headers.get('location')]).toEqual([303, `${page}/versions/${first}.pdf`]);
    expect(await result()).toMatchObject({ visit: expect.any(String), visitedVersionId: first, signed: null });
  });

  test('keeps the first opening of a version, even after the signature', async () => {
    await visit();
    const { visit: opened } = await result();
    await visit();
    await sign();
    await browser.get(page);
    await visit();
    const after = await result();
    expect(after).toMatchObject({ visit: opened, visitedVersionId: first, signedVersionId: first });
    expect(after.visit <= after.signed).toBe(true);
  });

  test('records nothing for a GET of the file', async () => {
    const second = await publishNext();
    await browser.get(page);
    expect((await browser.get(`${page}/versions/${second}.pdf`)).status).toBe(200);
    expect(await result()).toMatchObject({ visitedVersionId: first });
  });

  test('records no opening of a version that is not live', async () => {
    await publishNext();
    const before = await result();
    const { status, headers } = await visit();
    expect([status, headers.get('location')]).toEqual([303, page]);
    expect(await result()).toEqual(before);
  });
});

const countEntries = async () => {
  const rows = await testService.query(`select from audit_log where operation = 'signPolicy'`);
  return rows.length;
};

describe('signing', () => {
  beforeEach(() => visit());

  test('requires that the version was opened', async () => {
    const second = await publishNext();
    expect((await browser.get(page)).html).toContain('id="open-first"');
    const { status, html } = await sign({ versionId: second });
    expect(status).toBe(400);
    expect(html).toMatch(/role="alert">Nothing was signed/);
    expect((await result()).signed).toBeNull();
    expect(await queuedMessages()).toEqual([]);
    await visit({ versionId: second });
    expect((await browser.get(page)).html).not.toContain('id="open-first"');
    expect((await sign({ versionId: second })).status).toBe(303);
    expect(await result()).toMatchObject({ signedVersionId: second, visitedVersionId: second });
  });

  test('again, after a publication that everybody must sign, requires another opening', async () => {
    await sign();
    await update(policy(1), { name: 'Again', action: 'draft' });
    const { liveVersionId } = await publish(policy(1), { resend: true });
    expect((await sign({ versionId: liveVersionId })).status).toBe(400);
    expect((await result()).signedVersionId).toBe(first);
  });

  test('on paper requires no opening', async () => {
    const versionId = await publishNext();
    const paper = { learner: { id: learner(2) }, versionId, signedAt: new Date().toISOString(), eventId: 'paper' };
    expect((await record(paper)).body.data.success).toBe(true);
    expect(await result()).toMatchObject({ signedVersionId: versionId, signedOffline: true, visitedVersionId: first });
  });

  test('updates results, evidence and audit log, and queues and shows the receipt', async () => {
    const { status, headers } = await sign();
    expect([status, headers.get('location')]).toEqual([303, page]);
    const { sha256 } = (await read(policy(1))).versions[0];
    expect(await result()).toMatchObject({
      signedVersionId: first,
      signedOffline: false,
      signatures: [
        {
          name,
          versionId: first,
          sha256,
          signedFrom: '127.0.0.1',
          eventId: expect.stringMatching(/^signed-/),
          note: null,
        },
      ],
    });
    expect(await queuedMessages()).toEqual([['policy_receipt', learner(2), policy(1)]]);
    const { html } = await browser.get(page);
    expect(html).toContain(sha256);
    expect(html).not.toContain('name="agreed"');
    const entries = await testService.query(
      `select actor_type, actor_id, targets from audit_log
        where company_id = $1 and operation = 'signPolicy' order by id desc limit 1`,
      [companies.tenant],
    );
    expect(entries).toMatchObject([
      { actor_type: 'learner', actor_id: learner(2), targets: [{ ids: [policy(1)] }, { ids: [first] }] },
    ]);
  });

  test('repeatedly or concurrently makes one signature and one audit entry', async () => {
    const before = await countEntries();
    expect((await sign({ name: 'Somebody else' })).status).toBe(400);
    const answers = await Promise.all([sign(), sign(), sign()]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await sign()).status).toBe(303);
    expect((await result()).signatures).toHaveLength(1);
    expect(await queuedMessages()).toHaveLength(1);
    expect((await countEntries()) - before).toBe(1);
  });

  test('a version that was replaced in the meantime returns 409 and shows the new one', async () => {
    const second = await publishNext();
    const { status, html } = await sign();
    expect(status).toBe(409);
    expect(html).toContain('role="alert"');
    expect(html).toContain(`value="${second}"`);
    expect(html).toContain('Policy &lt;b>2&lt;/b>');
    expect((await result()).signed).toBeNull();
    expect(await queuedMessages()).toEqual([]);
    await visit({ versionId: second });
    expect((await sign({ versionId: second })).status).toBe(303);
    expect((await result()).signedVersionId).toBe(second);
  });

  test('a new version asks for a signature and keeps the earlier ones', async () => {
    await sign();
    const second = await publishNext();
    expect((await browser.get(page)).html).toContain('name="agreed"');
    await visit({ versionId: second });
    await sign({ versionId: second });
    expect((await result()).signatures.map((one: any) => one.versionId)).toEqual([first, second]);
    const { html } = await browser.get(page);
    for (const id of [first, second]) {
      expect(html).toContain(`${id}.pdf`);
      expect((await browser.get(`${page}/versions/${id}.pdf`)).status).toBe(200);
    }
  });

  test.each([
    [{ name: '' }, 'name-fault'],
    [{ name: '<script>' }, 'name-fault'],
    [{ agreed: '' }, 'agreed-fault'],
  ])('%j returns 400 and marks the field', async (fields, fault) => {
    const { status, html } = await sign(fields);
    expect(status).toBe(400);
    expect(html).toContain(`id="${fault}"`);
    expect(html).not.toContain('value="<script>');
    expect((await result()).signed).toBeNull();
  });

  test('without the form token returns 403', async () => {
    expect((await sign({ form_token: 'x' })).status).toBe(403);
    expect((await result()).signed).toBeNull();
  });
});

describe('access to a policy', () => {
  test('is denied to a learner without the assignment, unless the policy is public', async () => {
    const other = await Learner.of('tenant', 4);
    expect((await other.get(page)).status).toBe(404);
    expect((await other.get(`${page}/versions/${first}.pdf`)).status).toBe(404);
    expect((await sign({ name: 'x' }, other)).status).toBe(404);
    await patch(`/policies/${policy(1)}`, { isPublic: true, action: 'live' });
    const { liveVersionId } = await read(policy(1));
    const { status, html } = await other.get(page);
    expect(status).toBe(200);
    expect(html).not.toContain('name="agreed"');
    expect((await other.get(`${page}/versions/${liveVersionId}.pdf`)).status).toBe(200);
    const { firstName, lastName } = (await get(`/learners/${learner(4)}`)).body.data;
    const fields = { name: `${firstName} ${lastName}`, versionId: liveVersionId };
    expect((await sign(fields, other)).status).toBe(409);
    expect(await testService.query('select from signatures where learner_id = $1', [learner(4)])).toEqual([]);
  });

  test.each([
    ['of another company', policyId('other', 1)],
    ['that does not exist', unknownId],
    ['that is a draft', policy(3)],
    ['with an invalid id', 'x'],
  ])('a policy %s returns 404', async (_case, id) => {
    for (const path of ['', `/versions/${first}.pdf`, `/versions/${first}`, '/versions/x.pdf']) {
      expect((await browser.get(`/learn/policies/${id}${path}`)).status).toBe(404);
    }
    expect(
      (await browser.post(`/learn/policies/${id}/signatures`, { name, agreed: 'yes', versionId: first })).status,
    ).toBe(404);
    expect((await browser.post(`${page}/signatures`, { name, agreed: 'yes', versionId: 'x' })).status).toBe(404);
  });

  test('a learner of another company can neither see nor sign the policy', async () => {
    const foreign = await Learner.of('other', 1);
    expect((await foreign.get(page)).status).toBe(404);
    expect((await sign({}, foreign)).status).not.toBe(303);
  });

  test('a deactivated learner is signed out immediately', async () => {
    await post('/learners/deactivate', { learnerIds: [learner(2)] });
    expect((await sign()).status).toBe(401);
    expect((await result()).signed).toBeNull();
    await post('/learners/activate', { learnerIds: [learner(2)] });
  });
});
