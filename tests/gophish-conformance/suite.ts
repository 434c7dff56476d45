import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MailServer } from '../mail/smtp-support.ts';
import { type Check, expect } from '../mcp-conformance/checks.ts';
import { closeServer, listen } from '../mcp-conformance/services.ts';

export interface GoPhishOptions {
  service: string;
  key: string;
  home: string;
}

const TOKEN = 'a'.repeat(64);
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** Wait between delivery and visit; an earlier visit counts as the visit of a mail gateway. */
const READING_MS = 6_000;
const TARGET_MS = 1_000;
const PATIENCE_MS = 20_000;

/** Returns the checks that use GoPhish (https://github.com/gophish/gophish) in its source folder `GOPHISH`. */
export function goPhishChecks(options: GoPhishOptions): Check[] {
  const folder = process.env.GOPHISH;
  if (folder === undefined || !existsSync(join(folder, 'gophish'))) {
    console.log('skip  GoPhish: GOPHISH names no folder of its source with the program built in it');
    return [];
  }
  return [{ what: 'a campaign of GoPhish', look: () => lookAtCampaign(folder, options) }];
}

async function lookAtCampaign(folder: string, { service, key, home }: GoPhishOptions): Promise<string> {
  const [admin, phish] = [await freeAddress(), await freeAddress()];
  const child = await spawnGoPhish(folder, { home, admin, phish });
  const mails = await new MailServer().start();
  try {
    await until(() => ask(`http://${admin}/api/webhooks/`, TOKEN).catch(() => undefined));
    const { data: source } = await ask(`${service}/v1/sources`, key, { name: 'Conformance', kind: 'gophish' });
    const { data: learners } = await ask(`${service}/v1/learners?limit=1`, key);
    await startCampaign(`http://${admin}`, {
      webhook: { url: `${service}/v1/sources/${source.id}/gophish`, secret: source.secret },
      host: new URL(mails.url).host,
      url: `http://${phish}`,
      email: learners[0].email,
    });
    const link = await until(() => /http[^"]+rid=\w+/.exec(mails.taken[0]?.parsed.html ?? '')?.[0]);
    const { id } = await until(async () => {
      const { data: simulations } = await ask(`${service}/v1/simulations`, key);
      return simulations.find(({ externalId }: any) => externalId === `gophish-${source.id}-1`);
    });
    await sleep(READING_MS);
    const headers = { 'user-agent': CHROME };
    // A click this soon after delivery is shown but does not count.
    const timeUntil = async (outcome: string, act: () => Promise<unknown>): Promise<string> => {
      const startedAt = performance.now();
      await act();
      await until(async () => {
        const { data } = await ask(`${service}/v1/simulations/${id}/interactions`, key);
        return data.find(({ type }: any) => type === outcome);
      });
      const ms = Math.round(performance.now() - startedAt);
      expect(ms < TARGET_MS, `${outcome} was shown after ${ms} ms`);
      return `${outcome} after ${ms} ms`;
    };
    const body = new URLSearchParams({ password: 'horse' });
    return [
      await timeUntil('visited', () => fetch(link, { headers })),
      await timeUntil('compromised', () => fetch(link, { method: 'POST', headers, body, redirect: 'manual' })),
    ].join(', ');
  } finally {
    child.kill();
    await mails.stop();
  }
}

interface Place {
  home: string;
  admin: string;
  phish: string;
}

async function spawnGoPhish(folder: string, { home, admin, phish }: Place): Promise<ChildProcess> {
  const config = join(home, 'gophish.json');
  const settings = {
    admin_server: { listen_url: admin, use_tls: false },
    phish_server: { listen_url: phish, use_tls: false },
    ...{ db_name: 'sqlite3', db_path: join(home, 'gophish.db'), migrations_prefix: 'db/db_' },
  };
  await writeFile(config, JSON.stringify(settings));
  const env = { GOPHISH_INITIAL_ADMIN_API_TOKEN: TOKEN, GOPHISH_INITIAL_ADMIN_PASSWORD: TOKEN };
  return spawn(join(folder, 'gophish'), ['--config', config], { cwd: folder, env, stdio: 'ignore' });
}

interface Campaign {
  webhook: { url: string; secret: string };
  /** Host of the campaign's mail server. */
  host: string;
  /** Target of the campaign's links. */
  url: string;
  email: string;
}

/** Has GoPhish send one message whose page has a form. */
async function startCampaign(admin: string, { webhook, host, url, email }: Campaign): Promise<void> {
  const name = 'Conformance';
  const make = (what: string, fields: object) => ask(`${admin}/api/${what}/`, TOKEN, { name, ...fields });
  await make('webhooks', { ...webhook, is_active: true });
  await make('smtp', { interface_type: 'SMTP', host, from_address: 'Desk <desk@phish.example.org>' });
  await make('templates', { subject: 'A parcel', html: '<a href="{{.URL}}">See</a>' });
  const html = '<form method="post"><input name="password"></form>';
  await make('pages', { html, capture_credentials: true, capture_passwords: true });
  await make('groups', { targets: [{ first_name: 'Ada', last_name: 'L', email }] });
  const named = { name };
  await make('campaigns', { template: named, page: named, smtp: named, groups: [named], url });
}

/** Calls an operation of the service or of GoPhish; a POST if there is a body. */
async function ask(url: string, key: string, body?: object): Promise<any> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(answer.ok, `${url} answers ${answer.status}: ${text}`);
  return JSON.parse(text);
}

async function until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const endsAt = Date.now() + PATIENCE_MS;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    expect(Date.now() < endsAt, `Nothing has come in ${PATIENCE_MS} ms: ${find.toString()}`);
    await sleep(20);
  }
}

async function freeAddress(): Promise<string> {
  const { server, url } = await listen();
  await closeServer(server);
  return new URL(url).host;
}
