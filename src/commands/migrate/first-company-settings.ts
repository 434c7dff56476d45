import { baseUrl, ConfigError, type Env, mailAddress } from '../../config/variables.ts';
import { refuseNames } from '../../resources/learners/shared/person-rules.ts';

/** The first company and its admin in an empty database. */
export interface FirstCompany {
  name: string;
  admin: { email: string; firstName: string; lastName: string };
  /** Base URL of the printed link, without a trailing slash. */
  publicUrl: string;
}

const MAX_ADDRESS_LENGTH = 254;
const ADDRESS = /^[\w.!#$%&'*+/=?^`{|}~-]+@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const NAME = /^\P{C}{1,200}$/u;

/**
 * Reads `INIT_COMPANY` and `INIT_ADMIN_EMAIL`. Returns undefined if neither is set.
 * @throws {ConfigError} that names the missing or invalid variable
 */
export function firstCompanySettings(env: Env): FirstCompany | undefined {
  const name = env.INIT_COMPANY?.trim();
  const from = mailAddress(env, 'INIT_ADMIN_EMAIL');
  if (!name && !from) return undefined;
  if (!name) throw new ConfigError('INIT_COMPANY is required with INIT_ADMIN_EMAIL');
  if (!NAME.test(name)) throw new ConfigError('INIT_COMPANY must be one line of 1 to 200 characters');
  if (!from) throw new ConfigError('INIT_ADMIN_EMAIL is required with INIT_COMPANY');
  const publicUrl = baseUrl(env, 'PUBLIC_URL');
  if (!publicUrl) throw new ConfigError('PUBLIC_URL is required with INIT_COMPANY');
  return { name, admin: parseAdmin(from), publicUrl };
}

function parseAdmin({ name, address: email }: { name: string; address: string }): FirstCompany['admin'] {
  if (email.length > MAX_ADDRESS_LENGTH || !ADDRESS.test(email)) {
    throw new ConfigError(
      `INIT_ADMIN_EMAIL must be an e-mail address of at most ${MAX_ADDRESS_LENGTH} ASCII characters, ` +
        'such as Ada Lovelace <ada@example.org>',
    );
  }
  const names = splitName(name.trim());
  if (!Object.values(names).every((one) => NAME.test(one)) || refuseNames(names)) {
    throw new ConfigError(
      'the first and last name in INIT_ADMIN_EMAIL must each have 1 to 200 characters and contain no web address',
    );
  }
  return { email, ...names };
}

/** Splits a name: the last word is the family name. An admin without a name can be renamed later. */
function splitName(text: string): { firstName: string; lastName: string } {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return { firstName: 'First', lastName: 'Administrator' };
  if (words.length === 1) return { firstName: words[0]!, lastName: 'Administrator' };
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1)! };
}
