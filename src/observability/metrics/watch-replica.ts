import { Counter, type Registry } from '@prometheus-io/client';

/** Reports the number of reads that the replica could serve, by whether it served them. */
export function watchReplica(registry: Registry, replica: { readonly outcomes: ReadonlyMap<string, number> }): void {
  new Counter({
    name: 'replica_reads_total',
    help: 'Reads by the replica, or by the primary because the replica was lagging or unavailable.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of replica.outcomes) this.inc({ outcome }, count);
    },
  });
}
