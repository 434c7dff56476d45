import { ClusterRegistry, Registry } from '@prometheus-io/client';

/** Has a process under a supervisor tell its figures when the supervisor asks. */
export function reportToSupervisor(registry: Registry): void {
  ClusterRegistry.setRegistries([registry]);
  void new ClusterRegistry();
}

/** What a supervisor serves: a registry of its own, and the figures of its processes, added up. */
export function supervisorMetrics(): { registry: Registry; others: () => Promise<string> } {
  const processes = new ClusterRegistry();
  return { registry: new Registry(), others: () => processes.clusterMetrics() };
}
