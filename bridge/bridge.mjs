#!/usr/bin/env node
/**
 * Connects an MCP client that uses stdin and stdout to the remote tool server, which uses HTTP. Each line is a POST;
 * its response, JSON or events, becomes lines. The bridge knows no tools. It guarantees that the key is sent to only
 * one URL, a request gets exactly one response, stdout carries only the protocol, and nothing is lost on exit.
 */

/** URL of the vendor's tool server. The publisher sets it at release. */
const DEFAULT_ADDRESS = 'https://awareness.example.com/mcp';
const NAME = 'security-awareness-mcp-bridge';
const VERSION = '0.1.1';

const LINE_LIMIT_BYTES = 4 * 1024 * 1024;
const ANSWER_LIMIT_BYTES = 64 * 1024 * 1024;
const IDLE_LIMIT_MS = 60_000;
const DRAIN_LIMIT_MS = 60_000;
/** The maximum number of exchanges; further lines wait in stdin. Also limits responses that a client leaves unread. */
const EXCHANGES_AT_ONCE = 100;

const EXIT_USAGE = 64;
const EXIT_OUTPUT = 74;
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const SERVER_ERROR = -32000;

const VERSION_IN_META = 'io.modelcontextprotocol/protocolVersion';
/** The parameter that `Mcp-Name` repeats, by method. @type {Record<string, string>} */
const NAME_PARAMETER = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

const HELP = `${NAME} ${VERSION}
Connects an MCP client that starts programs (stdio) to the tool server at ${DEFAULT_ADDRESS}.

  SERVICE_API_KEY               the API key; required
  SERVICE_MCP_URL               another address, which then receives the key
  SERVICE_MCP_ALLOW_CUSTOM_URL  1 allows SERVICE_MCP_URL

  --help, --version
`;

/** @typedef {{ jsonrpc?: unknown, id?: unknown, method?: unknown, params?: any, result?: any, error?: any }} Message */
/** @typedef {string | number} Id */
/**
 * @typedef {{ pending: Map<Id, string>, abort: AbortController }} Exchange A POST, and the ids of the requests that
 *   wait for its response.
 */

/** An error that the client gets instead of a response, with a message that is safe to show. */
class Failure extends Error {
  /** @param {string} message @param {object} [data] */
  constructor(message, data) {
    super(message);
    this.data = data;
  }
}

/** @type {Set<Exchange>} */
const exchanges = new Set();
/** The version that `initialize` negotiated. Later protocols state it in each message. @type {string | undefined} */
let negotiatedVersion;
let closing = false;
let key = '';
let address = DEFAULT_ADDRESS;

function main() {
  const [argument] = process.argv.slice(2);
  if (argument === '--help') return void process.stdout.write(HELP);
  if (argument === '--version') return void process.stdout.write(`${VERSION}\n`);
  const refusal = argument ? 'takes no arguments but --help and --version.' : configure(process.env);
  if (refusal) {
    process.stderr.write(`${NAME}: ${refusal}\n`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  process.stdout.on('error', (error) => process.exit('code' in error && error.code === 'EPIPE' ? 0 : EXIT_OUTPUT));
  readLines();
  let isStopping = false;
  const stop = () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    close();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** Reads the key and the URL. Returns any problem, without quoting their values. @param {NodeJS.ProcessEnv} env */
function configure(env) {
  key = env.SERVICE_API_KEY ?? '';
  if (!key) return 'SERVICE_API_KEY is not set. Set it to the API key for the tools.';
  if (!/^[\w.~+/-]+=*$/.test(key))
    return 'SERVICE_API_KEY contains characters that are not valid in a key, such as spaces or quotes.';

  const custom = env.SERVICE_MCP_URL;
  if (!custom) return;
  if (env.SERVICE_MCP_ALLOW_CUSTOM_URL !== '1') {
    return 'SERVICE_MCP_URL sends the key to another URL; to allow that, set SERVICE_MCP_ALLOW_CUSTOM_URL=1.';
  }
  if (!URL.canParse(custom)) return 'SERVICE_MCP_URL is not a valid URL.';
  const { protocol, hostname, username, password } = new URL(custom);
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) {
    return 'SERVICE_MCP_URL must begin with https://; http:// is allowed only for this machine.';
  }
  if (username || password) return 'SERVICE_MCP_URL must not contain a user name or password.';
  address = custom;
}

function readLines() {
  /** @type {Buffer[]} */
  let parts = [];
  let size = 0;
  /** Replaces a line that is too long to store. @type {Outline | undefined} */
  let outline;

  /** @param {Buffer} bytes */
  const keep = (bytes) => {
    size += bytes.length;
    if (size <= LINE_LIMIT_BYTES) return void parts.push(bytes);
    if (!outline) {
      outline = new Outline();
      for (const part of parts) outline.add(part);
      parts = [];
    }
    outline.add(bytes);
  };
  const endLine = () => {
    if (outline) refuse(outline.messages(), INVALID_REQUEST, 'The message is longer than 4 MiB.');
    else handleLine(Buffer.concat(parts));
    [parts, size, outline] = [[], 0, undefined];
  };

  process.stdin.on('data', (/** @type {Buffer} */ chunk) => {
    let start = 0;
    for (let end; (end = chunk.indexOf('\n', start)) !== -1; start = end + 1) {
      keep(chunk.subarray(start, end));
      endLine();
    }
    keep(chunk.subarray(start));
  });
  process.stdin.on('end', () => {
    endLine();
    close();
  });
  process.stdin.on('error', close);
}

/** @param {Buffer} line */
function handleLine(line) {
  let text, parsed;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line);
    if (text.trim() === '') return;
    parsed = JSON.parse(text);
  } catch {
    return refuse([], PARSE_ERROR, 'The line is not JSON.');
  }
  /** @type {Message[]} */
  const messages = [parsed].flat();
  const requests = messages.filter(isRequest);
  const ids = new Set(requests.map(({ id }) => id));
  if (messages.length === 0 || !messages.every((message) => isRequest(message) || isUnanswered(message))) {
    return refuse(messages, INVALID_REQUEST, 'The line is not a JSON-RPC message.');
  }
  if (ids.size < requests.length || requests.some(({ id }) => isInFlight(id))) {
    return refuse(messages, INVALID_REQUEST, 'A pending request has the same id.');
  }
  if (parsed.method === 'notifications/cancelled') return cancel(parsed.params?.requestId);
  void exchange(text, parsed, requests);
}

/** @param {unknown} value @returns {value is Message} */
function isMessage(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} value @returns {value is { id: Id, method: string }} */
function isRequest(value) {
  return isMessage(value) && typeof value.method === 'string' && ['string', 'number'].includes(typeof value.id);
}

/** Reports whether this is a notification, or a response to a request of the server. @param {unknown} value */
function isUnanswered(value) {
  if (!isMessage(value)) return false;
  return typeof value.method === 'string' ? !('id' in value) : 'result' in value || 'error' in value;
}

/** @param {Id} id */
function isInFlight(id) {
  return [...exchanges].some(({ pending }) => pending.has(id));
}

/** Removes and returns the ids that are still waiting. @param {Exchange['pending']} pending */
function takeAll(pending) {
  const ids = [...pending.keys()];
  pending.clear();
  return ids;
}

/**
 * Responds with an error to messages that are not forwarded, by their ids. Messages without ids get one error without
 * an id, unless none of them expects a response.
 * @param {unknown[]} messages @param {number} code @param {string} reason
 */
function refuse(messages, code, reason) {
  if (messages.length > 0 && messages.every(isUnanswered)) return;
  const ids = messages.filter(isRequest).map(({ id }) => (isInFlight(id) ? null : id));
  for (const id of ids.length > 0 ? new Set(ids) : [null]) void send(errorLine(id, code, reason));
}

/** Cancels a request, which gets no response. The server notices the closed connection. @param {Id} id */
function cancel(id) {
  for (const { pending, abort } of exchanges) if (pending.delete(id) && pending.size === 0) abort.abort();
}

/**
 * The outline of a line that is too long: the outermost object without nested values, or the objects of a batch. It
 * contains the ids, so that these requests also get a response.
 */
class Outline {
  /** @type {number[]} */
  #bytes = [];
  #depth = 0;
  #keptDepth = 0;
  #inString = false;
  #isEscaped = false;

  /** @param {Buffer} chunk */
  add(chunk) {
    for (const byte of chunk) {
      const character = String.fromCharCode(byte);
      const depthBefore = this.#depth;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (this.#inString && character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#inString = !this.#inString;
      else if (!this.#inString && '{['.includes(character)) {
        this.#depth++;
        this.#keptDepth ||= character === '[' ? 2 : 1;
      } else if (!this.#inString && '}]'.includes(character)) this.#depth--;
      if (Math.min(depthBefore, this.#depth) <= this.#keptDepth && this.#bytes.length < 65_536) this.#bytes.push(byte);
    }
  }

  /** @returns {unknown[]} empty if the line is not JSON, or if even the outline is too long */
  messages() {
    try {
      return [JSON.parse(Buffer.from(this.#bytes).toString())].flat();
    } catch {
      return [];
    }
  }
}

/**
 * Sends one line, and makes sure that each of its requests gets a response. Never throws.
 * @param {string} text @param {Message | Message[]} body the parsed text @param {{ id: Id, method: string }[]} requests
 */
async function exchange(text, body, requests) {
  const abort = new AbortController();
  const exchange = { pending: new Map(requests.map(({ id, method }) => [id, method])), abort };
  exchanges.add(exchange);
  if (exchanges.size >= EXCHANGES_AT_ONCE) process.stdin.pause();
  const idle = setTimeout(() => {
    // The server is not idle while a response is waiting for the client to read it.
    if (process.stdout.writableLength > 0) idle.refresh();
    else abort.abort(new Failure(`The tool server sent nothing for ${IDLE_LIMIT_MS / 1000} seconds.`));
  }, IDLE_LIMIT_MS);
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: headersFor(body),
      body: text,
      redirect: 'manual',
      signal: abort.signal,
    });
    await relayAnswer(response, exchange, idle);
  } catch (error) {
    const { message, data } = failureOf(abort.signal.aborted ? abort.signal.reason : error);
    for (const id of takeAll(exchange.pending)) await send(errorLine(id, SERVER_ERROR, message, data));
  }
  clearTimeout(idle);
  abort.abort();
  settle(exchange);
}

/** @param {Message | Message[]} body @returns {Record<string, string>} */
function headersFor(body) {
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'User-Agent': `${NAME}/${VERSION}`,
  };
  const { method, params } = Array.isArray(body) ? {} : body;
  const version = params?._meta?.[VERSION_IN_META];
  if (typeof version === 'string' && typeof method === 'string') {
    const name = Object.hasOwn(NAME_PARAMETER, method) ? params[NAME_PARAMETER[method] ?? ''] : undefined;
    return {
      ...headers,
      'MCP-Protocol-Version': headerValue(version),
      'Mcp-Method': headerValue(method),
      ...(typeof name === 'string' && { 'Mcp-Name': headerValue(name) }),
    };
  }
  if (negotiatedVersion && method !== 'initialize') return { ...headers, 'MCP-Protocol-Version': negotiatedVersion };
  return headers;
}

/** Returns the value if it fits a header, otherwise its base64 in the protocol's sentinel. @param {string} value */
function headerValue(value) {
  const looksEncoded = value.startsWith('=?base64?') && value.endsWith('?=');
  const isSafe = /^[\t\x20-\x7e]+$/.test(value) && value === value.trim() && !looksEncoded;
  return isSafe ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}

/**
 * Relays a response. Throws the error for requests that have no response when it ends.
 * @param {Response} response @param {Exchange} exchange @param {NodeJS.Timeout} idle
 */
async function relayAnswer(response, exchange, idle) {
  const { ok, status, headers } = response;
  if (exchange.pending.size === 0) return;
  const failure = failureOfStatus(status, headers);
  if (failure) throw failure;
  const chunks = withRefresh(response.body ?? [], idle);
  const isStream = headers.get('content-type')?.startsWith('text/event-stream');
  for await (const text of isStream ? eventsOf(chunks) : wholeOf(chunks)) await relay(text, exchange);
  if (ok) throw new Failure('The response of the tool server ended without a result.');
  throw new Failure(`The tool server rejected the request (HTTP ${status}).`, { status });
}

/** @param {Iterable<Uint8Array> | AsyncIterable<Uint8Array>} chunks @param {NodeJS.Timeout} idle */
async function* withRefresh(chunks, idle) {
  for await (const chunk of chunks) {
    idle.refresh();
    yield chunk;
    idle.refresh();
  }
}

/** @param {AsyncIterable<Uint8Array>} chunks */
async function* wholeOf(chunks) {
  const parts = [];
  let size = 0;
  for await (const chunk of chunks) {
    limitAnswer((size += chunk.length));
    parts.push(chunk);
  }
  yield new TextDecoder().decode(Buffer.concat(parts));
}

/** Yields the data of each complete event of a stream. @param {AsyncIterable<Uint8Array>} chunks */
async function* eventsOf(chunks) {
  const decoder = new TextDecoder();
  let unfinished = '';
  let endedInCr = false;
  /** @type {string[]} */
  let data = [];
  let type = '';
  let size = 0;
  for await (const chunk of chunks) {
    limitAnswer((size += chunk.length));
    let text = decoder.decode(chunk, { stream: true });
    if (endedInCr && text.startsWith('\n')) text = text.slice(1);
    endedInCr = text === '' ? endedInCr : text.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    lines[0] = unfinished + lines[0];
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (field === 'data') data.push(value);
      else if (field === 'event') type = value;
      if (line !== '') continue;
      if (data.length > 0 && (type === '' || type === 'message')) yield data.join('\n');
      [data, type, size] = [[], '', 0];
    }
  }
}

/** @param {number} bytes */
function limitAnswer(bytes) {
  if (bytes > ANSWER_LIMIT_BYTES) throw new Failure('The response of the tool server is too long.');
}

/**
 * Forwards the messages of a JSON text, unchanged if all of them are admitted.
 * @param {string} text @param {Exchange} exchange
 */
async function relay(text, exchange) {
  let parsed;
  try {
    parsed = JSON.parse(text);
  } catch {
    return;
  }
  /** @type {unknown[]} */
  const messages = [parsed].flat();
  const admitted = messages.flatMap((message) => admit(message, exchange));
  if (admitted.length === messages.length && admitted.every((message, index) => message === messages[index])) {
    // JSON can have line breaks only outside its strings.
    if (messages.length > 0) await send(text.replace(/[\r\n]+/g, ' '));
  } else {
    for (const message of admitted) await send(JSON.stringify(message));
  }
  if (exchange.pending.size === 0) settle(exchange);
}

/**
 * Returns the messages that the client gets for a message of the server: nothing for a response to an unknown or
 * completed request, and an error for each waiting request if the message is an error without an id.
 * @param {unknown} message @param {Exchange} exchange @returns {Message[]}
 */
function admit(message, { pending }) {
  if (!isMessage(message) || message.jsonrpc !== '2.0') return [];
  if (typeof message.method === 'string') return [message];
  if (!('result' in message) && !isMessage(message.error)) return [];
  const id = /** @type {Id} */ (message.id ?? null);
  if (id === null && message.error) return takeAll(pending).map((id) => ({ ...message, id }));
  if (pending.get(id) === 'initialize' && /^\d{4}-\d\d-\d\d$/.test(message.result?.protocolVersion)) {
    negotiatedVersion = message.result.protocolVersion;
  }
  return pending.delete(id) ? [message] : [];
}

/** Returns our own error for some statuses, whose bodies are ignored. @param {number} status @param {Headers} headers */
function failureOfStatus(status, headers) {
  if (status === 401) {
    return new Failure('The tool server rejected the key in SERVICE_API_KEY (HTTP 401).', { status });
  }
  if (status === 429) {
    const retryAfter = headers.get('retry-after') ?? '';
    const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
    const retryAfterSeconds = Number.isNaN(seconds) ? 60 : Math.max(1, Math.ceil(seconds));
    const message = `Too many requests (HTTP 429). Try again in ${retryAfterSeconds} seconds.`;
    return new Failure(message, { status, retryAfterSeconds });
  }
  if (status >= 300 && status < 400) {
    return new Failure(
      `The tool server redirects to another URL, to which the bridge does not send the key (HTTP ${status}).`,
    );
  }
  if (status >= 500) {
    return new Failure(`The tool server is unavailable. Try again later (HTTP ${status}).`, { status });
  }
}

/** @param {any} error @returns {Failure} */
function failureOf(error) {
  if (error instanceof Failure) return error;
  const code = /^[A-Z][A-Z0-9_]+$/.test(error?.cause?.code) ? ` (${error.cause.code})` : '';
  return new Failure(`The connection to the tool server failed${code}.`);
}

/** @param {Id | null} id @param {number} code @param {string} message @param {object} [data] */
function errorLine(id, code, message, data) {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
}

/**
 * Writes a line to stdout, and resolves when the client has read it. Masks the key, so that a server that repeats the
 * key does not get it into a client's logs. A key of fewer than 8 characters is not masked, because the same text might
 * mean something else.
 * @param {string} line @returns {Promise<void>}
 */
function send(line) {
  const clean = key.length < 8 ? line : line.replaceAll(key, 'SERVICE_API_KEY');
  return new Promise((resolve) => process.stdout.write(`${clean}\n`, () => resolve()));
}

/** Settles an exchange whose requests have responses; its connection can live longer. @param {Exchange} exchange */
function settle(exchange) {
  exchanges.delete(exchange);
  if (closing) exitWhenSettled();
  else if (exchanges.size < EXCHANGES_AT_ONCE) process.stdin.resume();
}

/** Stops reading lines, and exits when the requests in flight have their responses. */
function close() {
  if (closing) return;
  closing = true;
  process.stdin.pause();
  setTimeout(() => {
    for (const { abort } of exchanges) abort.abort(new Failure('The bridge ended before the tool server responded.'));
    setTimeout(() => process.exit(), 1000);
  }, DRAIN_LIMIT_MS);
  exitWhenSettled();
}

function exitWhenSettled() {
  if (exchanges.size === 0) process.stdout.write('', () => process.exit());
}

main();
