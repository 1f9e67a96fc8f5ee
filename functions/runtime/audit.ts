import type { Caller, SessionEvent } from '@embed-access/core/sessions/audit.ts'
import type { Runtime } from './runtime.ts'

/** Where a request came from. Its id ties an event to the access log. */
export type Origin = { readonly requestId: string; readonly sourceIp: string }

export type AuditEvent =
  | SessionEvent
  | {
      readonly event: 'authorization.refused'
      readonly routeKey: string
      readonly reason: string
      readonly by?: Caller
    }

/** The namespace of the metrics that CloudWatch makes from the events. */
export const metricNamespace = 'EmbedAccess'

/**
 * Writes an event as one line of JSON. CloudWatch makes a metric with the event's name from the `_aws` part (its
 * embedded metric format). The issuer tells the stages of an AWS account apart.
 * @param now milliseconds since the epoch
 */
export function audit(
  { log, issuer }: Pick<Runtime, 'log' | 'issuer'>,
  { requestId, sourceIp }: Origin,
  now: number,
  event: AuditEvent,
): void {
  log({
    level: 'info',
    requestId,
    sourceIp,
    time: new Date(now).toISOString(),
    issuer,
    ...event,
    [event.event]: 1,
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        { Namespace: metricNamespace, Dimensions: [['issuer']], Metrics: [{ Name: event.event, Unit: 'Count' }] },
      ],
    },
  })
}
