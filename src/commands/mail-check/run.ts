// Command-line interface of `mail-check`.
import { isIP } from 'node:net';
import { readConfig, type Config } from '../../config/config.ts';
import { runCommand, UsageError } from '../command.ts';
import { readEnvironment } from '../../config/secret-files.ts';
import { checkDomain, type SenderDomain } from './check-domain.ts';
import { createDnsRecords } from './dns-records.ts';

const HELP = `Checks the DNS records of the domains that messages come from: SPF, DKIM, DMARC, and the
MX record of the bounce address. Says which record to add or to change.

Usage: mail-check [ADDRESS…]    IP addresses that your mail server sends from, to check SPF

The domains are those of MAIL_FROM and SIMULATION_SENDER_DOMAINS. DNS_SERVERS names other DNS
servers than the system's. In a checkout, run make mail-check ARGS='192.0.2.25', or
node src/commands/mail-check.ts with Node 22.18 or newer. Exit codes: 0 all records are correct,
1 a record must change, 64 invalid arguments, 78 invalid settings.`;

/** Runs the command in the process's arguments. */
export function runMailCheck(): Promise<void> {
  return runCommand(async () => {
    const words = process.argv.slice(2);
    if (words.includes('--help') || words.includes('-h')) return console.log(HELP);
    if (words.some((word) => isIP(word) === 0)) throw new UsageError('Give IP addresses only. See: mail-check --help');
    const config = readConfig({ ...readEnvironment(), ROLES: readEnvironment().ROLES ?? 'worker' });
    const dns = createDnsRecords(config.dnsServers);
    let isOk = true;
    for (const sender of listSenders(config, words)) {
      console.log(sender.domain);
      for (const finding of await checkDomain(dns, sender)) {
        console.log(`  ${finding.isOk ? 'ok    ' : 'change'} ${finding.text}`);
        isOk &&= finding.isOk;
      }
    }
    if (!isOk) process.exitCode = 1;
  });
}

/** Lists the domains that messages come from, once per signing key. */
export function listSenders(
  { mail, simulations, bounces }: Pick<Config, 'mail' | 'simulations' | 'bounces'>,
  sendingAddresses: readonly string[],
): SenderDomain[] {
  const toSender = (domain: string, dkim: SenderDomain['dkim']): SenderDomain => ({
    domain,
    returnDomain: bounces?.domain.replace('{sender}', domain) ?? domain,
    dkim,
    receivesBounces: bounces !== undefined,
    sendingAddresses,
  });
  const from = mail?.from.address.split('@').at(-1)!.toLowerCase();
  return [
    ...(from === undefined ? [] : [toSender(from, mail!.dkim)]),
    ...(simulations?.senders ?? []).map((domain) => toSender(domain, simulations!.dkim)),
  ];
}
