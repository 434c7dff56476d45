import { AggregatorRegistry, Registry } from 'prom-client';

/** Has a process under a supervisor tell its figures when the supervisor asks. */
export function tellSupervisor(registry: Registry): void {
  AggregatorRegistry.setRegistries([registry]);
  void new AggregatorRegistry();
}

/** What a supervisor serves: a registry of its own, and the figures of its processes, added up. */
export function supervisorMetrics(): { registry: Registry; others: () => Promise<string> } {
  const processes = new AggregatorRegistry();
  return { registry: new Registry(), others: () => processes.clusterMetrics() };
}
