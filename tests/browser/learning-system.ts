import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const TYPES: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};
const ACTOR = { objectType: 'Agent', account: { homePage: 'https://lms.test', name: 'learner-1' } };
const ACTIVITY = 'https://lms.test/activities/7';
const SESSION = 'https://w3id.org/xapi/cmi5/context/extensions/sessionid';
const GROUPING = { grouping: [{ id: 'urn:publisher' }] };

export interface Statement {
  verb: { id: string };
  [field: string]: unknown;
}

/**
 * A learning system of another vendor: serves the files of a package, and accepts its statements and documents as cmi5
 * specifies.
 */
export class LearningSystem {
  readonly statements: Statement[] = [];
  readonly documents = new Map<string, string>();
  /** Requests that cmi5 does not allow, with the reasons. */
  readonly refused: string[] = [];
  readonly #server: Server;
  readonly #registration = randomUUID();
  #session = randomUUID();
  #token: string | undefined;
  #isFetched = false;

  private constructor(files: Map<string, Buffer>) {
    this.#server = createServer((req, res) => {
      void this.#serve(files, req, res);
    });
  }

  static async start(files: Map<string, Buffer>): Promise<LearningSystem> {
    const system = new LearningSystem(files);
    await new Promise<void>((resolve) => system.#server.listen(0, '127.0.0.1', resolve));
    system.nextSession();
    return system;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Begins another session of the registration. */
  nextSession(): void {
    this.#session = randomUUID();
    this.#token = undefined;
    this.#isFetched = false;
    const contextTemplate = { contextActivities: GROUPING, extensions: { [SESSION]: this.#session } };
    const launch = { contextTemplate, launchMode: 'Normal', moveOn: 'CompletedAndPassed', masteryScore: 0.9 };
    this.documents.set('LMS.LaunchData', JSON.stringify({ ...launch, returnURL: this.returnUrl }));
  }

  get pageUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/content/index.html`;
  }

  get returnUrl(): string {
    return new URL('/return', this.pageUrl).href;
  }

  get launchUrl(): string {
    const query = new URLSearchParams({
      ...{
        endpoint: new URL('/xapi/', this.pageUrl).href,
        fetch: new URL(`/fetch?${this.#session}`, this.pageUrl).href,
      },
      ...{ actor: JSON.stringify(ACTOR), registration: this.#registration, activityId: ACTIVITY },
    });
    return `${this.pageUrl}?${query.toString()}`;
  }

  async #serve(files: Map<string, Buffer>, req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url!, this.pageUrl);
    const send = (status: number, body: string | Buffer = '', type = 'application/json') =>
      res.writeHead(status, { 'content-type': type }).end(body);
    if (url.pathname === '/return') return void send(200, '<!doctype html><title>Back</title>', 'text/html');
    if (url.pathname === '/fetch') return void send(200, JSON.stringify(this.#fetchToken(req.method!)));
    if (!url.pathname.startsWith('/xapi/')) {
      const path = url.pathname.replace('/content/', '');
      const file = files.get(path);
      return void send(file ? 200 : 404, file, TYPES[path.split('.').at(-1)!]);
    }
    const fault = this.#findFault(req, url);
    if (fault) this.refused.push(`${req.method} ${url.pathname}: ${fault}`);
    if (fault) return void send(400);
    if (url.pathname === '/xapi/statements') {
      const sent = [JSON.parse(await text(req))].flat() as Statement[];
      this.statements.push(...sent);
      this.refused.push(...sent.flatMap((statement) => this.#judge(statement)));
      return void send(200, JSON.stringify(sent.map(({ id }) => id)));
    }
    const key = url.searchParams.get('stateId') ?? url.searchParams.get('profileId')!;
    if (req.method === 'PUT') this.documents.set(key, await text(req));
    const stored = this.documents.get(key);
    return void (req.method === 'PUT' ? send(204) : send(stored === undefined ? 404 : 200, stored));
  }

  #fetchToken(method: string): object {
    if (method !== 'POST') this.refused.push(`${method} fetch`);
    if (this.#isFetched) return { 'error-code': '1', 'error-text': 'used' };
    this.#isFetched = true;
    this.#token = randomUUID();
    return { 'auth-token': this.#token };
  }

  #findFault({ headers }: IncomingMessage, { searchParams, pathname }: URL): string | undefined {
    if (headers.authorization !== `Basic ${this.#token}`) return 'authorization';
    if (!String(headers['x-experience-api-version']).startsWith('1.0')) return 'version';
    const expected: [string, string][] =
      pathname === '/xapi/activities/state'
        ? [
            ['activityId', ACTIVITY],
            ['registration', this.#registration],
          ]
        : [];
    const wrong = expected.find(([name, value]) => searchParams.get(name) !== value);
    return wrong && wrong[0];
  }

  /** Lists the violations of cmi5 in a statement. */
  #judge(statement: Statement): string[] {
    const { actor, verb, object, context, timestamp, result } = statement as Record<string, any>;
    const categories = (context.contextActivities.category ?? []).map(({ id }: { id: string }) => id.split('/').at(-1));
    const isDefined = verb.id !== 'http://adlnet.gov/expapi/verbs/answered';
    const isJudged = isDefined && (result?.success !== undefined || result?.completion !== undefined);
    const rules: [string, boolean][] = [
      ['actor', JSON.stringify(actor) === JSON.stringify(ACTOR)],
      ['object', isDefined === (object.id === ACTIVITY)],
      ['session', context.extensions[SESSION] === this.#session],
      ['registration', context.registration === this.#registration],
      ['grouping', JSON.stringify(context.contextActivities.grouping) === JSON.stringify(GROUPING.grouping)],
      ['category', categories.includes('cmi5') === isDefined && categories.includes('moveon') === isJudged],
      ['timestamp', /Z$/.test(timestamp)],
      ['duration', !isDefined || verb.id.endsWith('/initialized') || /^PT[\d.]+S$/.test(result.duration)],
    ];
    return rules.filter(([, isKept]) => !isKept).map(([name]) => `${verb.id}: ${name}`);
  }
}
