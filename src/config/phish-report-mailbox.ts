import { type MailboxAccount, mailboxAccount } from './mailbox-account.ts';
import { ConfigError, type Env, mailAddress } from './variables.ts';

/** The mailbox to which people forward suspicious emails. */
export interface ReportMailboxConfig extends MailboxAccount {
  /**
   * The e-mail address to which reported emails are forwarded unless they are simulations; undefined to forward none.
   */
  readonly forwardTo: string | undefined;
}

const [MAILBOX, FORWARD] = ['REPORT_MAILBOX_URL', 'REPORT_FORWARD_TO'] as const;

/**
 * Reads the mailbox for reported emails; undefined if none is configured.
 * @param cannotForward whether this process must forward emails but has no way to send them
 * @throws {ConfigError} naming the variable that is missing or invalid
 */
export function reportMailbox(env: Env, cannotForward: boolean): ReportMailboxConfig | undefined {
  const account = mailboxAccount(env, 'REPORT_MAILBOX');
  const forwardTo = mailAddress(env, FORWARD)?.address;
  if (!account) {
    if (forwardTo) throw new ConfigError(`${MAILBOX} is required with ${FORWARD}`);
    return undefined;
  }
  const mailbox = { ...account, forwardTo };
  if (forwardTo !== undefined && cannotForward)
    throw new ConfigError(`SMTP_URL or MAIL_GRAPH_URL is required with ${FORWARD}`);
  // An email forwarded to the mailbox itself, or a bounce of it, would be forwarded again and again.
  const ends = { [FORWARD]: forwardTo, MAIL_FROM: mailAddress(env, 'MAIL_FROM')?.address };
  for (const [name, end] of Object.entries(ends)) {
    if (forwardTo !== undefined && end?.toLowerCase() === mailbox.user.toLowerCase()) {
      throw new ConfigError(`${name} must differ from the address of ${MAILBOX}`);
    }
  }
  return mailbox;
}
