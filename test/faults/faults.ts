import { type Answer, answerOf, bytesOf, dynamodb, errorAnswer, halfOf } from './wire.ts'

/** One attempt at a call of the database, and what can be done with it. */
export type Attempt = {
  readonly body: Record<string, unknown>
  /** Has the engine do it, or something else. */
  forward(body?: object): Promise<Answer>
  /**
   * Has the engine do it later, after so many virtual milliseconds, when nobody listens any more.
   */
  forwardLater(ms: number): void
  /** Never settles, but for the limits of time that the SDK's handler has. */
  silence(): Promise<never>
  pass(ms: number): Promise<void>
}

/**
 * What a fault does to a call.
 * - `unanswered`: the call fails, and has not been done
 * - `lost`: the call has been done, and its caller is not told
 * - `refused`: the database says that it has not done it, for now
 * - `ours`: the call is wrong, and stays so
 * - `harmless`: the call succeeds
 */
export type Effect = 'unanswered' | 'lost' | 'refused' | 'ours' | 'harmless'

export type Fault = {
  readonly effect: Effect
  /** Which calls it concerns, by the operation of DynamoDB. Left out: all. */
  readonly concerns?: RegExp
  readonly answer: (attempt: Attempt) => Promise<Answer>
}

const nonsense = () => answerOf(200, '\u0000<<secret-table-name{{{')

/** Errors that the database may answer with instead of doing a call. */
const errors: readonly (readonly [Effect, status: number, type: string])[] = [
  ['refused', 400, 'com.amazon.coral.availability#ThrottlingException'],
  ['refused', 400, `${dynamodb}ProvisionedThroughputExceededException`],
  ['refused', 400, `${dynamodb}RequestLimitExceeded`],
  ['unanswered', 500, `${dynamodb}InternalServerError`],
  ['unanswered', 500, 'com.amazon.coral.service#InternalFailure'],
  ['unanswered', 503, 'com.amazon.coral.availability#ServiceUnavailable'],
  ['unanswered', 503, 'com.amazon.coral.service#ServiceUnavailableException'],
  ['ours', 400, 'com.amazon.coral.service#AccessDeniedException'],
  ['ours', 400, `${dynamodb}ResourceNotFoundException`],
  ['ours', 400, 'com.amazon.coral.validate#ValidationException'],
]

/** What it, or what is before it, may answer otherwise. */
const noAnswers: Readonly<Record<string, () => Answer>> = {
  'HTML with 503': () =>
    answerOf(503, '<html><h1>503 Service Unavailable</h1></html>', 'text/html'),
  'HTML with 502': () => answerOf(502, '<html>bad gateway</html>', 'text/html'),
  'nothing with 503': () => answerOf(503, ''),
  'nonsense with 200': nonsense,
  'HTML with 400': () => answerOf(400, '<html>', 'text/html'),
}

/** Fails as a socket does. */
const broken = (code: string): never => {
  throw Object.assign(new Error(`connection: ${code}`), { code })
}

const fault = (effect: Effect, answer: Fault['answer']): Fault => ({ effect, answer })

/** Whether and when the database does a call matters to nobody if it is a read. */
const ofWrite = (each: Fault): Fault => ({ ...each, concerns: writes })
const writes = /Put|Update|Delete|TransactWrite/

/** Cancels a transaction for the first of its items. */
const transaction = (code: string): Fault => ({
  effect: 'refused',
  concerns: /Transact/,
  answer: async ({ body }) =>
    errorAnswer(400, `${dynamodb}TransactionCanceledException`, {
      CancellationReasons: (body.TransactItems as unknown[]).map((_, item) => ({
        Code: item === 0 ? code : 'None',
      })),
    }),
})

const afterwards = (then: (done: Answer, attempt: Attempt) => Promise<Answer> | Answer): Fault =>
  fault('lost', async (attempt) => then(await attempt.forward(), attempt))

/**
 * One fault for each way in which a call can end for the code of a request. To tell the others from
 * them is up to the SDK and core/storage, which are the same for all calls.
 */
export const endings: readonly string[] = [
  'ThrottlingException',
  'AccessDeniedException',
  'no answer, not done',
  'no answer, done',
  'connection reset, done a second later',
  'a second to answer',
  'done again a second later',
  'half the keys unprocessed',
  'all keys unprocessed',
  'transaction cancelled by a conflict',
  'conflict with a transaction',
]

export const faults: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    errors.map(([effect, status, type]) => [
      type.split('#')[1],
      fault(effect, async () => errorAnswer(status, type)),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(noAnswers).map(([name, answer]) => [
      name,
      fault('unanswered', async () => answer()),
    ]),
  ),
  'connection refused': fault('refused', async () => broken('ECONNREFUSED')),
  'no such host': fault('refused', async () => broken('ENOTFOUND')),
  'connection reset before it is done': fault('unanswered', async () => broken('ECONNRESET')),
  'connection reset after it is done': ofWrite(afterwards(() => broken('ECONNRESET'))),
  'no answer, not done': fault('unanswered', ({ silence }) => silence()),
  'no answer, done': ofWrite(afterwards((_done, { silence }) => silence())),
  'no answer, done five seconds later': ofWrite(
    fault('unanswered', ({ forwardLater, silence }) => {
      forwardLater(5000)
      return silence()
    }),
  ),
  'connection reset, done a second later': ofWrite(
    fault('unanswered', async ({ forwardLater }) => {
      forwardLater(1000)
      return broken('ECONNRESET')
    }),
  ),
  'InternalServerError, done': ofWrite(
    afterwards(() => errorAnswer(500, `${dynamodb}InternalServerError`)),
  ),
  'nonsense, done': ofWrite(afterwards(nonsense)),
  'half an answer': afterwards((done) => halfOf(done, (body) => body.end())),
  'half an answer, then a reset': afterwards((done) =>
    halfOf(done, (body) =>
      setImmediate(() => body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))),
    ),
  ),
  'half an answer, then silence': afterwards((done, { silence }) =>
    halfOf(done, (body) => {
      silence().catch((error) => body.destroy(error))
    }),
  ),
  'a second to answer': fault('harmless', async ({ forward, pass }) => {
    await pass(1000)
    return forward()
  }),
  'done again a second later': ofWrite(
    fault('harmless', async ({ forward, forwardLater }) => {
      forwardLater(1000)
      return forward()
    }),
  ),
  'half the keys unprocessed': {
    effect: 'harmless',
    concerns: /BatchGet/,
    answer: async ({ body, forward }) => {
      const requests = Object.entries(body.RequestItems as Requests)
      const keys = requests.flatMap(([, { Keys }]) => Keys)
      const part = (some: readonly object[]) => {
        const parts = requests.map(([table, request]) => {
          return [
            table,
            { ...request, Keys: request.Keys.filter((key) => some.includes(key)) },
          ] as const
        })
        return Object.fromEntries(parts.filter(([, { Keys }]) => Keys.length > 0))
      }
      const half = Math.floor(keys.length / 2)
      const done = await forward({ ...body, RequestItems: part(keys.slice(half)) })
      const { Responses } = JSON.parse((await bytesOf(done)).toString())
      return answerOf(
        200,
        JSON.stringify({ Responses, UnprocessedKeys: part(keys.slice(0, half)) }),
      )
    },
  },
  'all keys unprocessed': {
    effect: 'refused',
    concerns: /BatchGet/,
    answer: async ({ body }) =>
      answerOf(200, JSON.stringify({ Responses: {}, UnprocessedKeys: body.RequestItems })),
  },
  'transaction cancelled by a conflict': transaction('TransactionConflict'),
  'transaction cancelled by throttling': transaction('ThrottlingError'),
  'transaction cancelled by throughput': transaction('ProvisionedThroughputExceeded'),
  'conflict with a transaction': {
    effect: 'refused',
    concerns: /Put|Update|Delete/,
    answer: async () => errorAnswer(400, `${dynamodb}TransactionConflictException`),
  },
}

type Requests = Record<string, { Keys: object[] }>
