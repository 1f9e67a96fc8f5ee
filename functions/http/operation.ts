import { untilAborted } from '@embed-access/core/storage/sending-through.ts'
import middy from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { type OperationId, operations } from '../operations/operations.ts'
import { type AuditEvent, audit } from '../runtime/audit.ts'
import type { Definition, DeployedHandler, Parts } from '../runtime/definition.ts'
import { deployed, timeLimit } from '../runtime/deployed.ts'
import { edge } from '../runtime/edge.ts'
import { invocationLog, originOf } from '../runtime/invocation-log.ts'
import { type Answer, responseOf } from './answer.ts'
import type { FindCaller } from './caller.ts'
import { commonHeaders } from './headers.ts'
import { type InputSchemas, input, type Parsed } from './input.ts'
import { jsonBody } from './json-body.ts'
import { problems } from './problems.ts'
import { type WarmUpRequest, warmUpEvent } from './warm-up-request.ts'

type Event = APIGatewayProxyEventV2
type Response = APIGatewayProxyStructuredResultV2

type OperationDefinition<Made, Who, Schemas extends InputSchemas> = Pick<
  Definition<Made, Event, Response>,
  'storage' | 'make' | 'partsForWarmUp'
> & {
  /** Who may call: `anyCaller`, `knownCaller`, or the bearer of an embed token. */
  readonly caller: FindCaller<Made, Who>
  readonly input?: Schemas
  answer(
    request: Parts<Made> & Parsed<Schemas> & Who & { audit(event: AuditEvent): void },
  ): Answer | Promise<Answer>
  /**
   * Parameters, body and headers of the warm-up request, as far as this operation needs its own.
   */
  readonly warmUpRequest?: WarmUpRequest | ((made: Made) => Promise<WarmUpRequest>)
}

export type OperationHandler<Made = never> = DeployedHandler<Made, Event, Response> & {
  readonly input: InputSchemas
}

/** Answers a request that did not come through the edge, as API Gateway itself does. */
const forbidden = {
  statusCode: 403,
  headers: { 'content-type': 'application/json', ...commonHeaders },
  body: '{"message":"Forbidden"}',
}

/**
 * Makes the function of an operation. It finds out who is calling, then checks the input, and then
 * calls `answer`. Every error becomes a problem. The files of the operations are the examples.
 */
export async function operation<Made, Who, Schemas extends InputSchemas = Record<never, never>>(
  id: OperationId,
  definition: OperationDefinition<Made, Who, Schemas>,
): Promise<OperationHandler<Made>> {
  const { warmUpRequest: own = {} } = definition
  const schemas = definition.input ?? ({} as Schemas)
  const create = (parts: Parts<Made>) => {
    const handler = middy<Event, Response>(timeLimit)
    handler
      .use(edge(parts.edge, forbidden))
      .use(invocationLog(parts, 'operation', originOf))
      .use(problems(parts))
      .use(definition.caller(parts, { id, access: operations[id].access }))
      .use(schemas.body ? jsonBody : [])
      .use(input(schemas))
      .handler(async (event, context, { signal }) => {
        const answer = await definition.answer({
          ...parts,
          ...context.input,
          ...context.who,
          storage: untilAborted(context.storage, signal),
          audit: (event) => audit(parts, context.origin, event),
        })
        Object.assign(context.logFields, answer.logged)
        return responseOf(answer, event.headers)
      })
    return handler
  }
  const warmUpRequest = async (made: Made) =>
    warmUpEvent(operations[id], typeof own === 'function' ? await own(made) : own)
  const handler = await deployed(operations[id], { ...definition, create, warmUpRequest })
  return Object.assign(handler, { input: schemas })
}
