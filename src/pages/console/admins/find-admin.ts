import type { Response } from 'express';
import type { Schemas } from '../../../contract/contract.ts';
import { isId } from '../../../db/ids.ts';
import { notFound } from '../../../contract/errors.ts';
import { getAdmin } from '../admin.ts';
import type { ConsoleRuns } from '../console-runs.ts';

/** Finds an admin of the signed-in admin's company. @throws {ApiError} `not_found` */
export async function findAdmin(runs: ConsoleRuns, res: Response, adminId: string): Promise<Schemas['Admin']> {
  if (!isId(adminId)) throw notFound('admin');
  for await (const admin of runs.items('listAdmins', getAdmin(res).caller)) if (admin.id === adminId) return admin;
  throw notFound('admin');
}
