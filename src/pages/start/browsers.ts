import type { Request, Response } from 'express';
import type { Config } from '../../config/config.ts';
import { linksFrom } from '../../config/simulation-settings.ts';
import { prefersPage } from '../../http/html/prefers-page.ts';

/** Paths that programs request. Their errors are never pages, regardless of what the client accepts. */
const FOR_PROGRAMS = /^(?:https?:\/\/[^/?#]*)?\/(?:v1|mcp|scim|xapi|oauth|\.well-known)(?:[/?#]|$)/i;

export type HostSettings = Pick<Config, 'publicUrl' | 'simulations'>;

/** Reports whether the response to a request is a page. Sets `Vary` if that depends on what the client accepts. */
export function wantsPage(req: Request, res: Response, simulationHosts: ReadonlySet<string>): boolean {
  if (FOR_PROGRAMS.test(req.originalUrl) || isOfSimulation(req, simulationHosts)) return false;
  return prefersPage(req, res);
}

/**
 * Lists the host names to which only links in simulations lead. A page there would reveal the service to recipients.
 */
export function listSimulationHosts({ publicUrl, simulations }: HostSettings): ReadonlySet<string> {
  const hosts = new Set(simulations?.senders.map((sender) => new URL(linksFrom(simulations, sender)).hostname));
  hosts.delete(new URL(publicUrl).hostname);
  return hosts;
}

export function isOfSimulation(req: Request, simulationHosts: ReadonlySet<string>): boolean {
  return simulationHosts.has((req.hostname ?? '').toLowerCase());
}
