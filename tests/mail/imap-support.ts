import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { ImapFlow } from 'imapflow';
import { makeFolder } from '../process/folders.ts';
import { freePort } from '../process/support.ts';
import { until } from '../support/until.ts';
import type { TokenServer } from './token-server.ts';

const PROGRAM = ['dovecot', '/usr/sbin/dovecot'].find((name) => !spawnSync(name, ['--version']).error);

/** Whether Dovecot is installed (Debian package dovecot-imapd). */
export const hasDovecot = PROGRAM !== undefined;

const USER = 'reports@tenant.test';
const PASSWORD = 'pass/word';
const ME = userInfo();
/** Owner of the emails; Dovecot refuses to read emails as root. */
const OWNER = ME.uid === 0 ? { uid: 65_534, gid: 65_534 } : ME;

export interface Marked {
  uid: number;
  flags: string[];
}

/** A real IMAP server on loopback with one mailbox, which can be stopped and started again. */
export class ImapServer {
  readonly #folder = makeFolder();
  readonly port: number;
  #child: ChildProcess | undefined;

  readonly #tokens: TokenServer | undefined;

  private constructor(port: number, tokens: TokenServer | undefined) {
    this.port = port;
    this.#tokens = tokens;
    const logins = join(this.#folder, 'oauth2.conf');
    if (tokens) writeFileSync(logins, `tokeninfo_url = ${tokens.inspectionUrl}\nusername_attribute = user\n`);
    const settings = tokens ? tokenLogins(logins) : PASSWORD_LOGINS;
    writeFileSync(join(this.#folder, 'dovecot.conf'), configOf(this.#folder, port) + settings);
    mkdirSync(join(this.#folder, 'mail'));
    chownSync(join(this.#folder, 'mail'), OWNER.uid, OWNER.gid);
  }

  /** @param tokens provider of the only tokens with which to log in; without it, the server takes a password */
  static async start(tokens?: TokenServer): Promise<ImapServer> {
    const server = new ImapServer(await freePort(), tokens);
    await server.start();
    return server;
  }

  get url(): string {
    const password = this.#tokens ? '' : `:${encodeURIComponent(PASSWORD)}`;
    return `imap://${encodeURIComponent(USER)}${password}@127.0.0.1:${this.port}/INBOX`;
  }

  async start(): Promise<void> {
    this.#child = spawn(PROGRAM!, ['-F', '-c', join(this.#folder, 'dovecot.conf')], { stdio: 'ignore' });
    await until(() => this.#answers());
  }

  async stop(): Promise<void> {
    const child = this.#child!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  }

  /** Delivers an email to the mailbox, as a mail server does. */
  async deliver(mail: string | Buffer): Promise<void> {
    await this.#withClient((client) => client.append('INBOX', Buffer.from(mail)));
  }

  /** Delivers many emails over one connection. */
  async deliverAll(mails: readonly string[]): Promise<void> {
    await this.#withClient(async (client) => {
      for (const mail of mails) await client.append('INBOX', Buffer.from(mail));
    });
  }

  /** Delivers emails while the server is stopped, the first of which the server cannot read. */
  deliverStopped(mails: readonly string[]): void {
    for (const [index, mail] of mails.entries()) {
      const file = join(this.#folder, 'mail', 'box', 'new', `${1_700_000_000 + index}.M1P1.tenant`);
      writeFileSync(file, mail, { mode: index === 0 ? 0 : 0o600 });
      chownSync(file, OWNER.uid, OWNER.gid);
    }
  }

  /** Returns the emails of the mailbox with their flags, except Recent. */
  marks(): Promise<Marked[]> {
    return this.#withClient(async (client) => {
      await client.mailboxOpen('INBOX', { readOnly: true });
      const all = await client.fetchAll('1:*', { flags: true });
      return all.map(({ uid, flags }) => ({ uid, flags: [...flags!].filter((flag) => flag !== '\\Recent') }));
    });
  }

  /** Removes all emails. */
  async empty(): Promise<void> {
    await this.#withClient(async (client) => {
      await client.mailboxOpen('INBOX');
      await client.messageDelete('1:*');
    });
  }

  async #withClient<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const auth = { user: USER, ...(this.#tokens ? { accessToken: this.#tokens.issue() } : { pass: PASSWORD }) };
    const client = new ImapFlow({ host: '127.0.0.1', port: this.port, secure: false, auth, logger: false });
    await client.connect();
    try {
      return await work(client);
    } finally {
      client.close();
    }
  }

  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1');
      const end = (found: boolean) => {
        socket.destroy();
        resolve(found);
      };
      socket.once('data', () => end(true));
      socket.once('error', () => end(false));
    });
  }
}

const PASSWORD_LOGINS = `
passdb {
  driver = static
  args = password=${PASSWORD}
}
`;

const tokenLogins = (file: string) => `
auth_mechanisms = xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${file}
}
`;

function configOf(folder: string, port: number): string {
  return `
protocols = imap
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
ssl = no
disable_plaintext_auth = no
${ME.uid === 0 ? '' : `default_internal_user = ${ME.username}\ndefault_login_user = ${ME.username}`}
first_valid_uid = 1
userdb {
  driver = static
  args = uid=${OWNER.uid} gid=${OWNER.gid} home=${folder}/mail
}
mail_location = maildir:${folder}/mail/box
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
}
service anvil {
  chroot =
}
`;
}
