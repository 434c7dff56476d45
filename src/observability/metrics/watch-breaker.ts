import { Gauge, type Registry } from '@prometheus-io/client';

/** Reports whether the circuit breaker of the breach feed is open. */
export function watchBreaker(registry: Registry, breaker: { readonly isOpen: boolean }): void {
  new Gauge({
    name: 'breach_feed_breaker_open',
    help: '1 while the breach feed is not asked because it failed time and again, else 0.',
    registers: [registry],
    collect() {
      this.set(breaker.isOpen ? 1 : 0);
    },
  });
}
