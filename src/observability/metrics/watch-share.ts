import { Counter, Gauge, type Registry } from '@prometheus-io/client';

/** A limited resource that many calls compete for, such as a bulkhead. */
export interface Share {
  /** Number of slots in use. */
  readonly held: number;
  /** Number of calls that wait for a slot. */
  readonly waiting: number;
  /** Number of rejected calls, by error code. */
  readonly refused: ReadonlyMap<string, number>;
}

const watched = new WeakMap<Registry, Map<string, Share>>();

/** Reports a share under a name, in place of an earlier share with that name. */
export function watchShare(registry: Registry, name: string, share: Share): void {
  const shares = watched.get(registry) ?? reportShares(registry);
  shares.set(name, share);
}

function reportShares(registry: Registry): Map<string, Share> {
  const shares = new Map<string, Share>();
  watched.set(registry, shares);
  const registers = [registry];
  for (const figure of ['held', 'waiting'] as const) {
    new Gauge({
      name: `share_${figure}`,
      help: figure === 'held' ? 'Occupied slots of the share.' : 'Calls waiting for a slot of the share.',
      labelNames: ['share'],
      registers,
      collect() {
        for (const [name, share] of shares) this.set({ share: name }, share[figure]);
      },
    });
  }
  new Counter({
    name: 'share_refused_total',
    help: 'Calls rejected while waiting for a slot of the share, by error code.',
    labelNames: ['share', 'code'],
    registers,
    collect() {
      this.reset();
      for (const [name, { refused }] of shares) {
        for (const [code, count] of refused) this.inc({ share: name, code }, count);
      }
    },
  });
  return shares;
}
