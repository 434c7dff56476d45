// The operator's settings of a company, as create-company and update-company accept them.
import { CommandError, UsageError } from '../command.ts';
import { type Command, optional, requiredName, type Values } from './command.ts';

export const MODULES = ['smlearn', 'smphish', 'smpolicy', 'smbreachproenabled'] as const;
type ModuleName = (typeof MODULES)[number];

/** Plan of a free trial, and the learner limit of a trial unless an option sets a different one. */
const TRIAL_PLAN = 'freeTrial';
export const TRIAL_LEARNERS = 25;
const MAX_LEARNERS = 2_147_483_647;
const HOST_NAME = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Settings that depend on each other. */
export interface LinkedSettings {
  plan_name: string;
  learner_limit: number | null;
  domain: string | null;
  domain_lock: boolean;
}

export interface Settings extends LinkedSettings, Record<ModuleName, boolean> {
  name: string;
  smbreachprodomains: string[];
}

export const SETTING_OPTIONS: Command['options'] = {
  name: { type: 'string' },
  plan: { type: 'string' },
  'learner-limit': { type: 'string' },
  domain: { type: 'string' },
  'domain-lock': { type: 'boolean' },
  enable: { type: 'string' },
  disable: { type: 'string' },
  'watched-domains': { type: 'string' },
};

/** Reads the settings that the options name. */
export function parseCompanySettings(values: Values): Partial<Settings> {
  const limit = optional(values, 'learner-limit');
  const domain = optional(values, 'domain');
  const watched = optional(values, 'watched-domains');
  return {
    ...(values.name !== undefined && { name: requiredName(values, 'name') }),
    ...(values.plan !== undefined && { plan_name: requiredName(values, 'plan') }),
    ...(limit !== undefined && { learner_limit: limit === 'none' ? null : learnerLimit(limit) }),
    ...(domain !== undefined && { domain: domain === 'none' ? null : domainName(domain, 'domain') }),
    ...parseDomainLock(values),
    ...parseModules(values),
    ...(watched !== undefined && { smbreachprodomains: watched === 'none' ? [] : domainNames(watched) }),
  };
}

/**
 * Returns the settings of a company after a change, including settings that follow from others: a free trial has a
 * learner limit.
 * @throws {CommandError} for settings that contradict each other
 */
export function settle(current: LinkedSettings, change: Partial<LinkedSettings>): LinkedSettings {
  const { plan_name, learner_limit, domain, domain_lock } = { ...current, ...change };
  if (domain_lock && domain === null) throw new UsageError('--domain-lock requires --domain.');
  if (plan_name !== TRIAL_PLAN || learner_limit !== null) return { plan_name, learner_limit, domain, domain_lock };
  if (change.learner_limit === null)
    throw new CommandError('A free trial has a learner limit; give another --plan as well.');
  return { plan_name, learner_limit: TRIAL_LEARNERS, domain, domain_lock };
}

function parseDomainLock(values: Values): Partial<Settings> {
  const [lock, unlock] = [values['domain-lock'] === true, values['no-domain-lock'] === true];
  if (lock && unlock) throw new UsageError('--domain-lock cannot be combined with --no-domain-lock.');
  return lock || unlock ? { domain_lock: lock } : {};
}

function parseModules(values: Values): Partial<Settings> {
  const [enabled, disabled] = [moduleNames(values, 'enable'), moduleNames(values, 'disable')];
  const both = enabled.find((name) => disabled.includes(name));
  if (both) throw new UsageError(`${both} cannot be both enabled and disabled.`);
  const modules: Partial<Settings> = {};
  for (const name of [...enabled, ...disabled]) modules[name] = enabled.includes(name);
  return modules;
}

function moduleNames(values: Values, option: string): ModuleName[] {
  const names = splitList(optional(values, option) ?? '');
  const unknown = names.find((name) => !MODULES.includes(name as ModuleName));
  if (unknown !== undefined) throw new CommandError(`--${option} must be a list of ${MODULES.join(', ')}.`);
  return names as ModuleName[];
}

function learnerLimit(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > MAX_LEARNERS) {
    throw new CommandError(`--learner-limit must be a whole number from 0 to ${MAX_LEARNERS}.`);
  }
  return Number(text);
}

function domainNames(text: string): string[] {
  const names = splitList(text).map((name) => domainName(name, 'watched-domains'));
  if (names.length === 0) throw new CommandError('--watched-domains must be a list of domain names, or none.');
  return [...new Set(names)];
}

function domainName(text: string, option: string): string {
  const name = text.toLowerCase();
  if (!HOST_NAME.test(name)) throw new CommandError(`--${option} must be a domain name such as example.org.`);
  return name;
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}
