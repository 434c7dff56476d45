import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authenticate } from 'mailauth';
import {
  allowSimulations,
  forgetSimulations,
  makeDueSimulation,
  SENDER,
  startSimulating,
  whenSent,
} from '../support/own-simulations.ts';
import { stopServices } from '../process/support.ts';
import { MailServer } from './smtp-support.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const server = new MailServer();
const folder = mkdtempSync(join(tmpdir(), 'dkim-'));
beforeAll(async () => {
  await server.start();
  const file = join(folder, 'key.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await startSimulating(server, { SIMULATION_DKIM_KEY_FILE: file, SIMULATION_DKIM_SELECTOR: 's1' });
  await allowSimulations();
});
afterAll(async () => {
  stopServices();
  await server.stop();
  await forgetSimulations();
  rmSync(folder, { recursive: true });
});

const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
/** DNS records that the guide tells the operator to create for a sender domain. */
const RECORDS: Record<string, string> = {
  [SENDER]: 'v=spf1 ip4:192.0.2.25 -all',
  [`s1._domainkey.${SENDER}`]: `v=DKIM1; k=rsa; p=${key}`,
  [`_dmarc.${SENDER}`]: 'v=DMARC1; p=reject; aspf=s; adkim=s',
};

async function resolver(name: string, type: string): Promise<string[][]> {
  const record = type === 'TXT' ? RECORDS[name] : undefined;
  if (record) return [[record]];
  throw Object.assign(new Error('no such record'), { code: 'ENOTFOUND' });
}

test.each(['email', 'qr_code', 'attachment'])(
  'SPF, DKIM and DMARC of a message (%s) pass and align',
  async (method) => {
    server.reset();
    const attachment = { name: 'Notice.pdf', title: 'Notice', text: 'See {{link}}' };
    const words = { subject: 'Zustellung für {{firstName}}', ...(method === 'attachment' && { attachment }) };
    await whenSent((await makeDueSimulation({ recipients: 1, deliveryMethod: method, words })).simulationId);
    const [{ raw, from }] = server.received as [(typeof server.received)[number]];
    const ask = async (mail: string) => {
      const options = { ip: '192.0.2.25', helo: 'mail.operator.example', sender: from, resolver, disableArc: true };
      return authenticate(Buffer.from(mail, 'latin1'), options);
    };
    const { spf, dkim, dmarc } = (await ask(raw)) as any;
    expect(spf).toMatchObject({ domain: SENDER, status: { result: 'pass' } });
    expect(dkim.results).toMatchObject([{ signingDomain: SENDER, status: { result: 'pass', aligned: SENDER } }]);
    expect(dmarc).toMatchObject({
      status: { result: 'pass' },
      alignment: { spf: { result: SENDER }, dkim: { result: SENDER } },
    });
    const forged = (await ask(raw.replace(/^Subject: .*/m, 'Subject: Another'))) as any;
    expect(forged.dkim.results[0].status.result).not.toBe('pass');
  },
);
