import { removeFolders } from '../process/folders.ts';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { hasDovecot, ImapServer } from './imap-support.ts';
import { MailServer } from './smtp-support.ts';
import { sendJson, TokenServer } from './token-server.ts';
import { startMailing } from './transport-support.ts';

if (!hasDovecot) process.stderr.write('SKIPPED: no dovecot, so nothing reads a mailbox with OAuth\n');
const withDovecot = hasDovecot ? describe : describe.skip;

withDovecot(`a mailbox that takes only OAuth${hasDovecot ? '' : ', skipped without Dovecot'}`, () => {
  const smtp = new MailServer();
  let provider: TokenServer;
  let imap: ImapServer;
  beforeAll(async () => {
    [provider] = await Promise.all([TokenServer.start(), smtp.start()]);
    imap = await ImapServer.start(provider);
  });
  afterAll(async () => {
    stopServices();
    await Promise.all([smtp.stop(), imap.stop()]);
    await provider.stop();
    await removeFolders();
  });

  test('rejects a revoked token, and is read with a new one', async () => {
    provider.respond = (response) => {
      provider.respond = undefined;
      sendJson(response, 200, { access_token: 'revoked' });
    };
    await startMailing(smtp, {
      ROLES: 'simulate',
      SIMULATION_SENDER_DOMAINS: 'parcels.example',
      REPORT_MAILBOX_URL: imap.url,
      REPORT_FORWARD_TO: 'soc@tenant.test',
      ...provider.settings('REPORT_MAILBOX_OAUTH'),
    });
    await imap.deliver('From: learner1@tenant.test\r\nTo: reports@tenant.test\r\nSubject: Look\r\n\r\nLook\r\n');
    await until(() => smtp.taken.length === 1);
    expect(provider.requests).toHaveLength(2);
    expect(smtp.taken).toMatchObject([{ to: ['soc@tenant.test'] }]);
  });
});
