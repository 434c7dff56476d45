import { libraryContract } from './support/library-contract.ts';
import { Project } from './support/project.ts';

let project: Project;

beforeEach(async () => {
  project = await Project.ofLibrary();
});

afterEach(() => project.remove());

describe('invalid input exits with 2 and a message', () => {
  test.each<[string, unknown, RegExp]>([
    [
      'a reference to a missing schema',
      refersTo('#/components/schemas/Gone'),
      /refers to #\/components\/schemas\/Gone, which it does not contain$/m,
    ],
    ['a reference to a file', refersTo('books.yaml#/Book'), /refers to books\.yaml#\/Book; bundle it/],
    ['a reference to another host', refersTo('https://books.test/a.json'), /refers to https:.*; bundle it/],
    ['an array', [], /cannot be read: it must be an object$/m],
    ['a JSON document without openapi', { hello: 'world' }, /is not an OpenAPI 3 document$/m],
    ['Swagger', { swagger: '2.0' }, /is a Swagger 2\.0 document/],
    [
      'duplicate keys',
      '{"openapi": "3.1.0", "info": {"a": "}:{", "\\u0061": 2}}',
      /has the key "\\u0061" twice in one object$/m,
    ],
    ['a truncated document', '{"openapi": "3.1.0"', /cannot be read: /],
  ])('%s', async (_case, content, message) => {
    await project.write({ 'broken.json': content });
    expect(await project.gate('broken.json')).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
  });

  test.each<[string, string, RegExp]>([
    ['a YAML bomb', bomb(), /cannot be read: Excessive alias count/],
    ['duplicate keys', 'openapi: 3.1.0\ninfo: {}\ninfo: {}\n', /cannot be read: Map keys must be unique/],
  ])('%s', async (_case, content, message) => {
    await project.write({ 'broken.yaml': content });
    expect(await project.gate('broken.yaml')).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
  });

  test.each([
    ['a base that is neither a file nor a ref', ['nowhere'], /^nowhere is neither a file nor a git ref$/m],
    ['an unknown format', ['HEAD', '--format', 'xml'], /^--format xml must be one of text, markdown, json/m],
    ['three documents', ['HEAD', 'HEAD', 'HEAD'], /^contract-gate compares two documents, not 3\.$/m],
    ['an unknown option', ['--hed', 'x'], /Unknown option '--hed'/],
  ])('%s', async (_case, called, message) => {
    expect(await project.gate(...called)).toEqual({ code: 2, out: '', err: expect.stringMatching(message) });
  });
});

describe('unusual documents can be read', () => {
  test.each<[string, string]>([
    ['a byte order mark', `\uFEFF${JSON.stringify(libraryContract())}`],
    ['a property named __proto__', JSON.stringify(libraryContract()).replace('"genre"', '"__proto__"')],
  ])('with %s', async (_case, content) => {
    await project.write({ 'base.json': content, 'generated/openapi.json': content });
    expect((await project.gate('base.json')).code).toBe(0);
  });

  test('with anchors', async () => {
    const yaml = 'openapi: 3.1.0\ninfo: &a { title: A, version: 1.0.0 }\npaths: {}\nx-copy: *a\n';
    await project.write({ 'base.yaml': yaml, 'head.yaml': yaml });
    expect((await project.gate('base.yaml', 'head.yaml')).code).toBe(0);
  });
});

function refersTo($ref: string) {
  return { openapi: '3.1.1', components: { schemas: { Book: { $ref } } } };
}

/** Builds a document in which each line contains the previous one ten times. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `x-${n + 1}: &l${n + 1} [${Array(10).fill(`*l${n}`).join(', ')}]`);
  return ['openapi: 3.1.0', 'x-0: &l0 [a]', ...lines].join('\n');
}
