import type { Time } from '../../client/time.ts'
import { verifierIn } from '../../client/verifier.ts'
import type { World } from '../support/service.ts'
import { heldTime } from './held-time.ts'

const paths = {
  readings: '/.well-known/embed-revocations',
  questions: '/api/v1/embed/session',
  keySets: '/.well-known/jwks.json',
}

/**
 * A verifier that reads the revocations of a test's service, and by whose time a test goes. `state`
 * has what the service does instead.
 */
export function following(
  service: Pick<World, 'issuer' | 'url' | 'now'>,
  options: object = {},
  ownTime: Partial<Time> = {},
) {
  const sent: { readonly path: string; readonly status?: number }[] = []
  const state = {
    isAway: false,
    isSilent: false,
    answer: undefined as Response | undefined,
    /** Answers 304 to every reading. */
    isUnchanged: false,
    document: undefined as string | undefined,
    /** The answers wait for it. */
    until: undefined as Promise<void> | undefined,
  }
  const { time, pauses, patience } = heldTime(() => service.now)
  function answerInstead(path: string): Response | undefined {
    if (state.answer) return state.answer.clone()
    if (path !== paths.readings) return undefined
    if (state.isUnchanged) return new Response(null, { status: 304 })
    return state.document === undefined ? undefined : new Response(state.document)
  }
  async function fetchFromService({ url, headers, signal }: Request): Promise<Response> {
    const path = new URL(url).pathname
    if (state.isAway) {
      sent.push({ path })
      throw new TypeError('fetch failed')
    }
    if (state.isSilent)
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      )
    await state.until
    const response = answerInstead(path) ?? (await fetch(service.url + path, { headers, signal }))
    sent.push({ path, status: response.status })
    return response
  }
  const verify = verifierIn(
    { ...time, ...ownTime },
    {
      issuer: service.issuer,
      audience: service.issuer,
      accountId: 'acme',
      fetch: fetchFromService,
      revocations: {},
      ...options,
    },
  )
  const of = (path: string) => sent.filter((each) => each.path === path)
  return {
    verify,
    /** `good`, or why not. */
    async verdict(token: string): Promise<string> {
      return verify(token).then(
        () => 'good',
        (error: Error) => (error.name === 'TokenRefused' ? error.message : `${error}`),
      )
    },
    state,
    pauses,
    patience,
    readings: () => of(paths.readings).map(({ status }) => status),
    questions: () => of(paths.questions).length,
    keySets: () => of(paths.keySets).length,
  }
}
