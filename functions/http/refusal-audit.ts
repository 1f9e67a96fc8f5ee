import { Refusal } from '@embed-access/core/refusal.ts'
import { callerOf } from '@embed-access/core/sessions/audit.ts'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { audit } from '../runtime/audit.ts'
import type { Origin } from '../runtime/origin.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { Verdict } from './verdict.ts'

/** Notes that a known caller was refused: by which code, and about which deployment. No text of the request is noted. */
export function auditRefusal(
  runtime: Pick<Runtime, 'issuer' | 'log' | 'now'>,
  event: APIGatewayProxyEventV2,
  origin: Origin,
  verdict: Verdict | undefined,
  error: unknown,
): void {
  const by = verdict?.allowed ? callerOf(verdict.principal) : verdict?.by
  if (!by || !(error instanceof Refusal)) return
  audit(runtime, origin, runtime.now(), {
    event: 'request.refused',
    code: error.code,
    by,
    deploymentId: deploymentIn(event),
  })
}

/** The deployment in the path or the body, which may not have been checked yet. */
function deploymentIn({ pathParameters, body }: APIGatewayProxyEventV2): number | undefined {
  const inPath = pathParameters?.deploymentId
  const parsed = body as unknown as { readonly deploymentId?: unknown } | string | null | undefined
  const id = typeof inPath === 'string' && /^\d+$/.test(inPath) ? Number(inPath) : Object(parsed).deploymentId
  return Number.isSafeInteger(id) ? id : undefined
}
