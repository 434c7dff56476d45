import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { openMailTransport } from '../../src/mail/sending/mail-transport.ts';
import { sendJson, TokenServer } from './token-server.ts';

/** SASL messages of the logins, decoded. */
let logins: string[] = [];
const sockets: Socket[] = [];
/** Whether the server offers authentication. */
let offers = true;

/** A mail server that accepts only OAUTHBEARER, which smtp-server does not support. It accepts the token `second`. */
const server: Server = createServer((socket) => {
  sockets.push(socket);
  const say = (text: string) => socket.write(`${text}\r\n`);
  const responses: Record<string, () => void> = {
    EHLO: () => say(offers ? '250-hello\r\n250 AUTH OAUTHBEARER' : '250 hello'),
    DATA: () => say('354 go on'),
    '.': () => say('250 taken'),
    'AQ==': () => say('535 5.7.8 invalid token'),
    MAIL: () => say('250 ok'),
    RCPT: () => say('250 ok'),
  };
  say('220 hello');
  createInterface({ input: socket }).on('line', (line) => {
    const [, method, message] = line.split(' ');
    const word = /^(AUTH|EHLO|MAIL|RCPT|DATA)\b|^AQ==$|^\.$/.exec(line)?.[0];
    if (word !== 'AUTH') return word && responses[word]!();
    if (method !== 'OAUTHBEARER') return say('504 unknown method');
    logins.push(Buffer.from(message!, 'base64').toString());
    say(logins.at(-1)!.includes('Bearer second\x01') ? '235 welcome' : '334 eyJzdGF0dXMiOiI0MDEifQ==');
  });
});
let provider: TokenServer;
let address: string;

beforeAll(async () => {
  provider = await TokenServer.start();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  logins = [];
  offers = true;
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await provider.stop();
});

const mail = { from: 'a@sender.test', to: 'b@tenant.test', subject: 'Hello', text: 'Hello' };

function open() {
  const grant = { type: 'client_credentials', clientId: 'a', clientSecret: 'b' } as const;
  const oauth = { user: 'a,b@sender.test', tokenUrl: provider.url, scope: undefined, grant };
  return openMailTransport(
    { delivery: { smtpUrl: `smtp://a%2Cb%40sender.test@${address}`, oauth } },
    1,
    undefined,
    provider.ca,
  );
}

test('a server without XOAUTH2 gets OAUTHBEARER, and a rejected token is replaced in the same connection', async () => {
  provider.respond = (response) =>
    sendJson(response, 200, { access_token: provider.requests.length === 1 ? 'first' : 'second' });
  await open().send(mail);
  expect(logins).toEqual([
    'n,a=a=2Cb@sender.test,\x01auth=Bearer first\x01\x01',
    'n,a=a=2Cb@sender.test,\x01auth=Bearer second\x01\x01',
  ]);
});

test('a server that offers no authentication gets no email', async () => {
  offers = false;
  provider.respond = (response) => sendJson(response, 200, { access_token: 'first' });
  await expect(open().send(mail)).rejects.toMatchObject({ code: 'EAUTH', responseCode: 535 });
});
