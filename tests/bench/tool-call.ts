import autocannon from 'autocannon';
import { API_KEY, type BenchDatabase, LEARNER_ID } from './dataset.ts';
import { median, startContestant, stopContestant } from './processes.ts';
import type { Figure } from './run.ts';

const CONNECTIONS = 16;
const SECONDS = 3;
const ROUNDS = 11;
const TARGET = 0.85;
const TOOL = 'service_get_learner';
const REVISION = '2026-07-28';

const authorization = `Bearer ${API_KEY.key}`;
const headers = {
  authorization,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};
const params = { name: TOOL, arguments: { learnerId: LEARNER_ID } };
const meta = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Reads one learner by the tool, in both protocol variants, and by REST, alternating in one process. */
export async function benchToolCall({ serviceUrl }: BenchDatabase): Promise<Figure[]> {
  const ours = await startContestant('src/main.ts', { DATABASE_URL: serviceUrl, RATE_LIMIT_PER_MINUTE: '100000000' });
  const tool = (request: object, more: Record<string, string> = {}) =>
    load({
      url: new URL('/mcp', ours.url).href,
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: request }),
    });
  const rest = () => load({ url: `${ours.url}/learners/${LEARNER_ID}`, headers: { authorization } });
  const before = () => tool(params);
  const current = () =>
    tool(
      { ...params, _meta: meta },
      { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': TOOL },
    );
  for (const warmUp of [rest, before, current]) await warmUp();
  const toCurrent: number[] = [];
  const toBefore: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const restPerSecond = await rest();
    toCurrent.push((await current()) / restPerSecond);
    toBefore.push((await before()) / restPerSecond);
  }
  await stopContestant(ours);
  const against = '`GET /learners/{learnerId}`';
  return [
    {
      what: `a call of \`${TOOL}\`, protocol ${REVISION}, throughput`,
      against,
      unit: 'x',
      target: TARGET,
      least: true,
      value: median(toCurrent),
    },
    {
      what: 'the same, protocol 2025-11-25',
      against,
      unit: 'x',
      target: TARGET,
      least: true,
      value: median(toBefore),
    },
  ];
}

/** Puts a URL under load; returns the requests per second. */
async function load(options: autocannon.Options): Promise<number> {
  const answer = await fetch(options.url, options as RequestInit);
  if (!(await answer.text()).includes(LEARNER_ID)) throw new Error(`${options.url} does not answer with the learner`);
  const result = await autocannon({ ...options, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${options.url} failed under load`);
  return result.requests.average;
}
