import { Registry } from '@prometheus-io/client';
import { boundCounter } from './bound-metrics.ts';
import { boundHistogram } from './bound-metrics.ts';

/**
 * Counters of the process. Labels are the service's own names (operations, tools, tasks, codes), never a path, a
 * company or a person, so their number is bounded.
 */
export interface Metrics {
  readonly registry: Registry;
  /**
   * Counts a finished request.
   * @param operation an operationId, or the name of the transport if the request is not an operation
   * @param status the status of the response; undefined if the connection closed before the response was complete
   */
  readonly request: (operation: string, status: number | undefined, seconds: number) => void;
  /** @param outcome `ok`, or the code of the tool's error */
  readonly toolCall: (tool: string, outcome: string) => void;
  /** @param outcome `recorded`, `ignored`, or the code of the reason why a statement was not recorded */
  readonly xapiStatement: (outcome: string) => void;
  /** @param outcome `succeeded`, or `failed` for an attempt that the queue repeats or gives up */
  readonly job: (task: string, outcome: 'succeeded' | 'failed', seconds: number) => void;
  /** Counts a message that was sent, failed for good or was cancelled. */
  readonly messageSettled: (status: string) => void;
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const JOB_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

/** Creates the counters of a process, in their own registry. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const requests = boundCounter(registry, {
    name: 'http_requests_total',
    help: 'Finished requests, by operation and status; aborted: the connection closed before the response was complete.',
    labels: ['operation', 'status'],
  });
  const requestSeconds = boundHistogram(registry, {
    name: 'http_request_duration_seconds',
    help: 'Seconds from the head of a request to the end of its response.',
    label: 'operation',
    buckets: REQUEST_SECONDS,
  });
  const jobs = boundCounter(registry, {
    name: 'jobs_total',
    help: 'Attempts of queue jobs, by task and outcome.',
    labels: ['task', 'outcome'],
  });
  const jobSeconds = boundHistogram(registry, {
    name: 'job_duration_seconds',
    help: 'Duration of job attempts in seconds.',
    label: 'task',
    buckets: JOB_SECONDS,
  });
  return {
    registry,
    request: (operation, status, seconds) => {
      requests(operation, status === undefined ? 'aborted' : String(status));
      requestSeconds(operation, seconds);
    },
    job: (task, outcome, seconds) => {
      jobs(task, outcome);
      jobSeconds(task, seconds);
    },
    toolCall: boundCounter(registry, {
      name: 'mcp_tool_calls_total',
      help: 'Tool calls, by tool and outcome: ok or the error code.',
      labels: ['tool', 'outcome'],
    }),
    xapiStatement: boundCounter(registry, {
      name: 'xapi_statements_total',
      help: 'xAPI statements, by outcome: recorded, ignored, or the error code.',
      labels: ['outcome'],
    }),
    messageSettled: boundCounter(registry, {
      name: 'messages_settled_total',
      help: 'Messages that the worker sent, abandoned or cancelled.',
      labels: ['status'],
    }),
  };
}
