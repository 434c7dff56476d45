import { Gauge, type Registry } from '@prometheus-io/client';
import type pg from 'pg';

type PoolFigures = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;

const watched = new WeakMap<Registry, Map<string, PoolFigures>>();

/** Reports the connections of a pool under a name. */
export function watchPool(registry: Registry, name: string, pool: PoolFigures): void {
  const pools = watched.get(registry) ?? reportPools(registry);
  pools.set(name, pool);
}

function reportPools(registry: Registry): Map<string, PoolFigures> {
  const pools = new Map<string, PoolFigures>();
  watched.set(registry, pools);
  const registers = [registry];
  new Gauge({
    name: 'db_pool_connections',
    help: 'Open connections of the pool, busy or idle.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of pools) {
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
      }
    },
  });
  new Gauge({
    name: 'db_pool_connections_max',
    help: 'Maximum number of connections of the pool.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { options }] of pools) this.set({ pool }, options.max);
    },
  });
  new Gauge({
    name: 'db_pool_waiting',
    help: 'Calls waiting for a connection.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
    },
  });
  return pools;
}
