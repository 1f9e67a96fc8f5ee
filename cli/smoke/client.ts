export type Answer = {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: checks look into bodies freely
  readonly body: any
}

export type Client = {
  /** With the key, unless another credential or none (null) is given. */
  get(path: string, credential?: string | null): Promise<Answer>
  post(path: string, body: object, credential?: string | null): Promise<Answer>
  /** Waits until the service answers: an address that is new takes a while to be known. */
  comesUp(withinSeconds: number): Promise<void>
}

/** How long an answer may take, in milliseconds; the first of a function includes its start. */
const timeoutMs = 15_000

export function client(url: string, key: string): Client {
  async function call(method: string, path: string, credential: string | null, body?: object): Promise<Answer> {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    const json = /json/.test(response.headers.get('content-type') ?? '')
    return { status: response.status, body: json ? JSON.parse(text) : text }
  }
  return {
    get: (path, credential = key) => call('GET', path, credential),
    post: (path, body, credential = key) => call('POST', path, credential, body),
    async comesUp(withinSeconds) {
      const deadline = Date.now() + withinSeconds * 1000
      for (;;) {
        const outcome = await call('GET', '/.well-known/jwks.json', null).then(({ status }) => status, reasonOf)
        if (outcome === 200) return
        if (Date.now() > deadline) throw new Error(`${url} does not come up: ${outcome}`)
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    },
  }
}

/** fetch says no more than "fetch failed"; why stands in its cause. */
const reasonOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message)
