import { call, del, expectError, get, patch, post } from '../../../support/client.ts';
import { simulationTemplateId } from '../../../support/world-simulations.ts';
import { draftOf, ENGLISH, makeManaged, nameIt, removeMade } from './template-state.ts';

afterEach(removeMade);

const make = async (fields: object = {}): Promise<string> => {
  const { status, body } = await post('/simulation-templates', draftOf(fields));
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  return body.data.id;
};
const read = async (id: string) => (await get(`/simulation-templates/${id}`)).body.data;

describe('POST /simulation-templates', () => {
  test('creates a custom template in each language of its content', async () => {
    const attachment = { name: 'Notice.pdf', title: 'Notice', text: 'See {{link}}' };
    const content = [
      { ...ENGLISH, locale: 'de', attachment },
      { ...ENGLISH, attachment },
    ];
    const id = await make({ deliveryMethod: 'attachment', content });
    expect(await read(id)).toMatchObject({
      ...{ name: 'Parcel', deliveryMethod: 'attachment', difficulty: 3, source: 'custom', retiredAt: null },
      ...{ locales: ['de', 'en'], content: content.toReversed() },
    });
  });

  test.each<[string, object, string]>([
    ['a script', { html: '<p><a href="{{link}}">x</a><script>x</script></p>' }, 'html'],
    ['a script in an attribute', { html: '<p onclick="x"><a href="{{link}}">x</a></p>' }, 'html'],
    ['a form', { html: '<form><a href="{{link}}">x</a></form>' }, 'html'],
    ['an input field', { html: '<p><a href="{{link}}">x</a><input></p>' }, 'html'],
    ['an external picture', { html: '<p><a href="{{link}}">x</a><img src="https://x.test/"></p>' }, 'html'],
    ['an external link', { html: '<a href="{{link}}">x</a><a href="https://x.test">x</a>' }, 'html'],
    ['a JavaScript link', { html: '<a href="{{link}}">x</a><a href="javascript:x">x</a>' }, 'html'],
    [
      'a style that loads a resource',
      { html: '<p style="background: url(//x.test)"><a href="{{link}}">x</a></p>' },
      'html',
    ],
    ['a frame in a comment', { html: '<a href="{{link}}">x</a><!--<iframe>-->' }, 'html'],
    ['an address in the text', { text: '{{link}} or www.bank.test' }, 'text'],
    ['a blank to fill in with a password', { text: '{{link}}\nPassword: ____' }, 'text'],
    ['an unknown variable', { subject: 'For {{email}}' }, 'subject'],
    ['a header in the subject', { subject: 'a\r\nBcc: x@x.test' }, 'subject'],
    ['an e-mail address as the sender name', { senderName: 'boss@acme.test' }, 'senderName'],
    ['a mailbox with a domain', { senderMailbox: 'boss@acme.test' }, 'senderMailbox'],
    ['an attachment of an e-mail template', { attachment: { name: 'a.pdf', title: 'a', text: 'a' } }, 'attachment'],
    ['a second text in a language', {}, 'locale'],
  ])('rejects %s naming the field', async (_case, words, field) => {
    const content = [
      { ...ENGLISH, locale: 'fr' },
      { ...ENGLISH, locale: field === 'locale' ? 'fr' : 'en', ...words },
    ];
    const answer = await post('/simulation-templates', draftOf({ content }));
    expectError(answer, 400, 'invalid_request');
    expect(answer.body.error!.details[0]!.field).toBe(`body/content/1/${field}`);
  });

  test('rejects an attachment that is not a PDF', async () => {
    const content = [{ ...ENGLISH, attachment: { name: 'a.exe', title: 'a', text: 'a' } }];
    const answer = await post('/simulation-templates', draftOf({ deliveryMethod: 'attachment', content }));
    expectError(answer, 400, 'invalid_request', ['body/content/0/attachment/name']);
  });
});

describe('PATCH /simulation-templates/{simulationTemplateId}', () => {
  test('changes the given fields and keeps the rest', async () => {
    const id = await make();
    const content = [{ ...ENGLISH, locale: 'fr' }];
    expect((await patch(`/simulation-templates/${id}`, { difficulty: 5, content })).body.data).toMatchObject({
      ...{ name: 'Parcel', difficulty: 5, locales: ['fr'], content },
    });
    const { retiredAt } = (await patch(`/simulation-templates/${id}`, { retired: true })).body.data;
    expect(retiredAt).not.toBeNull();
    expect((await patch(`/simulation-templates/${id}`, { retired: false })).body.data.retiredAt).toBeNull();
    const bad = [{ ...ENGLISH, html: '<p>no link</p>' }];
    expectError(await patch(`/simulation-templates/${id}`, { content: bad }), 400, 'invalid_request', [
      'body/content/0/html',
    ]);
  });

  test('returns 412 after a concurrent change', async () => {
    const id = await make();
    const { headers } = await get(`/simulation-templates/${id}`);
    const change = (difficulty: number) =>
      call('tenant', 'PATCH', `/simulation-templates/${id}`, {
        body: { difficulty },
        headers: { 'if-match': headers.get('etag')! },
      });
    expect((await change(1)).status).toBe(200);
    expectError(await change(4), 412, 'changed_meanwhile');
    expect(await read(id)).toMatchObject({ difficulty: 1 });
  });

  test.each(['scheduled', 'running'])('rejects new content while a %s simulation uses the template', async (status) => {
    const id = await make();
    await nameIt(id, status);
    const answer = await patch(`/simulation-templates/${id}`, { content: [{ ...ENGLISH, lesson: 'Another.' }] });
    expectError(answer, 400, 'simulation_template_in_use', ['body/content']);
    expect((await patch(`/simulation-templates/${id}`, { difficulty: 1 })).status).toBe(200);
  });
});

describe('DELETE /simulation-templates/{simulationTemplateId}', () => {
  test('deletes a template', async () => {
    const id = await make();
    expect((await del(`/simulation-templates/${id}`)).body.data).toEqual({ id, retiredAt: null });
    expectError(await get(`/simulation-templates/${id}`), 404, 'not_found');
    expectError(await del(`/simulation-templates/${id}`), 404, 'not_found');
  });

  test.each(['draft', 'completed'])('retires a template that a %s simulation names', async (status) => {
    const id = await make();
    await nameIt(id, status);
    const { retiredAt } = (await del(`/simulation-templates/${id}`)).body.data;
    expect(retiredAt).toEqual(expect.any(String));
    expect((await read(id)).retiredAt).toBe(retiredAt);
    expect((await del(`/simulation-templates/${id}`)).body.data.retiredAt).toBe(retiredAt);
  });
});

test('a template of the catalogue or another company cannot be changed or deleted', async () => {
  const managed = await makeManaged();
  expectError(await patch(`/simulation-templates/${managed}`, { name: 'Mine' }), 403, 'forbidden');
  expectError(await del(`/simulation-templates/${managed}`), 403, 'forbidden');
  const foreign = simulationTemplateId('other');
  expectError(await patch(`/simulation-templates/${foreign}`, { name: 'Mine' }), 404, 'not_found');
  expectError(await del(`/simulation-templates/${foreign}`), 404, 'not_found');
});
