import { createPublicKey } from 'node:crypto';
import type { DkimKey } from '../../config/dkim-key.ts';
import type { DnsRecords } from './dns-records.ts';
import { readSpf } from './spf.ts';

/** A domain that messages come from, and the service's settings for it. */
export interface SenderDomain {
  domain: string;
  /** The domain of return paths; the domain itself without bounce addresses. */
  returnDomain: string;
  /** The key with which the service signs messages from the domain; undefined if the service does not sign them. */
  dkim: DkimKey | undefined;
  /** Whether bounces must reach a mailbox at the domain of return paths. */
  receivesBounces: boolean;
  /** IP addresses from which the mail server sends, if the operator names them. */
  sendingAddresses: readonly string[];
}

/** A line of the output: either a correct record, or a change to make. */
export interface Finding {
  isOk: boolean;
  text: string;
}

const ok = (text: string): Finding => ({ isOk: true, text });
const wrong = (text: string): Finding => ({ isOk: false, text });

/** Checks the DNS records of a domain that messages come from. */
export async function checkDomain(dns: DnsRecords, sender: SenderDomain): Promise<Finding[]> {
  const parts = [await checkSpf(dns, sender), await checkDkim(dns, sender), await checkDmarc(dns, sender)];
  return [...parts.flat(), ...(sender.receivesBounces ? [await checkExchanges(dns, sender.returnDomain)] : [])];
}

async function checkSpf(dns: DnsRecords, { returnDomain, sendingAddresses }: SenderDomain): Promise<Finding[]> {
  const { record, problems, allows } = await readSpf(dns, returnDomain);
  if (record === undefined) {
    const mechanisms = sendingAddresses
      .map((address) => `${address.includes(':') ? 'ip6' : 'ip4'}:${address} `)
      .join('');
    return [wrong(`SPF: add the TXT record "v=spf1 ${mechanisms || 'include:… '}~all" to ${returnDomain}`)];
  }
  const missing = sendingAddresses.filter((address) => !allows(address));
  const findings = [
    ...problems.map((problem) => wrong(`SPF: ${problem}`)),
    ...missing.map((address) => wrong(`SPF: the record of ${returnDomain} does not allow ${address}; add it`)),
  ];
  return findings.length > 0 ? findings : [ok(`SPF: ${returnDomain} has ${record}`)];
}

async function checkDkim(dns: DnsRecords, { domain, dkim }: SenderDomain): Promise<Finding[]> {
  if (!dkim) return [ok(`DKIM: this service does not sign; your mail server must sign for ${domain}`)];
  const name = `${dkim.selector}._domainkey.${domain}`;
  const expected = createPublicKey(dkim.privateKey).export({ type: 'spki', format: 'der' }).toString('base64');
  const records = await dns.texts(name);
  const keys = records.map((text) => /(?:^|;)\s*p=([^;]*)/i.exec(text)?.[1]?.replace(/\s/g, ''));
  if (keys.includes(expected)) return [ok(`DKIM: ${name} has the key of this service`)];
  const problem = records.length === 0 ? 'has no TXT record' : 'has a different key than this service';
  return [wrong(`DKIM: ${name} ${problem}; set it to "v=DKIM1; k=rsa; p=${expected}"`)];
}

async function checkDmarc(dns: DnsRecords, { domain, returnDomain, dkim }: SenderDomain): Promise<Finding[]> {
  const record = await findDmarc(dns, domain);
  if (record === undefined) {
    return [wrong(`DMARC: add the TXT record "v=DMARC1; p=none; rua=mailto:…" to _dmarc.${domain}`)];
  }
  const isStrict = /(?:^|;)\s*aspf\s*=\s*s/i.test(record);
  const isAligned = isStrict ? returnDomain === domain : areRelated(returnDomain, domain);
  if (isAligned || dkim) return [ok(`DMARC: ${domain} has ${record}`)];
  return [
    wrong(
      `DMARC: the return path at ${returnDomain} is not aligned with ${domain}; sign with DKIM, or set BOUNCE_ADDRESS to a mailbox at {sender}`,
    ),
  ];
}

/** Finds the DMARC record of a domain, or of a domain above it. */
async function findDmarc(dns: DnsRecords, domain: string): Promise<string | undefined> {
  const labels = domain.split('.');
  for (let at = 0; at < labels.length - 1; at++) {
    const texts = await dns.texts(`_dmarc.${labels.slice(at).join('.')}`);
    const record = texts.find((text) => /^v=DMARC1\s*;/i.test(text));
    if (record !== undefined) return record;
  }
  return undefined;
}

/**
 * Reports whether one domain equals the other or is below it. DMARC also accepts two domains below one registrable
 * domain, which only the Public Suffix List reveals.
 */
function areRelated(one: string, other: string): boolean {
  return `.${one}`.endsWith(`.${other}`) || `.${other}`.endsWith(`.${one}`);
}

async function checkExchanges(dns: DnsRecords, domain: string): Promise<Finding> {
  const exchanges = await dns.exchanges(domain);
  return exchanges.length > 0
    ? ok(`MX: bounces to ${domain} go to ${exchanges.join(', ')}`)
    : wrong(`MX: ${domain} has no MX record, so bounces might be lost; add the mail server of the bounce mailbox`);
}
