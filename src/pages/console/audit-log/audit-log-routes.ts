import type { Request, Response, Router } from 'express';
import type { Caller } from '../../../auth/caller.ts';
import { formatFullName } from '../../../db/expressions.ts';
import { readListQuery, toPeriod } from '../../shared/list-query.ts';
import type { FieldValues } from '../../shared/parts/fields.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { auditLogMessages } from './audit-log-messages.ts';
import { auditLogContent } from './audit-log-page.ts';

const FILTERS = ['since', 'until', 'operation', 'actorId', 'outcome'];
const NAME = /^[A-Za-z0-9_-]{1,200}$/;

/** Adds the page with the audit log of the company. */
export function addAuditLogPage(pages: Router, runs: ConsoleRuns): void {
  pages.get('/audit-log', (req, res) => showAuditLog(runs, req, res));
}

async function showAuditLog(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const query = readListQuery(req, FILTERS);
  const filter = toFilter(query.values);
  const page = filter && (await runs.page('listAuditLog', caller, filter, query.cursor));
  const { items: entries, nextCursor } = page ?? { items: [], nextCursor: null };
  const names = entries.length === 0 ? new Map<string, string>() : await readActorNames(runs, caller);
  const content = auditLogContent({ ...query, language, entries, nextCursor, names });
  sendConsolePage(res, { title: auditLogMessages[language].title, content, width: 'wide' });
}

interface Filter {
  since?: string;
  until?: string;
  operation?: string;
  actorId?: string;
  outcome?: 'done' | 'denied';
}

/** Converts the fields of the filter bar to the filters of the operation; undefined if no entry can match them. */
function toFilter(values: FieldValues): Filter | undefined {
  const period = toPeriod(values);
  const { operation = '', actorId = '', outcome = '' } = values;
  if (!period || [operation, actorId].some((name) => name !== '' && !NAME.test(name))) return undefined;
  return {
    ...period,
    ...(operation !== '' && { operation }),
    ...(actorId !== '' && { actorId: actorId.toLowerCase() }),
    ...((outcome === 'done' || outcome === 'denied') && { outcome }),
  };
}

/** Reads the names of the admins, keys and sources that the role can read. */
async function readActorNames(runs: ConsoleRuns, caller: Caller): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  if (canCall(caller, 'listAdmins'))
    for await (const admin of runs.items('listAdmins', caller)) names.set(admin.id, formatFullName(admin));
  for (const operationId of ['listApiKeys', 'listSources'] as const) {
    if (!canCall(caller, operationId)) continue;
    for await (const { id, name } of runs.items(operationId, caller)) names.set(id, name);
  }
  return names;
}
