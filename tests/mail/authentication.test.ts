import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticate } from 'mailauth';
import { stopServices } from '../process/support.ts';
import { MailServer } from './smtp-support.ts';
import { enrolledLearner, forgetMail, invite, startMailing, whenDone } from './transport-support.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const server = new MailServer();
const folder = mkdtempSync(join(tmpdir(), 'dkim-'));
beforeAll(async () => {
  await server.start();
  const file = join(folder, 'key.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await startMailing(server, { MAIL_DKIM_KEY_FILE: file, MAIL_DKIM_SELECTOR: 's1' });
});
afterAll(async () => {
  stopServices();
  await server.stop();
  await forgetMail();
  rmSync(folder, { recursive: true });
});

const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
/** DNS records that the guide tells the operator to create for the sender. */
const RECORDS: Record<string, string> = {
  'sender.test': 'v=spf1 ip4:192.0.2.25 -all',
  's1._domainkey.sender.test': `v=DKIM1; k=rsa; p=${key}`,
  '_dmarc.sender.test': 'v=DMARC1; p=reject; aspf=s; adkim=s',
};

async function resolver(name: string, type: string): Promise<string[][]> {
  const record = type === 'TXT' ? RECORDS[name] : undefined;
  if (record) return [[record]];
  throw Object.assign(new Error('no such record'), { code: 'ENOTFOUND' });
}

test('SPF, DKIM and DMARC pass and align, and the message suits RFC 5322', async () => {
  await invite({ firstName: 'Zoë', lastName: 'Müller-Ωmega '.repeat(6).trim() });
  await enrolledLearner();
  await whenDone();
  expect(server.taken).toHaveLength(2);
  for (const { raw, from, parsed } of server.taken) {
    const options = { ip: '192.0.2.25', helo: 'mail.operator.example', sender: from, resolver, disableArc: true };
    const { dkim, dmarc } = (await authenticate(Buffer.from(raw, 'latin1'), options)) as any;
    expect(dkim.results).toMatchObject([{ signingDomain: 'sender.test', status: { result: 'pass' } }]);
    expect(dmarc).toMatchObject({
      status: { result: 'pass' },
      alignment: { spf: { result: 'sender.test' }, dkim: { result: 'sender.test' } },
    });
    const lines = raw.split('\r\n');
    expect(lines.filter((line) => line.length > 998 || /[\r\n]/.test(line))).toEqual([]);
    expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).toMatch(/^[\t\r\n\x20-\x7e]*$/);
    const headers = Object.fromEntries(parsed.headers.map((header) => [header.key, header.value]));
    expect(headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'x-auto-response-suppress': 'DR, RN, NRN, OOF, AutoReply',
      'mime-version': '1.0',
    });
  }
  expect(server.taken.some(({ raw }) => /^List-Unsubscribe: /m.test(raw))).toBe(false);
});
