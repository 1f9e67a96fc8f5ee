import type { EmbedTokenBearer } from '@embed-access/core/access/embed-token.ts'
import type { Principal } from '@embed-access/core/access/principal.ts'
import { untilAborted } from '@embed-access/core/storage/sending-through.ts'
import middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { type OperationId, operations } from '../operations/operations.ts'
import type { Access } from '../operations/record.ts'
import { type AuditEvent, audit } from '../runtime/audit.ts'
import { edge } from '../runtime/edge.ts'
import { invocationLog, originOf } from '../runtime/invocation-log.ts'
import { lambda, timeLimit } from '../runtime/lambda.ts'
import type { LambdaHandler, Parts, Uses } from '../runtime/runtime.ts'
import { type Answer, responseOf } from './answer.ts'
import type { BearerContext } from './bearer.ts'
import { type CallerContext, caller, type IsRevoked } from './caller.ts'
import { commonHeaders } from './headers.ts'
import { type InputContext, type InputSchemas, input, type Parsed } from './input.ts'
import { jsonBody } from './json-body.ts'
import { problems } from './problems.ts'
import { type WarmUpRequest, warmUpEvent } from './warm-up-request.ts'

type Event = APIGatewayProxyEventV2
type Response = APIGatewayProxyStructuredResultV2

/** What an operation is asked: what it uses, its parsed input, and by whom. */
type Asked<
  Id extends OperationId,
  Schemas extends InputSchemas,
  Used extends Uses,
  Memory,
> = Parts<Used> &
  Parsed<Schemas> & {
    readonly principal: (typeof operations)[Id]['access'] extends 'public' | 'embed'
      ? undefined
      : Principal
    readonly bearer: (typeof operations)[Id]['access'] extends Exclude<Access, 'embed'>
      ? undefined
      : EmbedTokenBearer
    readonly recent: Memory
    audit(event: AuditEvent): void
  }

type OperationDefinition<
  Id extends OperationId,
  Schemas extends InputSchemas,
  Used extends Uses,
  Memory,
> = {
  readonly input?: Schemas
  readonly uses?: Used
  /** Asks about embed tokens. Without it, the operation is closed to them. */
  readonly isRevoked?: IsRevoked
  /**
   * {@link bearer}, for an operation whose access is `embed`. Without it, the operation is closed.
   */
  readonly bearer?: (parts: Parts<Used>) => Middleware
  /** What an instance remembers of its last requests. */
  readonly recent?: (now: () => number) => Memory
  answer(request: Asked<Id, Schemas, Used, Memory>): Answer | Promise<Answer>
  /**
   * A request that is answered with success if everything is there, as far as it differs from those
   * of others.
   */
  readonly warmUpRequest?: WarmUpRequest | ((parts: Parts<Used>) => Promise<WarmUpRequest>)
}

export type OperationHandler<Used extends Uses = Uses> = LambdaHandler<Used, Event, Response> & {
  readonly input: InputSchemas
}

/** To whoever passes the edge by. API Gateway says the same where the authorizer denies. */
const passedBy = {
  statusCode: 403,
  headers: { 'content-type': 'application/json', ...commonHeaders },
  body: '{"message":"Forbidden"}',
}

type Context = CallerContext & BearerContext & InputContext
type Middleware = middy.MiddlewareObj<Event, Response, Error, Context>

/**
 * Makes the function of an operation. It finds out who is calling, then checks the input, and then
 * calls `answer`. Every error becomes a problem. The files of the operations are the examples.
 */
export async function operation<
  Id extends OperationId,
  Schemas extends InputSchemas = Record<never, never>,
  Used extends Uses = Record<never, never>,
  Memory = undefined,
>(
  id: Id,
  definition: OperationDefinition<Id, Schemas, Used, Memory>,
): Promise<OperationHandler<Used>> {
  const { input: schemas = {} as Schemas, uses = {} as Used, warmUpRequest = {} } = definition
  const create = (parts: Parts<Used>) => {
    const recent = definition.recent?.(parts.now)
    return middy<Event, Response, Error, Context>(timeLimit)
      .use([
        edge(parts.edge, passedBy),
        invocationLog(parts, 'operation', originOf),
        problems(parts),
        definition.bearer?.(parts) ??
          caller(parts, { id, access: operations[id].access }, definition.isRevoked),
        ...(schemas.body ? jsonBody : []),
        input(schemas),
      ] as Middleware[])
      .handler(async (event, context, { signal }) => {
        const { principal, bearer, origin } = context
        const storage = context.storage && untilAborted(context.storage, signal)
        const ofRequest = {
          principal,
          bearer,
          audit: (event: AuditEvent) => audit(parts, origin, event),
        }
        const asked = { ...parts, ...context.input, ...ofRequest, recent, storage }
        const answer = await definition.answer(asked as Asked<Id, Schemas, Used, Memory>)
        Object.assign(context.logFields, answer.logged)
        return responseOf(answer, event.headers['accept-encoding'])
      })
  }
  const warmUpRequests = async (parts: Parts<Used>) => {
    const request = typeof warmUpRequest === 'function' ? await warmUpRequest(parts) : warmUpRequest
    return [warmUpEvent(operations[id], request)]
  }
  return Object.assign(await lambda(operations[id], { uses, create, warmUpRequests }), {
    input: schemas,
  })
}
