import { ClusterRegistry, Registry } from '@prometheus-io/client';

/** Makes a process report its metrics whenever its supervisor requests them. */
export function reportToSupervisor(registry: Registry): void {
  ClusterRegistry.setRegistries([registry]);
  void new ClusterRegistry();
}

/** Returns the metrics of a supervisor: its own registry, and the sums over its processes. */
export function supervisorMetrics(): { registry: Registry; others: () => Promise<string> } {
  const processes = new ClusterRegistry();
  return { registry: new Registry(), others: () => processes.clusterMetrics() };
}
