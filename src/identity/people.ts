import { type Sql, sql } from '../db/sql.ts';
import type { Parameters } from '../db/statement.ts';
import type { AccountType } from '../auth/caller.ts';
import type { AssignedRole } from '../auth/roles.ts';

export type PersonKind = 'learner' | 'admin';

interface Kind {
  table: Sql;
  /** The column that holds the id of the person in sessions and links. */
  column: Sql;
  /** The e-mail address of a person `p` in lower case. */
  emailKey: Sql;
  /** The condition under which a person `p` can sign in. */
  canSignIn: Sql;
  /** The time after which an unused session ends. */
  idle: Sql;
  /** The maximum length of a session. */
  maxLength: Sql;
  /** Whether a sign-in link works only once. */
  isSingleUse: boolean;
}

export const KINDS: Record<PersonKind, Kind> = {
  learner: {
    table: sql`learners`,
    column: sql`learner_id`,
    emailKey: sql`p.email_key`,
    canSignIn: sql`not p.inactive`,
    idle: sql`interval '2 hours'`,
    maxLength: sql`interval '12 hours'`,
    isSingleUse: false,
  },
  admin: {
    table: sql`admins`,
    column: sql`admin_id`,
    emailKey: sql`lower(p.email)`,
    canSignIn: sql`p.status = 'active'`,
    idle: sql`interval '30 minutes'`,
    maxLength: sql`interval '8 hours'`,
    isSingleUse: true,
  },
};

/** A person and their company. A learner has no permissions. */
export interface Person extends AssignedRole {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string | null;
  /** The name that the company shows to its people. */
  companyName: string;
  /** The company's colour and logo; null if the company has set neither. */
  brand: { version: string; hasColor: boolean; logo: { width: number; height: number } | null } | null;
  accountType: AccountType;
  /** The modules that the company has enabled. */
  modules: string[];
}

const role = (p: Parameters<object>, kind: PersonKind): Sql =>
  kind === 'admin'
    ? sql`p.role, (
        select scopes from roles where company_id = ${p.companyId} and id = p.role_id) as "customScopes"`
    : sql`'none' as role, null::text[] as "customScopes"`;

/** Builds the columns to select from a person `p` and the company `c`. */
export const personColumns = (p: Parameters<object>, kind: PersonKind): Sql => sql`
  ${role(p, kind)}, p.id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.locale, 
  coalesce((select b.brand_name from company_settings b where b.company_id = ${p.companyId}), c.name) as "companyName",
  (select json_build_object('version', b.brand_version, 'hasColor', b.brand_color is not null, 'logo', b.brand_logo_facts)
     from company_settings b where b.company_id = ${p.companyId} and b.brand_version is not null) as brand,
  c.account_type as "accountType",
  enabled_modules(c.smlearn, c.smphish, c.smpolicy, c.smbreachproenabled) as modules`;
